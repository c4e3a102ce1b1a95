-- Nothing: a job keeps the statistics of SQLite.
SELECT 1;

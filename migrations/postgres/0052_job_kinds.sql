-- no-transaction
-- Jobs of a kind, for monitoring: the dead ones, and the others in the order in which they are due.
CREATE INDEX CONCURRENTLY IF NOT EXISTS jobs_kind_idx ON jobs (name, dead_at, run_at);

-- The account that made the attempt, whose limit of cards it counts for; null for a guest's, and once the account is erased.
ALTER TABLE payment_attempts ADD COLUMN user_id UUID;
-- How many of the pieces counted as shipped ones when they were refunded; null for what former releases refunded.
ALTER TABLE refund_lines ADD COLUMN of_shipped BIGINT;

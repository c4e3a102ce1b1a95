-- no-transaction
-- Attempts that are to be looked at, the longest due first.
CREATE INDEX CONCURRENTLY IF NOT EXISTS payment_attempts_look_at_idx ON payment_attempts (look_at)
    WHERE status IN ('sending', 'unknown', 'authorized', 'voiding');

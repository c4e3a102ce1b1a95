-- no-transaction
-- Erased accounts, whose orders have yet to forget them: few of many.
CREATE INDEX CONCURRENTLY IF NOT EXISTS users_deleted_at_idx ON users (deleted_at) WHERE deleted_at IS NOT NULL;

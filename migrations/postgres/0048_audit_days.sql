-- no-transaction
-- Entries of some days: the log is kept forever.
CREATE INDEX CONCURRENTLY IF NOT EXISTS audit_entries_at_idx ON audit_entries (at, seq);

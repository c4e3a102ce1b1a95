-- no-transaction
-- The newest entries about a kind of things.
CREATE INDEX CONCURRENTLY IF NOT EXISTS audit_entries_kind_idx ON audit_entries (subject_kind, seq);

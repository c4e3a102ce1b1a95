-- Entries of some days: the log is kept forever.
CREATE INDEX audit_entries_at_idx ON audit_entries (at, seq);

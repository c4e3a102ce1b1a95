-- The newest entries about a kind of things.
CREATE INDEX audit_entries_kind_idx ON audit_entries (subject_kind, seq);

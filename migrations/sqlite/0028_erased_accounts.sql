-- Erased accounts, whose orders have yet to forget them: few of many.
CREATE INDEX users_deleted_at_idx ON users (deleted_at) WHERE deleted_at IS NOT NULL;

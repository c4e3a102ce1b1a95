-- When the roles were last read from the provider, UTC milliseconds: an access token that is older changes them no more.
ALTER TABLE users ADD COLUMN roles_read_at BIGINT NOT NULL DEFAULT 0;

-- Whose account was erased while access tokens from before may still be valid. tag authenticates issuer and subject and names nobody.
CREATE TABLE erased_subjects (
    tag BLOB NOT NULL PRIMARY KEY,
    erased_at BIGINT NOT NULL
);
CREATE INDEX erased_subjects_erased_at_idx ON erased_subjects (erased_at);

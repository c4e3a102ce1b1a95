-- Secrets of endpoints that were replaced less than a day ago and before endpoints.former_secret, which has the newest one: a further secret
-- does not end one that a receiver still has. Each is sealed with the id of its row, and signs, too, until signs_until. Nodes of a former
-- release sign with the two in endpoints only.
CREATE TABLE endpoint_secrets (
    id UUID NOT NULL PRIMARY KEY,
    endpoint_id UUID NOT NULL REFERENCES endpoints (id) ON DELETE CASCADE,
    secret BYTEA NOT NULL,
    signs_until BIGINT NOT NULL
);
CREATE INDEX endpoint_secrets_endpoint_id_idx ON endpoint_secrets (endpoint_id);

-- Who shops. A user is a subject of an identity provider; names and mail addresses are what it said last.

CREATE TABLE users (
    id UUID NOT NULL PRIMARY KEY,
    issuer TEXT NOT NULL,
    subject TEXT NOT NULL,
    email TEXT NOT NULL,
    email_verified BOOLEAN NOT NULL,
    name TEXT NOT NULL,
    phone TEXT NOT NULL,
    roles TEXT NOT NULL,
    preferred_state TEXT,
    preferences TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    signed_in_at BIGINT NOT NULL,
    deleted_at BIGINT,
    CONSTRAINT users_subject_key UNIQUE (issuer, subject)
);
CREATE INDEX users_email_idx ON users (email);

-- One browser that is signed in. The token is only in its cookie; `tokens` are the provider's, sealed. At `refresh_at` the
-- provider is asked again; it is also the lease of the one request that asks.
CREATE TABLE sessions (
    id UUID NOT NULL PRIMARY KEY,
    user_id UUID NOT NULL,
    token_hash BYTEA NOT NULL,
    provider_session TEXT,
    tokens BYTEA,
    refresh_at BIGINT,
    authenticated_at BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    seen_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    device TEXT NOT NULL,
    network TEXT NOT NULL,
    CONSTRAINT sessions_token_hash_key UNIQUE (token_hash),
    CONSTRAINT sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE
);
CREATE INDEX sessions_user_id_idx ON sessions (user_id);
CREATE INDEX sessions_provider_session_idx ON sessions (provider_session);
CREATE INDEX sessions_expires_at_idx ON sessions (expires_at);

-- Logout tokens of the provider that were obeyed: each counts once.
CREATE TABLE used_logout_tokens (
    jti TEXT NOT NULL PRIMARY KEY,
    expires_at BIGINT NOT NULL
);
CREATE INDEX used_logout_tokens_expires_at_idx ON used_logout_tokens (expires_at);

-- Where a user has things sent. States and ZIP codes of the US.
CREATE TABLE addresses (
    id UUID NOT NULL PRIMARY KEY,
    user_id UUID NOT NULL,
    first_name TEXT NOT NULL,
    last_name TEXT NOT NULL,
    company TEXT NOT NULL,
    line1 TEXT NOT NULL,
    line2 TEXT NOT NULL,
    city TEXT NOT NULL,
    state TEXT NOT NULL,
    postal_code TEXT NOT NULL,
    phone TEXT NOT NULL,
    is_default BOOLEAN NOT NULL,
    created_at BIGINT NOT NULL,
    CONSTRAINT addresses_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE
);
CREATE INDEX addresses_user_id_idx ON addresses (user_id);

-- That a user's age was accepted, until when, and how. Never the birth date.
CREATE TABLE age_proofs (
    user_id UUID NOT NULL PRIMARY KEY,
    method TEXT NOT NULL,
    preferred_state TEXT,
    verified_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    CONSTRAINT age_proofs_method_check CHECK (method IN ('declared')),
    CONSTRAINT age_proofs_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE
);

-- Devices that a user has signed in from, as their owner would name them: a new one is told by mail.
CREATE TABLE user_devices (
    user_id UUID NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    seen_at BIGINT NOT NULL,
    PRIMARY KEY (user_id, name)
);

-- Who shops. A user is a subject of an identity provider; names and mail addresses are what it said last.

CREATE TABLE users (
    id BLOB NOT NULL PRIMARY KEY,
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

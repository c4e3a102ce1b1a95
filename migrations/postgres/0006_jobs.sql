-- Work that must happen, written in the same transaction as its cause. A job that is done is deleted; a dead one waits for staff.

CREATE TABLE jobs (
    id UUID NOT NULL PRIMARY KEY,
    name TEXT NOT NULL,
    payload TEXT NOT NULL,
    run_at BIGINT NOT NULL,
    attempts BIGINT NOT NULL,
    leased_until BIGINT NOT NULL,
    lease TEXT NOT NULL,
    last_error TEXT,
    dead_at BIGINT,
    created_at BIGINT NOT NULL,
    CONSTRAINT jobs_name_payload_key UNIQUE (name, payload)
);
CREATE INDEX jobs_run_at_idx ON jobs (run_at);

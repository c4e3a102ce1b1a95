-- Other systems that are told what happens in the shop, by signed webhooks.

-- events is a JSON list of kinds. Secrets are sealed with the shop's own; the former one signs, too, until former_until. off_why says
-- why the shop itself has switched an endpoint off. failing_since is the first of the tries that have failed one after another, and
-- nothing is tried until resting_until.
CREATE TABLE endpoints (
    id BLOB NOT NULL PRIMARY KEY,
    name TEXT NOT NULL,
    url TEXT NOT NULL,
    events TEXT NOT NULL,
    is_enabled BOOLEAN NOT NULL,
    off_why TEXT,
    secret BLOB NOT NULL,
    former_secret BLOB,
    former_until BIGINT,
    failing_since BIGINT,
    resting_until BIGINT NOT NULL,
    version BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    CONSTRAINT endpoints_off_check CHECK (off_why IS NULL OR NOT is_enabled)
);

-- A notification on its way to an endpoint, written with what it tells of. notification_id stays the same when it is sent again. There is
-- no foreign key to the endpoint: deleting one must neither wait for an order nor make one fail.
CREATE TABLE dispatches (
    id BLOB NOT NULL PRIMARY KEY,
    notification_id BLOB NOT NULL,
    endpoint_id BLOB NOT NULL,
    kind TEXT NOT NULL,
    subject TEXT NOT NULL,
    payload TEXT NOT NULL,
    status TEXT NOT NULL,
    by_hand BOOLEAN NOT NULL,
    attempts BIGINT NOT NULL,
    first_at BIGINT,
    last_code BIGINT,
    last_error TEXT,
    last_at BIGINT,
    created_at BIGINT NOT NULL,
    CONSTRAINT dispatches_status_check CHECK (status IN ('waiting', 'delivered', 'failed', 'replaced'))
);
CREATE INDEX dispatches_created_at_idx ON dispatches (created_at, id);
CREATE INDEX dispatches_endpoint_id_idx ON dispatches (endpoint_id, created_at, id);
CREATE INDEX dispatches_status_idx ON dispatches (status, created_at, id);
CREATE INDEX dispatches_kind_idx ON dispatches (kind, created_at, id);
CREATE INDEX dispatches_subject_idx ON dispatches (subject, created_at, id);

-- One try: the status that was answered and how the answer begins, or what went wrong. Durations are milliseconds.
CREATE TABLE dispatch_attempts (
    dispatch_id BLOB NOT NULL REFERENCES dispatches (id) ON DELETE CASCADE,
    number BIGINT NOT NULL,
    at BIGINT NOT NULL,
    duration BIGINT NOT NULL,
    code BIGINT,
    error TEXT,
    answer TEXT NOT NULL,
    PRIMARY KEY (dispatch_id, number)
);

-- Dispatches have workers of their own, so that nothing else waits behind a slow endpoint.
CREATE INDEX jobs_dispatch_idx ON jobs (run_at) WHERE name = 'dispatch';
CREATE INDEX jobs_own_idx ON jobs (run_at) WHERE name <> 'dispatch';

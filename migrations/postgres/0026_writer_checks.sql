-- One row that a node writes now and then, to know that it can. The filler is there only while it does.

CREATE TABLE writer_checks (
    id BIGINT NOT NULL PRIMARY KEY,
    checks BIGINT NOT NULL DEFAULT 0,
    filler BYTEA
);

INSERT INTO writer_checks (id) VALUES (1);

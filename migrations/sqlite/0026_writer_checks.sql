-- One row that a node writes now and then, to know that it can. The filler is there only while it does.

CREATE TABLE writer_checks (
    id INTEGER NOT NULL PRIMARY KEY,
    checks INTEGER NOT NULL DEFAULT 0,
    filler BLOB
);

INSERT INTO writer_checks (id) VALUES (1);

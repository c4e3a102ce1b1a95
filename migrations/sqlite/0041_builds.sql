-- The files that pages of a build name. Nodes of other builds send them, too: during a deployment a page may ask any node. seen_at is when a
-- node said last that it serves the build.
CREATE TABLE builds (
    id TEXT NOT NULL PRIMARY KEY,
    seen_at BIGINT NOT NULL
);

CREATE TABLE build_files (
    path TEXT NOT NULL,
    build_id TEXT NOT NULL REFERENCES builds (id) ON DELETE CASCADE,
    plain BLOB NOT NULL,
    brotli BLOB,
    gzip BLOB,
    PRIMARY KEY (path, build_id)
);
CREATE INDEX build_files_build_id_idx ON build_files (build_id);

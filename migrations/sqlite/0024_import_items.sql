-- An import is carried out in commits of some products each. How far it is stands apart from the file, whose long row would be
-- written anew each time: from when it is read on. counts and applied_by are JSON: of the report's lines, of who carries it out or takes it back.
CREATE TABLE product_import_progress (
    import_id BLOB NOT NULL PRIMARY KEY REFERENCES product_imports (id) ON DELETE CASCADE,
    state TEXT NOT NULL,
    counts TEXT NOT NULL,
    applied_by TEXT NOT NULL DEFAULT '',
    updated_at BIGINT NOT NULL,
    CONSTRAINT product_import_progress_state_check
        CHECK (state IN ('checked', 'applying', 'applied', 'undoing', 'undone'))
);

-- What there is to write of a file and, once it is written, what takes it back. content and counts are JSON of what the product becomes next;
-- content is null for a product that the import made. version is the one that the product must still have.
CREATE TABLE product_import_items (
    import_id BLOB NOT NULL REFERENCES product_imports (id) ON DELETE CASCADE,
    place BIGINT NOT NULL,
    line BIGINT NOT NULL,
    handle TEXT NOT NULL,
    product_id BLOB,
    version BIGINT NOT NULL,
    content TEXT,
    counts TEXT NOT NULL,
    state TEXT NOT NULL,
    why TEXT NOT NULL DEFAULT '',
    PRIMARY KEY (import_id, place),
    CONSTRAINT product_import_items_state_check CHECK (state IN ('waiting', 'applied', 'skipped', 'undone', 'kept'))
);
CREATE INDEX product_import_items_state_idx ON product_import_items (import_id, state, place);

-- How far the terms of things from before there were terms are written.
CREATE TABLE search_term_fills (
    kind TEXT NOT NULL PRIMARY KEY,
    after_id BLOB NOT NULL,
    is_done BOOLEAN NOT NULL
);

-- Who of the staff changed what. Append-only: each entry's hash covers the entry and the hash before it. before and after are JSON
-- objects of the fields that differ; of people they hold ids and names of fields, never their data.

CREATE TABLE audit_entries (
    seq BIGINT NOT NULL PRIMARY KEY,
    at BIGINT NOT NULL,
    actor_id UUID NOT NULL REFERENCES users (id),
    role TEXT NOT NULL,
    action TEXT NOT NULL,
    subject_kind TEXT NOT NULL,
    subject_id TEXT NOT NULL,
    subject_label TEXT NOT NULL,
    before TEXT NOT NULL,
    after TEXT NOT NULL,
    network TEXT NOT NULL,
    device TEXT NOT NULL,
    hash BYTEA NOT NULL
);
CREATE INDEX audit_entries_subject_idx ON audit_entries (subject_kind, subject_id, seq);
CREATE INDEX audit_entries_actor_id_idx ON audit_entries (actor_id, seq);
CREATE INDEX audit_entries_action_idx ON audit_entries (action, seq);

CREATE FUNCTION audit_entries_keep() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'the audit log is append-only';
END;
$$;
CREATE TRIGGER audit_entries_keep BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_entries
    FOR EACH STATEMENT EXECUTE FUNCTION audit_entries_keep();

-- Lists that somebody has given a name: list is the page's path, query what follows it.
CREATE TABLE saved_views (
    id UUID NOT NULL PRIMARY KEY,
    user_id UUID NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    list TEXT NOT NULL,
    name TEXT NOT NULL,
    query TEXT NOT NULL,
    is_shared BOOLEAN NOT NULL,
    created_at BIGINT NOT NULL,
    CONSTRAINT saved_views_name_key UNIQUE (user_id, list, name)
);
CREATE INDEX saved_views_list_idx ON saved_views (list);

-- By which words staff find things: kind is order, product or customer, term is in lower case. Searched by its beginning.
CREATE TABLE search_terms (
    kind TEXT NOT NULL,
    term TEXT COLLATE "C" NOT NULL,
    subject_id UUID NOT NULL,
    PRIMARY KEY (kind, term, subject_id)
);
CREATE INDEX search_terms_subject_id_idx ON search_terms (subject_id, kind, term);

-- Visits are counted event by event. What is not counted yet stands in a queue of its own, which a trigger fills, so that an event is
-- queued in the transaction that keeps it, whichever release of the program writes it.
CREATE TABLE uncounted_events (
    occurred_at BIGINT NOT NULL,
    event_id UUID NOT NULL,
    PRIMARY KEY (occurred_at, event_id)
);
CREATE FUNCTION activity_events_count() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO uncounted_events (occurred_at, event_id) VALUES (NEW.occurred_at, NEW.id) ON CONFLICT DO NOTHING;
    RETURN NULL;
END;
$$;
CREATE TRIGGER activity_events_count AFTER INSERT ON activity_events
    FOR EACH ROW EXECUTE FUNCTION activity_events_count();

-- own_version is the version that the counting event by event wrote last: with another one somebody else wrote in between. Visits of days
-- from first_day on are all in the table visits. Events from queued_until on have yet to be queued; -1: what was counted has yet to go.
ALTER TABLE rollups ADD COLUMN own_version BIGINT NOT NULL DEFAULT -1;
ALTER TABLE rollups ADD COLUMN first_day TEXT COLLATE "C" NOT NULL DEFAULT '';
ALTER TABLE rollups ADD COLUMN queued_until BIGINT NOT NULL DEFAULT 0;

-- The visits of the last days, as far as they are counted. who is a browser's session, or a network. checkout is the first view of the
-- checkout, confirmed the last of a confirmation; events of one moment are told apart by their ids. looks is a JSON list of from and until.
CREATE TABLE visits (
    day TEXT COLLATE "C" NOT NULL,
    who TEXT COLLATE "C" NOT NULL,
    first_at BIGINT NOT NULL,
    last_at BIGINT NOT NULL,
    saw_product BOOLEAN NOT NULL,
    checkout_at BIGINT,
    checkout_event UUID,
    confirmed_at BIGINT,
    confirmed_event UUID,
    filled_at BIGINT,
    looks TEXT NOT NULL,
    PRIMARY KEY (day, who)
);
CREATE INDEX visits_filled_idx ON visits (day, who, filled_at) WHERE filled_at IS NOT NULL;

-- What is counted once per visit.
CREATE TABLE visit_names (
    day TEXT COLLATE "C" NOT NULL,
    who TEXT COLLATE "C" NOT NULL,
    kind TEXT NOT NULL,
    name TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (day, who, kind, name)
);

CREATE TABLE visit_users (
    day TEXT COLLATE "C" NOT NULL,
    who TEXT COLLATE "C" NOT NULL,
    user_id UUID NOT NULL,
    PRIMARY KEY (day, who, user_id)
);
CREATE INDEX visit_users_user_id_idx ON visit_users (user_id);

-- Views of an order's confirmation.
CREATE TABLE visit_confirmations (
    day TEXT COLLATE "C" NOT NULL,
    event_id UUID NOT NULL,
    who TEXT COLLATE "C" NOT NULL,
    user_id UUID,
    at BIGINT NOT NULL,
    PRIMARY KEY (day, event_id)
);
CREATE INDEX visit_confirmations_who_idx ON visit_confirmations (who, at);
CREATE INDEX visit_confirmations_user_id_idx ON visit_confirmations (user_id, at);

-- The last migration that a program must know to run on these tables. A migration after which former programs would go wrong raises it
-- to its own number; the others only add, and leave it.
CREATE TABLE schema_needs (
    migration BIGINT NOT NULL PRIMARY KEY
);
INSERT INTO schema_needs (migration) VALUES (21);

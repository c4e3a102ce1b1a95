-- What visitors did, for 90 days. No address and no name: the network is cut to /24 or /48, the session is a random id that
-- the browser forgets with its tab.

CREATE TABLE activity_events (
    id UUID NOT NULL PRIMARY KEY,
    kind TEXT NOT NULL,
    page TEXT,
    feature TEXT,
    action TEXT,
    session_duration BIGINT,
    session_id UUID,
    user_id UUID REFERENCES users (id) ON DELETE SET NULL,
    network TEXT NOT NULL,
    occurred_at BIGINT NOT NULL,
    received_at BIGINT NOT NULL,
    CONSTRAINT activity_events_kind_check CHECK (kind IN ('page_view', 'feature_usage', 'session_activity', 'cart_action', 'search', 'profile_view')),
    CONSTRAINT activity_events_session_duration_check CHECK (session_duration IS NULL OR session_duration > 0)
);
CREATE INDEX activity_events_received_at_idx ON activity_events (received_at);
CREATE INDEX activity_events_kind_idx ON activity_events (kind, received_at);
CREATE INDEX activity_events_user_id_idx ON activity_events (user_id);

-- The newest events, which the page for testing shows.
CREATE INDEX webhook_events_received_at_idx ON webhook_events (received_at);

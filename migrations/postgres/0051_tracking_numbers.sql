-- no-transaction
-- Parcels by the tracking number that staff type into a search.
CREATE INDEX CONCURRENTLY IF NOT EXISTS fulfillments_tracking_number_idx ON fulfillments (tracking_number);

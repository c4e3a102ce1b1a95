-- no-transaction
-- Refunds by their provider's name.
CREATE INDEX CONCURRENTLY IF NOT EXISTS refunds_provider_refund_id_idx ON refunds (provider_refund_id) WHERE provider_refund_id IS NOT NULL;

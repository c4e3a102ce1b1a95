-- no-transaction
-- Refusals of a card, which each payment with it asks for: its other attempts may be many.
CREATE INDEX CONCURRENTLY IF NOT EXISTS payment_attempts_declined_card_idx ON payment_attempts (card_fingerprint, created_at)
    WHERE status = 'declined';

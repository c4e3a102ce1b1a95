-- no-transaction
-- Tries of a card.
CREATE INDEX CONCURRENTLY IF NOT EXISTS payment_attempts_card_fingerprint_idx ON payment_attempts (card_fingerprint, created_at)
    WHERE card_fingerprint IS NOT NULL;

-- How far the provider's records are compared with ours, when each open question is asked again, cards by their fingerprint, and disputes.

-- position and newest are times of the provider's clock: the changes from which the next comparison goes on, and the newest seen.
CREATE TABLE provider_watermarks (
    provider TEXT NOT NULL,
    records TEXT NOT NULL,
    position BIGINT NOT NULL,
    newest BIGINT NOT NULL,
    checked_at BIGINT NOT NULL,
    PRIMARY KEY (provider, records),
    CONSTRAINT provider_watermarks_records_check CHECK (records IN ('payments', 'refunds'))
);

-- look_at is when an attempt is looked at again, looks how often that has failed.
ALTER TABLE payment_attempts ADD COLUMN look_at BIGINT NOT NULL DEFAULT 0;
ALTER TABLE payment_attempts ADD COLUMN looks BIGINT NOT NULL DEFAULT 0;
-- The provider's opaque name for a card's number.
ALTER TABLE payment_attempts ADD COLUMN card_fingerprint TEXT;

-- sent_at is when the provider was first asked, attention_at when staff were told that it does not come to an end.
ALTER TABLE refunds ADD COLUMN sent_at BIGINT;
ALTER TABLE refunds ADD COLUMN attention_at BIGINT;
ALTER TABLE refunds ADD COLUMN look_at BIGINT NOT NULL DEFAULT 0;

-- Payments that a buyer's bank wants back. state and reason are the provider's words.
CREATE TABLE disputes (
    provider TEXT NOT NULL,
    provider_dispute_id TEXT NOT NULL,
    order_id BLOB NOT NULL REFERENCES orders (id),
    attempt_id BLOB NOT NULL REFERENCES payment_attempts (id),
    state TEXT NOT NULL,
    reason TEXT NOT NULL,
    amount BIGINT NOT NULL,
    due_at BIGINT,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    PRIMARY KEY (provider, provider_dispute_id)
);
CREATE INDEX disputes_order_id_idx ON disputes (order_id);
CREATE INDEX disputes_attempt_id_idx ON disputes (attempt_id);

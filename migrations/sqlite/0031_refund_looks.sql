-- Refunds that are asked about again.
CREATE INDEX refunds_look_at_idx ON refunds (look_at) WHERE status = 'pending';

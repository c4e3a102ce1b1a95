-- When the money was taken, UTC milliseconds; null for what former releases captured.
ALTER TABLE payment_attempts ADD COLUMN captured_at BIGINT;

-- Sales by the day of the money.
CREATE INDEX payment_attempts_taken_at_idx ON payment_attempts (COALESCE(captured_at, created_at));

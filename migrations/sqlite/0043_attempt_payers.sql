-- The attempts of an account.
CREATE INDEX payment_attempts_user_id_idx ON payment_attempts (user_id, created_at) WHERE user_id IS NOT NULL;

-- Orders of an account, the newest first: it may have thousands.
CREATE INDEX orders_user_id_placed_at_idx ON orders (user_id, placed_at, id);

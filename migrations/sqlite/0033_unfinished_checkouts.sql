-- The list of checkouts that became no order: in its order, with what it is filtered by, so that rows are read only when they are shown.
-- Said otherwise than IS NULL: SQLite would go by the index of placed_at and sort what it finds.
CREATE INDEX orders_unfinished_idx ON orders (created_at, id, payment_status, status) WHERE COALESCE(placed_at, 0) = 0;

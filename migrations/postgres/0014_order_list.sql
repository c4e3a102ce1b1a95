-- The list of orders: those that were placed, and those that need a hand. One index for each way to sort it and each state to filter by.

CREATE INDEX orders_listed_idx ON orders (created_at, id) WHERE placed_at IS NOT NULL OR attention IS NOT NULL;
CREATE INDEX orders_total_idx ON orders (total, id) WHERE placed_at IS NOT NULL OR attention IS NOT NULL;
CREATE INDEX orders_payment_status_idx ON orders (payment_status, created_at, id)
    WHERE placed_at IS NOT NULL OR attention IS NOT NULL;
CREATE INDEX orders_fulfillment_status_idx ON orders (fulfillment_status, created_at, id)
    WHERE placed_at IS NOT NULL OR attention IS NOT NULL;
CREATE INDEX orders_attention_idx ON orders (created_at, id) WHERE attention IS NOT NULL;
DROP INDEX orders_status_idx;
CREATE INDEX orders_status_idx ON orders (status, created_at, id);
DROP INDEX orders_email_idx;
CREATE INDEX orders_email_idx ON orders (email, id);

-- The list of orders that are picked up: in most shops a few of many.

CREATE INDEX orders_pickup_idx ON orders (created_at, id)
    WHERE picked_up AND (placed_at IS NOT NULL OR attention IS NOT NULL);

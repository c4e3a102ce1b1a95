-- A parcel that has left with an order. adult_signature: somebody of 21 or older signs for it.

CREATE TABLE fulfillments (
    id BLOB NOT NULL PRIMARY KEY,
    order_id BLOB NOT NULL REFERENCES orders (id) ON DELETE CASCADE,
    carrier TEXT NOT NULL,
    tracking_number TEXT NOT NULL,
    tracking_url TEXT,
    adult_signature BOOLEAN NOT NULL,
    shipped_at BIGINT NOT NULL,
    CONSTRAINT fulfillments_order_id_key UNIQUE (order_id)
);

-- Orders that staff put together for somebody who pays through a link. Prices are promised until expires_at. The link's token is found by
-- its hash; sealed, staff can send it again. checkout_id is the only checkout in which the goods can be paid; when its order ends
-- unpaid, the draft gets another one. order_id is the order that came of it. address is JSON.

CREATE TABLE draft_orders (
    id BLOB NOT NULL PRIMARY KEY,
    number TEXT NOT NULL,
    status TEXT NOT NULL,
    token_hash BLOB NOT NULL,
    token_sealed BLOB NOT NULL,
    checkout_id BLOB NOT NULL,
    order_id BLOB REFERENCES orders (id) ON DELETE SET NULL,
    user_id BLOB REFERENCES users (id) ON DELETE SET NULL,
    email TEXT NOT NULL,
    phone TEXT NOT NULL,
    address TEXT NOT NULL,
    shipping_method TEXT NOT NULL,
    promo_code TEXT,
    message TEXT NOT NULL,
    total BIGINT NOT NULL,
    made_by BLOB NOT NULL REFERENCES users (id),
    version BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    mailed_at BIGINT,
    CONSTRAINT draft_orders_number_key UNIQUE (number),
    CONSTRAINT draft_orders_token_hash_key UNIQUE (token_hash),
    CONSTRAINT draft_orders_checkout_id_key UNIQUE (checkout_id),
    CONSTRAINT draft_orders_status_check CHECK (status IN ('open', 'placed', 'withdrawn')),
    CONSTRAINT draft_orders_total_check CHECK (total >= 0)
);
CREATE INDEX draft_orders_created_at_idx ON draft_orders (created_at, id);
CREATE INDEX draft_orders_expires_at_idx ON draft_orders (expires_at, id);
CREATE INDEX draft_orders_total_idx ON draft_orders (total, id);
CREATE INDEX draft_orders_email_idx ON draft_orders (email, id);
CREATE INDEX draft_orders_status_idx ON draft_orders (status, created_at, id);
CREATE INDEX draft_orders_order_id_idx ON draft_orders (order_id);
CREATE INDEX draft_orders_user_id_idx ON draft_orders (user_id);

-- unit_price is what was promised for one, in minor units.
CREATE TABLE draft_order_lines (
    draft_id BLOB NOT NULL REFERENCES draft_orders (id) ON DELETE CASCADE,
    variant_id BLOB NOT NULL REFERENCES product_variants (id),
    quantity BIGINT NOT NULL,
    unit_price BIGINT NOT NULL,
    position BIGINT NOT NULL,
    PRIMARY KEY (draft_id, variant_id),
    CONSTRAINT draft_order_lines_quantity_check CHECK (quantity > 0),
    CONSTRAINT draft_order_lines_unit_price_check CHECK (unit_price >= 0)
);
CREATE INDEX draft_order_lines_variant_id_idx ON draft_order_lines (variant_id);

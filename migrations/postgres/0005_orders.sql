-- What was bought, with the prices, names and rules of that moment.

-- attempt_id is the payment attempt that placed the order.
CREATE TABLE orders (
    id UUID NOT NULL PRIMARY KEY,
    number TEXT NOT NULL,
    token TEXT NOT NULL,
    checkout_id UUID NOT NULL,
    user_id UUID REFERENCES users (id) ON DELETE SET NULL,
    email TEXT NOT NULL,
    phone TEXT NOT NULL,
    status TEXT NOT NULL,
    payment_status TEXT NOT NULL,
    fulfillment_status TEXT NOT NULL,
    currency TEXT NOT NULL,
    subtotal BIGINT NOT NULL,
    discount_total BIGINT NOT NULL,
    shipping_total BIGINT NOT NULL,
    tax_total BIGINT NOT NULL,
    total BIGINT NOT NULL,
    shipping_method TEXT NOT NULL,
    shipping_name TEXT NOT NULL,
    picked_up BOOLEAN NOT NULL,
    address TEXT NOT NULL,
    adult_signature BOOLEAN NOT NULL,
    compliance TEXT NOT NULL,
    age_proof TEXT NOT NULL,
    attempt_id UUID,
    promo_id UUID REFERENCES promo_codes (id) ON DELETE SET NULL,
    promo_code TEXT,
    attention TEXT,
    cancel_reason TEXT,
    version BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    placed_at BIGINT,
    canceled_at BIGINT,
    CONSTRAINT orders_number_key UNIQUE (number),
    CONSTRAINT orders_token_key UNIQUE (token),
    CONSTRAINT orders_checkout_id_key UNIQUE (checkout_id),
    CONSTRAINT orders_status_check CHECK (status IN ('draft', 'placed', 'canceled', 'archived')),
    CONSTRAINT orders_payment_status_check CHECK (payment_status IN ('not_paid', 'authorized', 'partially_paid', 'paid',
        'partially_refunded', 'refunded', 'voided', 'requires_action', 'failed')),
    CONSTRAINT orders_fulfillment_status_check CHECK (fulfillment_status IN ('unfulfilled', 'partially_fulfilled', 'fulfilled',
        'delivered', 'canceled')),
    CONSTRAINT orders_total_check CHECK (total = subtotal - discount_total + shipping_total + tax_total AND total >= 0)
);
CREATE INDEX orders_user_id_idx ON orders (user_id, created_at);
CREATE INDEX orders_email_idx ON orders (email);
CREATE INDEX orders_promo_id_idx ON orders (promo_id);
CREATE INDEX orders_status_idx ON orders (status, created_at);

CREATE TABLE order_lines (
    id UUID NOT NULL PRIMARY KEY,
    order_id UUID NOT NULL REFERENCES orders (id) ON DELETE CASCADE,
    variant_id UUID REFERENCES product_variants (id) ON DELETE SET NULL,
    sku TEXT NOT NULL,
    title TEXT NOT NULL,
    variant_title TEXT NOT NULL,
    href TEXT NOT NULL,
    picture TEXT NOT NULL,
    compliance_class TEXT NOT NULL,
    weight_grams BIGINT NOT NULL,
    quantity BIGINT NOT NULL,
    unit_price BIGINT NOT NULL,
    discount BIGINT NOT NULL,
    tax BIGINT NOT NULL,
    total BIGINT NOT NULL,
    position BIGINT NOT NULL,
    CONSTRAINT order_lines_position_key UNIQUE (order_id, position),
    CONSTRAINT order_lines_quantity_check CHECK (quantity > 0),
    CONSTRAINT order_lines_total_check CHECK (total = quantity * unit_price - discount + tax)
);
CREATE INDEX order_lines_variant_id_idx ON order_lines (variant_id);

-- line_id is null for what concerns shipping. rate is parts per million.
CREATE TABLE order_tax_lines (
    id UUID NOT NULL PRIMARY KEY,
    order_id UUID NOT NULL REFERENCES orders (id) ON DELETE CASCADE,
    line_id UUID REFERENCES order_lines (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    rate BIGINT NOT NULL,
    taxable BIGINT NOT NULL,
    amount BIGINT NOT NULL
);
CREATE INDEX order_tax_lines_order_id_idx ON order_tax_lines (order_id);
CREATE INDEX order_tax_lines_line_id_idx ON order_tax_lines (line_id);

-- A discount: amount is what it takes off.
CREATE TABLE order_adjustments (
    id UUID NOT NULL PRIMARY KEY,
    order_id UUID NOT NULL REFERENCES orders (id) ON DELETE CASCADE,
    line_id UUID REFERENCES order_lines (id) ON DELETE CASCADE,
    code TEXT NOT NULL,
    label TEXT NOT NULL,
    amount BIGINT NOT NULL,
    CONSTRAINT order_adjustments_amount_check CHECK (amount >= 0)
);
CREATE INDEX order_adjustments_order_id_idx ON order_adjustments (order_id);
CREATE INDEX order_adjustments_line_id_idx ON order_adjustments (line_id);

-- What happened to an order. is_public entries are the shopper's to read.
CREATE TABLE order_history (
    id UUID NOT NULL PRIMARY KEY,
    order_id UUID NOT NULL REFERENCES orders (id) ON DELETE CASCADE,
    at BIGINT NOT NULL,
    actor TEXT NOT NULL,
    kind TEXT NOT NULL,
    data TEXT NOT NULL,
    is_public BOOLEAN NOT NULL
);
CREATE INDEX order_history_order_id_idx ON order_history (order_id, at);

-- A redeemed code. customer is the buyer's mail address in lower case where a code is good once per customer, else the order's id.
CREATE TABLE promo_redemptions (
    order_id UUID NOT NULL PRIMARY KEY REFERENCES orders (id) ON DELETE CASCADE,
    promo_id UUID NOT NULL REFERENCES promo_codes (id) ON DELETE CASCADE,
    customer TEXT NOT NULL,
    CONSTRAINT promo_redemptions_customer_key UNIQUE (promo_id, customer)
);

-- Stock promised to an order. held counts in stock_levels.reserved; sold has left on_hand; released is free again.
CREATE TABLE stock_reservations (
    order_id UUID NOT NULL REFERENCES orders (id) ON DELETE CASCADE,
    variant_id UUID NOT NULL REFERENCES product_variants (id) ON DELETE CASCADE,
    quantity BIGINT NOT NULL,
    state TEXT NOT NULL,
    expires_at BIGINT NOT NULL,
    PRIMARY KEY (order_id, variant_id),
    CONSTRAINT stock_reservations_quantity_check CHECK (quantity > 0),
    CONSTRAINT stock_reservations_state_check CHECK (state IN ('held', 'sold', 'released'))
);
CREATE INDEX stock_reservations_variant_id_idx ON stock_reservations (variant_id);
CREATE INDEX stock_reservations_state_idx ON stock_reservations (state, expires_at);

-- quantity is the change of on_hand.
CREATE TABLE stock_movements (
    id UUID NOT NULL PRIMARY KEY,
    variant_id UUID NOT NULL REFERENCES product_variants (id) ON DELETE CASCADE,
    order_id UUID REFERENCES orders (id) ON DELETE SET NULL,
    kind TEXT NOT NULL,
    quantity BIGINT NOT NULL,
    at BIGINT NOT NULL,
    CONSTRAINT stock_movements_kind_check CHECK (kind IN ('adjustment', 'sale', 'cancellation', 'return'))
);
CREATE INDEX stock_movements_variant_id_idx ON stock_movements (variant_id, at);
CREATE INDEX stock_movements_order_id_idx ON stock_movements (order_id);

-- One try to take the money. click_id is the browser's: however often it is sent, it is one try.
CREATE TABLE payment_attempts (
    id UUID NOT NULL PRIMARY KEY,
    order_id UUID NOT NULL REFERENCES orders (id),
    click_id UUID NOT NULL,
    number BIGINT NOT NULL,
    provider TEXT NOT NULL,
    idempotency_key TEXT NOT NULL,
    amount BIGINT NOT NULL,
    currency TEXT NOT NULL,
    status TEXT NOT NULL,
    provider_payment_id TEXT,
    provider_version TEXT,
    provider_updated_at BIGINT NOT NULL,
    card_brand TEXT,
    card_last_4 TEXT,
    decline_code TEXT,
    decline_message TEXT,
    refunded BIGINT NOT NULL,
    network TEXT NOT NULL,
    absent_at BIGINT,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    CONSTRAINT payment_attempts_click_id_key UNIQUE (click_id),
    CONSTRAINT payment_attempts_number_key UNIQUE (order_id, number),
    CONSTRAINT payment_attempts_idempotency_key_key UNIQUE (idempotency_key),
    CONSTRAINT payment_attempts_provider_payment_id_key UNIQUE (provider, provider_payment_id),
    CONSTRAINT payment_attempts_status_check CHECK (status IN ('sending', 'unknown', 'due', 'authorized', 'captured', 'declined',
        'voiding', 'voided')),
    CONSTRAINT payment_attempts_amount_check CHECK (amount >= 0 AND refunded >= 0 AND refunded <= amount)
);
CREATE INDEX payment_attempts_status_idx ON payment_attempts (status, updated_at);
CREATE INDEX payment_attempts_network_idx ON payment_attempts (network, created_at);

CREATE TABLE refunds (
    id UUID NOT NULL PRIMARY KEY,
    order_id UUID NOT NULL REFERENCES orders (id),
    attempt_id UUID NOT NULL REFERENCES payment_attempts (id),
    idempotency_key TEXT NOT NULL,
    amount BIGINT NOT NULL,
    reason TEXT NOT NULL,
    status TEXT NOT NULL,
    provider_refund_id TEXT,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    CONSTRAINT refunds_idempotency_key_key UNIQUE (idempotency_key),
    CONSTRAINT refunds_status_check CHECK (status IN ('pending', 'settled', 'failed')),
    CONSTRAINT refunds_amount_check CHECK (amount > 0)
);
CREATE INDEX refunds_order_id_idx ON refunds (order_id);
CREATE INDEX refunds_attempt_id_idx ON refunds (attempt_id);

-- What providers told us, kept before it is understood. Two kinds may share an event id.
CREATE TABLE webhook_events (
    provider TEXT NOT NULL,
    event_id TEXT NOT NULL,
    kind TEXT NOT NULL,
    subject TEXT NOT NULL,
    body TEXT NOT NULL,
    received_at BIGINT NOT NULL,
    processed_at BIGINT,
    outcome TEXT,
    PRIMARY KEY (provider, event_id, kind)
);
CREATE INDEX webhook_events_processed_at_idx ON webhook_events (processed_at, received_at);

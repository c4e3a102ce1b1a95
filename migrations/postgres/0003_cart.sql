-- The carts of signed-in shoppers, one each. Guests keep theirs in the browser.

CREATE TABLE carts (
    id UUID NOT NULL PRIMARY KEY,
    user_id UUID NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    promo_code TEXT,
    updated_at BIGINT NOT NULL,
    CONSTRAINT carts_user_id_key UNIQUE (user_id)
);

-- seen_price is what the shopper was last told, so that a change can be told.
CREATE TABLE cart_items (
    cart_id UUID NOT NULL REFERENCES carts (id) ON DELETE CASCADE,
    variant_id UUID NOT NULL REFERENCES product_variants (id) ON DELETE CASCADE,
    quantity BIGINT NOT NULL,
    saved BOOLEAN NOT NULL,
    seen_price BIGINT NOT NULL,
    position BIGINT NOT NULL,
    PRIMARY KEY (cart_id, variant_id),
    CONSTRAINT cart_items_quantity_check CHECK (quantity > 0)
);
CREATE INDEX cart_items_variant_id_idx ON cart_items (variant_id);

-- value: hundredths of a percent, or minor units; nothing for free shipping.
CREATE TABLE promo_codes (
    id UUID NOT NULL PRIMARY KEY,
    code TEXT NOT NULL,
    kind TEXT NOT NULL,
    value BIGINT NOT NULL,
    min_subtotal BIGINT NOT NULL,
    starts_at BIGINT,
    ends_at BIGINT,
    max_uses BIGINT,
    used BIGINT NOT NULL,
    once_per_customer BOOLEAN NOT NULL,
    active BOOLEAN NOT NULL,
    CONSTRAINT promo_codes_code_key UNIQUE (code),
    CONSTRAINT promo_codes_kind_check CHECK (kind IN ('percent', 'amount', 'free_shipping')),
    CONSTRAINT promo_codes_value_check CHECK (value >= 0 AND (kind <> 'percent' OR value <= 10000)),
    CONSTRAINT promo_codes_used_check CHECK (used >= 0 AND (max_uses IS NULL OR used <= max_uses))
);

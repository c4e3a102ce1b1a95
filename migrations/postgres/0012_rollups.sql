-- Figures by day of the shop's time zone, made anew from orders, payments and activity as long as these are there, and kept when the
-- activity is deleted. A day is written 2026-11-21.

-- How many results a search had when it was made.
ALTER TABLE activity_events ADD COLUMN results BIGINT;
CREATE INDEX activity_events_occurred_at_idx ON activity_events (occurred_at);
CREATE INDEX orders_placed_at_idx ON orders (placed_at);
CREATE INDEX orders_updated_at_idx ON orders (updated_at);
CREATE INDEX orders_attention_updated_at_idx ON orders (updated_at) WHERE attention IS NOT NULL;
CREATE INDEX payment_attempts_created_at_idx ON payment_attempts (created_at);
CREATE INDEX payment_attempts_updated_at_idx ON payment_attempts (updated_at);
CREATE INDEX refunds_updated_at_idx ON refunds (updated_at);
CREATE INDEX stock_levels_low_idx ON stock_levels (on_hand) WHERE on_hand - reserved <= low_stock_threshold;
CREATE INDEX jobs_dead_at_idx ON jobs (dead_at) WHERE dead_at IS NOT NULL;

-- How far a kind of figures has come. version tells when somebody else has written in between.
CREATE TABLE rollups (
    name TEXT NOT NULL PRIMARY KEY,
    zone TEXT NOT NULL,
    seen_until BIGINT NOT NULL,
    version BIGINT NOT NULL
);

-- Orders that were paid, by the day on which they were placed; taken by the day of the payment, refunded by the day of the refund.
CREATE TABLE sales_days (
    day TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    orders BIGINT NOT NULL,
    units BIGINT NOT NULL,
    goods BIGINT NOT NULL,
    discounts BIGINT NOT NULL,
    shipping BIGINT NOT NULL,
    tax BIGINT NOT NULL,
    total BIGINT NOT NULL,
    taken BIGINT NOT NULL,
    refunds BIGINT NOT NULL,
    refunded BIGINT NOT NULL
);

-- amount is what the goods cost after discounts, without tax. product is an id, or the title of what the shop no longer has.
CREATE TABLE sales_products (
    day TEXT COLLATE "C" NOT NULL,
    product TEXT NOT NULL,
    title TEXT NOT NULL,
    category_id UUID,
    orders BIGINT NOT NULL,
    units BIGINT NOT NULL,
    amount BIGINT NOT NULL,
    PRIMARY KEY (day, product)
);

-- products, baskets, checkouts and buyers are visits that came that far. lengths is a JSON object: seconds, and visits of that length.
CREATE TABLE visit_days (
    day TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    visits BIGINT NOT NULL,
    page_views BIGINT NOT NULL,
    searches BIGINT NOT NULL,
    empty_searches BIGINT NOT NULL,
    products BIGINT NOT NULL,
    baskets BIGINT NOT NULL,
    checkouts BIGINT NOT NULL,
    buyers BIGINT NOT NULL,
    carts BIGINT NOT NULL,
    carts_paid BIGINT NOT NULL,
    seconds BIGINT NOT NULL,
    lengths TEXT NOT NULL
);

-- What visits did: kind is page, feature, search or cart. empty counts searches without a result.
CREATE TABLE visit_counts (
    kind TEXT NOT NULL,
    day TEXT COLLATE "C" NOT NULL,
    name TEXT COLLATE "C" NOT NULL,
    events BIGINT NOT NULL,
    visits BIGINT NOT NULL,
    empty BIGINT NOT NULL,
    PRIMARY KEY (kind, day, name)
);

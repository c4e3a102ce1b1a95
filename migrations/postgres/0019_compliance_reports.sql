-- Deliveries of regulated goods, as the states want them reported. A record is a copy: it outlives its order, its products and the
-- deletion of its buyer's account until keep_until, the end of the fourth full calendar year after it.

ALTER TABLE compliance_classes ADD COLUMN is_reported BOOLEAN NOT NULL DEFAULT FALSE;
UPDATE compliance_classes SET is_reported = TRUE WHERE code <> 'general_merchandise';

-- value is what was paid for the goods without tax; weight_grams is that of all pieces.
CREATE TABLE delivery_records (
    id UUID NOT NULL PRIMARY KEY,
    order_number TEXT NOT NULL,
    shipped_at BIGINT NOT NULL,
    month TEXT NOT NULL,
    state TEXT NOT NULL,
    consignee TEXT NOT NULL,
    street TEXT NOT NULL,
    city TEXT NOT NULL,
    postal_code TEXT NOT NULL,
    class TEXT NOT NULL,
    sku TEXT NOT NULL,
    title TEXT NOT NULL,
    quantity BIGINT NOT NULL,
    weight_grams BIGINT NOT NULL,
    value BIGINT NOT NULL,
    carrier TEXT NOT NULL,
    tracking_number TEXT NOT NULL,
    adult_signature BOOLEAN NOT NULL,
    keep_until BIGINT NOT NULL,
    CONSTRAINT delivery_records_quantity_check CHECK (quantity > 0)
);
CREATE INDEX delivery_records_month_idx ON delivery_records (month, state);
CREATE INDEX delivery_records_keep_until_idx ON delivery_records (keep_until);

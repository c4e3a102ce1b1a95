-- What staff do with an order once it is placed: parcels of some of its lines, refunds that say what for, goods that are canceled or
-- come back.

-- An order may leave in several parcels. A handover happens in the store. label: the parcel bears the marks that its goods call for.
ALTER TABLE fulfillments DROP CONSTRAINT fulfillments_order_id_key;
ALTER TABLE fulfillments ADD COLUMN kind TEXT NOT NULL DEFAULT 'parcel'
    CONSTRAINT fulfillments_kind_check CHECK (kind IN ('parcel', 'handover'));
ALTER TABLE fulfillments ALTER COLUMN kind DROP DEFAULT;
ALTER TABLE fulfillments ADD COLUMN label BOOLEAN NOT NULL DEFAULT FALSE;
ALTER TABLE fulfillments ALTER COLUMN label DROP DEFAULT;
ALTER TABLE fulfillments ADD COLUMN delivered_at BIGINT;
CREATE INDEX fulfillments_order_id_idx ON fulfillments (order_id, shipped_at);

CREATE TABLE fulfillment_lines (
    fulfillment_id UUID NOT NULL REFERENCES fulfillments (id) ON DELETE CASCADE,
    line_id UUID NOT NULL REFERENCES order_lines (id) ON DELETE CASCADE,
    quantity BIGINT NOT NULL,
    PRIMARY KEY (fulfillment_id, line_id),
    CONSTRAINT fulfillment_lines_quantity_check CHECK (quantity > 0)
);
CREATE INDEX fulfillment_lines_line_id_idx ON fulfillment_lines (line_id);
-- Until now a parcel held all of its order.
INSERT INTO fulfillment_lines (fulfillment_id, line_id, quantity)
    SELECT f.id, l.id, l.quantity FROM fulfillments f JOIN order_lines l ON l.order_id = f.order_id;

-- How many of a line will not be sent.
ALTER TABLE order_lines ADD COLUMN canceled BIGINT NOT NULL DEFAULT 0
    CONSTRAINT order_lines_canceled_check CHECK (canceled >= 0 AND canceled <= quantity);

-- How money that was due in the store was taken.
ALTER TABLE payment_attempts ADD COLUMN tender TEXT
    CONSTRAINT payment_attempts_tender_check CHECK (tender IN ('cash', 'terminal'));

-- What a refund is for: lines, shipping (its tax included), and what staff add freely. tax is the part of all this that is tax.
-- request_id is the browser's: however often it is sent, it is one refund. given_as: in the store, by hand.
ALTER TABLE refunds ADD COLUMN request_id UUID;
ALTER TABLE refunds ADD COLUMN shipping BIGINT NOT NULL DEFAULT 0
    CONSTRAINT refunds_shipping_check CHECK (shipping >= 0);
ALTER TABLE refunds ADD COLUMN extra BIGINT NOT NULL DEFAULT 0
    CONSTRAINT refunds_extra_check CHECK (extra >= 0);
ALTER TABLE refunds ADD COLUMN tax BIGINT NOT NULL DEFAULT 0
    CONSTRAINT refunds_tax_check CHECK (tax >= 0);
ALTER TABLE refunds ADD COLUMN given_as TEXT
    CONSTRAINT refunds_given_as_check CHECK (given_as IN ('cash', 'terminal'));
CREATE UNIQUE INDEX refunds_request_id_idx ON refunds (request_id);

CREATE TABLE refund_lines (
    refund_id UUID NOT NULL REFERENCES refunds (id) ON DELETE CASCADE,
    line_id UUID NOT NULL REFERENCES order_lines (id) ON DELETE CASCADE,
    quantity BIGINT NOT NULL,
    amount BIGINT NOT NULL,
    tax BIGINT NOT NULL,
    PRIMARY KEY (refund_id, line_id),
    CONSTRAINT refund_lines_quantity_check CHECK (quantity > 0),
    CONSTRAINT refund_lines_amount_check CHECK (tax >= 0 AND amount >= tax)
);
CREATE INDEX refund_lines_line_id_idx ON refund_lines (line_id);

-- Goods that a buyer wants to send back, or has sent back.
CREATE TABLE returns (
    id UUID NOT NULL PRIMARY KEY,
    order_id UUID NOT NULL REFERENCES orders (id) ON DELETE CASCADE,
    status TEXT NOT NULL,
    reason TEXT NOT NULL,
    refund_id UUID REFERENCES refunds (id),
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    CONSTRAINT returns_status_check CHECK (status IN ('requested', 'approved', 'rejected', 'received', 'refunded'))
);
CREATE INDEX returns_order_id_idx ON returns (order_id, created_at);
CREATE INDEX returns_status_idx ON returns (status, created_at);
CREATE INDEX returns_refund_id_idx ON returns (refund_id);

-- Of what was announced, how many came back and went on the shelf, and how many came back and did not.
CREATE TABLE return_lines (
    return_id UUID NOT NULL REFERENCES returns (id) ON DELETE CASCADE,
    line_id UUID NOT NULL REFERENCES order_lines (id) ON DELETE CASCADE,
    quantity BIGINT NOT NULL,
    restocked BIGINT NOT NULL,
    written_off BIGINT NOT NULL,
    PRIMARY KEY (return_id, line_id),
    CONSTRAINT return_lines_quantity_check CHECK (quantity > 0),
    CONSTRAINT return_lines_received_check CHECK (restocked >= 0 AND written_off >= 0 AND restocked + written_off <= quantity)
);
CREATE INDEX return_lines_line_id_idx ON return_lines (line_id);

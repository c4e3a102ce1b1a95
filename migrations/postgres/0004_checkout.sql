-- What checkout decides by: where goods may go, what shipping costs, what is taxed. Rates are parts per million.

-- Papers for rolling cigarettes are named in Ohio's age rules. Sold over the internet they call for an age check by an
-- independent third party, so they are handed over in the store, where an ID is checked, and paid for there.
INSERT INTO compliance_classes (code, name, restriction) VALUES
    ('rolling_papers', 'Rolling papers', 'Sold to adults aged 21 or older, in our store only: reserve online, show your ID and pay when you pick it up.');

-- Without a rule that allows it, nothing is sold. state '*' is every state without a rule of its own.
CREATE TABLE compliance_rules (
    id UUID NOT NULL PRIMARY KEY,
    class TEXT NOT NULL REFERENCES compliance_classes (code),
    state TEXT NOT NULL,
    valid_from TEXT NOT NULL,
    valid_until TEXT,
    may_ship BOOLEAN NOT NULL,
    may_pick_up BOOLEAN NOT NULL,
    may_pay_online BOOLEAN NOT NULL,
    adult_signature BOOLEAN NOT NULL,
    ground_only BOOLEAN NOT NULL,
    reason TEXT NOT NULL,
    source TEXT NOT NULL,
    CONSTRAINT compliance_rules_validity_key UNIQUE (class, state, valid_from),
    CONSTRAINT compliance_rules_state_check CHECK (state = '*' OR length(state) = 2)
);

INSERT INTO compliance_rules
    (id, class, state, valid_from, valid_until, may_ship, may_pick_up, may_pay_online, adult_signature, ground_only, reason, source) VALUES
    ('00000000-0000-7000-8000-000000000001', 'general_merchandise', '*', '2026-11-01', NULL, TRUE, TRUE, TRUE, FALSE, FALSE, '', 'Shipping policy of 2026-11-01: general merchandise'),
    ('00000000-0000-7000-8000-000000000002', 'smoking_accessory', '*', '2026-11-01', NULL, TRUE, TRUE, TRUE, TRUE, FALSE, '', 'Shipping policy of 2026-11-01: smoking accessories'),
    ('00000000-0000-7000-8000-000000000003', 'lighter_fluid_hazmat', '*', '2026-11-01', NULL, TRUE, TRUE, TRUE, TRUE, TRUE, '', 'Shipping policy of 2026-11-01: fuel'),
    ('00000000-0000-7000-8000-000000000004', 'lighter_fluid_hazmat', 'AK', '2026-11-01', NULL, FALSE, FALSE, FALSE, TRUE, TRUE, 'Fuel travels by ground only, and no ground service reaches Alaska.', 'Shipping policy of 2026-11-01: fuel'),
    ('00000000-0000-7000-8000-000000000005', 'lighter_fluid_hazmat', 'HI', '2026-11-01', NULL, FALSE, FALSE, FALSE, TRUE, TRUE, 'Fuel travels by ground only, and no ground service reaches Hawaii.', 'Shipping policy of 2026-11-01: fuel'),
    ('00000000-0000-7000-8000-000000000006', 'rolling_papers', '*', '2026-11-01', NULL, FALSE, FALSE, FALSE, TRUE, FALSE, 'Rolling papers are handed over in our store only, where we check an ID.', 'Ohio Revised Code 2927.02 (age verification of sales over the internet)'),
    ('00000000-0000-7000-8000-000000000007', 'rolling_papers', 'OH', '2026-11-01', NULL, FALSE, TRUE, FALSE, TRUE, FALSE, 'Rolling papers are handed over in our store only, where we check an ID.', 'Ohio Revised Code 2927.02 (age verification of sales over the internet)');

-- Ways to get an order. Zones tell states apart by distance; 'pickup' has none.
CREATE TABLE shipping_methods (
    code TEXT NOT NULL PRIMARY KEY,
    name TEXT NOT NULL,
    estimate TEXT NOT NULL,
    kind TEXT NOT NULL,
    by_air BOOLEAN NOT NULL,
    signature_fee BIGINT NOT NULL,
    position BIGINT NOT NULL,
    CONSTRAINT shipping_methods_kind_check CHECK (kind IN ('ship', 'pickup')),
    CONSTRAINT shipping_methods_signature_fee_check CHECK (signature_fee >= 0)
);

CREATE TABLE shipping_zones (
    state TEXT NOT NULL PRIMARY KEY,
    zone TEXT NOT NULL
);

-- The price of a parcel up to a weight.
CREATE TABLE shipping_rates (
    method TEXT NOT NULL REFERENCES shipping_methods (code) ON DELETE CASCADE,
    zone TEXT NOT NULL,
    up_to_grams BIGINT NOT NULL,
    price BIGINT NOT NULL,
    PRIMARY KEY (method, zone, up_to_grams),
    CONSTRAINT shipping_rates_price_check CHECK (price >= 0 AND up_to_grams > 0)
);

INSERT INTO shipping_methods (code, name, estimate, kind, by_air, signature_fee, position) VALUES
    ('ground', 'Ground', '2 to 7 business days', 'ship', FALSE, 400, 0),
    ('expedited', 'Expedited', '2 business days', 'ship', TRUE, 400, 1),
    ('pickup', 'Pick up in our store', 'Ready within one business day', 'pickup', FALSE, 0, 2);

INSERT INTO shipping_zones (state, zone) VALUES
    ('OH', 'near'), ('IN', 'near'), ('KY', 'near'), ('MI', 'near'), ('PA', 'near'), ('WV', 'near'),
    ('AL', 'mid'), ('AR', 'mid'), ('CT', 'mid'), ('DC', 'mid'), ('DE', 'mid'), ('FL', 'mid'), ('GA', 'mid'), ('IA', 'mid'),
    ('IL', 'mid'), ('KS', 'mid'), ('LA', 'mid'), ('MA', 'mid'), ('MD', 'mid'), ('ME', 'mid'), ('MN', 'mid'), ('MO', 'mid'),
    ('MS', 'mid'), ('NC', 'mid'), ('ND', 'mid'), ('NE', 'mid'), ('NH', 'mid'), ('NJ', 'mid'), ('NY', 'mid'), ('OK', 'mid'),
    ('RI', 'mid'), ('SC', 'mid'), ('SD', 'mid'), ('TN', 'mid'), ('VA', 'mid'), ('VT', 'mid'), ('WI', 'mid'),
    ('AZ', 'far'), ('CA', 'far'), ('CO', 'far'), ('ID', 'far'), ('MT', 'far'), ('NM', 'far'), ('NV', 'far'), ('OR', 'far'),
    ('TX', 'far'), ('UT', 'far'), ('WA', 'far'), ('WY', 'far'),
    ('AK', 'beyond'), ('HI', 'beyond');

INSERT INTO shipping_rates (method, zone, up_to_grams, price) VALUES
    ('ground', 'near', 500, 695), ('ground', 'near', 2000, 895), ('ground', 'near', 10000, 1495), ('ground', 'near', 30000, 2895),
    ('ground', 'mid', 500, 795), ('ground', 'mid', 2000, 1095), ('ground', 'mid', 10000, 1895), ('ground', 'mid', 30000, 3695),
    ('ground', 'far', 500, 895), ('ground', 'far', 2000, 1295), ('ground', 'far', 10000, 2395), ('ground', 'far', 30000, 4495),
    ('ground', 'beyond', 500, 1695), ('ground', 'beyond', 2000, 2495), ('ground', 'beyond', 10000, 4995), ('ground', 'beyond', 30000, 9995),
    ('expedited', 'near', 500, 1495), ('expedited', 'near', 2000, 1895), ('expedited', 'near', 10000, 3495),
    ('expedited', 'mid', 500, 1895), ('expedited', 'mid', 2000, 2495), ('expedited', 'mid', 10000, 4995),
    ('expedited', 'far', 500, 2295), ('expedited', 'far', 2000, 3195), ('expedited', 'far', 10000, 6495);

-- county '' is the whole state. Rates of a state without rows are nothing: the shop is not registered there.
CREATE TABLE tax_rates (
    id UUID NOT NULL PRIMARY KEY,
    state TEXT NOT NULL,
    county TEXT NOT NULL,
    rate BIGINT NOT NULL,
    taxes_shipping BOOLEAN NOT NULL,
    valid_from TEXT NOT NULL,
    valid_until TEXT,
    source TEXT NOT NULL,
    CONSTRAINT tax_rates_validity_key UNIQUE (state, county, valid_from),
    CONSTRAINT tax_rates_rate_check CHECK (rate >= 0 AND rate <= 1000000)
);

-- Which county a ZIP code's sales belong to, where a state taxes by destination.
CREATE TABLE tax_counties (
    state TEXT NOT NULL,
    postal_code TEXT NOT NULL,
    county TEXT NOT NULL,
    PRIMARY KEY (state, postal_code)
);

INSERT INTO tax_rates (id, state, county, rate, taxes_shipping, valid_from, valid_until, source) VALUES
    ('00000000-0000-7000-8000-000000000101', 'OH', '', 57500, TRUE, '2013-09-01', NULL, 'Ohio Revised Code 5739.02: 5.75 %'),
    ('00000000-0000-7000-8000-000000000102', 'OH', 'Franklin', 22500, TRUE, '2025-04-01', NULL, 'Ohio Department of Taxation, permissive rates: Franklin 2.25 % with transit');

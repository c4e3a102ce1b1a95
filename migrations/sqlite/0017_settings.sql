-- What staff set: tables of prices and rules get a version and a history, texts of the shop move into the database.

-- One row for each part of the settings. Whoever changes a part names the version that they saw. value is a JSON object of what
-- overrides the environment or the built-in texts; parts with tables of their own leave it empty.
CREATE TABLE settings (
    name TEXT NOT NULL PRIMARY KEY,
    value TEXT NOT NULL,
    version BIGINT NOT NULL,
    updated_at BIGINT NOT NULL
);
INSERT INTO settings (name, value, version, updated_at) VALUES
    ('company', '{}', 1, 0), ('mail', '{}', 1, 0), ('shipping', '{}', 1, 0), ('tax', '{}', 1, 0), ('compliance', '{}', 1, 0);

ALTER TABLE promo_codes ADD COLUMN version BIGINT NOT NULL DEFAULT 1;
ALTER TABLE promo_codes ADD COLUMN created_at BIGINT NOT NULL DEFAULT 0;
CREATE INDEX promo_codes_created_at_idx ON promo_codes (created_at, id);
CREATE INDEX promo_codes_used_idx ON promo_codes (used, id);

-- A rule that is corrected on its first day ends on it and has held on no day, so that two may begin on one day. A rule without an end
-- is the last of its class and state. The excise is parts per million of the price, and minor units per unit sold.
CREATE TABLE compliance_rules_new (
    id BLOB NOT NULL PRIMARY KEY,
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
    excise_name TEXT NOT NULL DEFAULT '',
    excise_ppm BIGINT NOT NULL DEFAULT 0,
    excise_per_unit BIGINT NOT NULL DEFAULT 0,
    CONSTRAINT compliance_rules_state_check CHECK (state = '*' OR length(state) = 2),
    CONSTRAINT compliance_rules_excise_check CHECK (excise_ppm >= 0 AND excise_ppm <= 1000000 AND excise_per_unit >= 0)
);
INSERT INTO compliance_rules_new (id, class, state, valid_from, valid_until, may_ship, may_pick_up, may_pay_online, adult_signature,
    ground_only, reason, source)
    SELECT id, class, state, valid_from, valid_until, may_ship, may_pick_up, may_pay_online, adult_signature, ground_only, reason, source
    FROM compliance_rules;
DROP TABLE compliance_rules;
ALTER TABLE compliance_rules_new RENAME TO compliance_rules;
CREATE UNIQUE INDEX compliance_rules_open_idx ON compliance_rules (class, state) WHERE valid_until IS NULL;

CREATE TABLE tax_rates_new (
    id BLOB NOT NULL PRIMARY KEY,
    state TEXT NOT NULL,
    county TEXT NOT NULL,
    rate BIGINT NOT NULL,
    taxes_shipping BOOLEAN NOT NULL,
    valid_from TEXT NOT NULL,
    valid_until TEXT,
    source TEXT NOT NULL,
    CONSTRAINT tax_rates_rate_check CHECK (rate >= 0 AND rate <= 1000000)
);
INSERT INTO tax_rates_new (id, state, county, rate, taxes_shipping, valid_from, valid_until, source)
    SELECT id, state, county, rate, taxes_shipping, valid_from, valid_until, source FROM tax_rates;
DROP TABLE tax_rates;
ALTER TABLE tax_rates_new RENAME TO tax_rates;
CREATE UNIQUE INDEX tax_rates_open_idx ON tax_rates (state, county) WHERE valid_until IS NULL;

-- Published texts, never changed: the one whose day has come last is in force. Before the first stands the built-in one.
CREATE TABLE legal_versions (
    id BLOB NOT NULL PRIMARY KEY,
    document TEXT NOT NULL,
    number BIGINT NOT NULL,
    title TEXT NOT NULL,
    body TEXT NOT NULL,
    effective_from TEXT NOT NULL,
    published_at BIGINT NOT NULL,
    published_by BLOB NOT NULL REFERENCES users (id),
    CONSTRAINT legal_versions_number_key UNIQUE (document, number)
);
CREATE INDEX legal_versions_published_by_idx ON legal_versions (published_by);

CREATE TABLE legal_drafts (
    document TEXT NOT NULL PRIMARY KEY,
    title TEXT NOT NULL,
    body TEXT NOT NULL,
    version BIGINT NOT NULL,
    updated_at BIGINT NOT NULL
);

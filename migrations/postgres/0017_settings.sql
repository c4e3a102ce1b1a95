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
ALTER TABLE compliance_rules DROP CONSTRAINT compliance_rules_validity_key;
ALTER TABLE compliance_rules ADD COLUMN excise_name TEXT NOT NULL DEFAULT '';
ALTER TABLE compliance_rules ADD COLUMN excise_ppm BIGINT NOT NULL DEFAULT 0;
ALTER TABLE compliance_rules ADD COLUMN excise_per_unit BIGINT NOT NULL DEFAULT 0;
ALTER TABLE compliance_rules ADD CONSTRAINT compliance_rules_excise_check
    CHECK (excise_ppm >= 0 AND excise_ppm <= 1000000 AND excise_per_unit >= 0);
CREATE UNIQUE INDEX compliance_rules_open_idx ON compliance_rules (class, state) WHERE valid_until IS NULL;

ALTER TABLE tax_rates DROP CONSTRAINT tax_rates_validity_key;
CREATE UNIQUE INDEX tax_rates_open_idx ON tax_rates (state, county) WHERE valid_until IS NULL;

-- Published texts, never changed: the one whose day has come last is in force. Before the first stands the built-in one.
CREATE TABLE legal_versions (
    id UUID NOT NULL PRIMARY KEY,
    document TEXT NOT NULL,
    number BIGINT NOT NULL,
    title TEXT NOT NULL,
    body TEXT NOT NULL,
    effective_from TEXT NOT NULL,
    published_at BIGINT NOT NULL,
    published_by UUID NOT NULL REFERENCES users (id),
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

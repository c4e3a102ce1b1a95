// A committed migration never changes, and since 0022 none breaks the previous release or blocks running work.
//
//   node tests/check-migrations.mjs         checks
//   node tests/check-migrations.mjs --add   also lists the files that are not listed yet
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";

const LIST = "migrations/checksums.txt";
/** From this number on a migration may only add: nodes of the previous release use the same tables. */
const FIRST_ADDITIVE = 22;
/** See migrations/README.md. */
const NEVER_USED = new Set([16]);
/** They never change either: 0022 makes an index on jobs, which holds up all writers, and 0027 deletes sessions of staff. */
const CHECKED_LATER = new Set([22, 27]);
/** Tables that do not grow with products, orders, visits or accounts. */
const SMALL = new Set(
  `builds categories collections compliance_classes compliance_rules endpoints legal_drafts legal_versions promo_codes
  provider_watermarks rollups saved_views schema_needs search_term_fills settings shipping_methods shipping_rates shipping_zones
  tax_counties tax_rates writer_checks`.split(/\s+/),
);
const TABLE = /^CREATE TABLE (?:IF NOT EXISTS )?(\w+)/i;
const ALTER = /^ALTER TABLE (?:IF EXISTS )?(?:ONLY )?([\w.]+) (.*)/i;
const INDEX =
  /^CREATE (?<unique>UNIQUE )?INDEX (?<concurrently>CONCURRENTLY )?(?:IF NOT EXISTS )?(?:\w+ )?ON (?:ONLY )?(?<table>[\w.]+)/i;
const WRITE = /^(?:WITH .* )?(?:UPDATE (?!SET )|DELETE FROM )(?:ONLY )?([\w.]+)/i;
/** What this check must accept, and what it must not: one fault each. */
const GOOD = [
  "CREATE TABLE t (a INT NOT NULL); CREATE UNIQUE INDEX t_a_idx ON t (a); ALTER TABLE t ADD CHECK (a > 0); UPDATE t SET a = 1",
  "ALTER TABLE orders ADD COLUMN a NUMERIC(3, 2) CHECK (a IN (1, 2)), ADD b INT NOT NULL DEFAULT 0",
  "-- DROP TABLE orders;\nALTER TABLE orders ADD a TEXT NOT NULL DEFAULT 'it''s; DROP TABLE t, ADD b INT NOT NULL'",
  "CREATE FUNCTION f() RETURNS trigger AS $$\nBEGIN\n  DELETE FROM orders;\n  RETURN NULL;\nEND;\n$$; INSERT INTO orders (a) VALUES (1)",
  "CREATE TRIGGER f AFTER INSERT ON orders\nBEGIN\n  UPDATE t SET a = CASE WHEN b THEN 1 END;\n  DELETE FROM t;\nEND; UPDATE settings SET a = 1",
  "-- no-transaction\nCREATE INDEX CONCURRENTLY IF NOT EXISTS orders_a_idx ON orders (a)",
];
const BAD = [
  "ALTER TABLE orders ADD COLUMN a INT NOT NULL DEFAULT 0, ADD COLUMN b INT NOT NULL",
  "ALTER TABLE orders ADD b INT CHECK (b <> DEFAULT) NOT NULL",
  "ALTER TABLE orders DROP b",
  "ALTER TABLE orders ADD a INT, RENAME b TO c",
  "ALTER TABLE orders ALTER COLUMN b\n  TYPE BIGINT",
  "ALTER TABLE orders ALTER b SET NOT NULL",
  "ALTER TABLE orders ADD CONSTRAINT c CHECK (a > 0) NOT VALID",
  "ALTER TABLE orders ADD UNIQUE (a, b)",
  "INSERT INTO t (a) VALUES ('-- $$'); DROP TABLE orders",
  "-- no-transaction\nCREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS orders_a_idx ON orders (a)",
  "CREATE INDEX ON orders (a)",
  "CREATE INDEX visits_a_idx ON visits (a)",
  "CREATE INDEX CONCURRENTLY orders_a_idx ON orders (a)",
  "-- no-transaction\nCREATE INDEX CONCURRENTLY orders_a_idx ON orders (a); SELECT 1",
  "UPDATE orders\nSET a = 1",
  'WITH t AS (SELECT 1) DELETE FROM "sessions"',
];
for (const sql of GOOD) assert.deepEqual(faultsOf(sql, "postgres", false), [], sql);
for (const sql of BAD) assert.equal(faultsOf(sql, "postgres", false).length, 1, sql);
assert.deepEqual(faultsOf("ALTER TABLE orders DROP COLUMN a", "postgres", true), []);

const problems = [];
const files = ["sqlite", "postgres"].flatMap((kind) =>
  readdirSync(`migrations/${kind}`).map((name) => `${kind}/${name}`),
);
const text = (file) => readFileSync(`migrations/${file}`, "utf8");
const hash = (file) => createHash("sha256").update(text(file)).digest("hex");
const listed = new Map(
  readFileSync(LIST, "utf8")
    .split("\n")
    .filter(Boolean)
    .map((line) => line.split(/\s+/).reverse()),
);

for (const [file, known] of listed) {
  if (!files.includes(file)) {
    problems.push(`${file} is gone: databases out there have it`);
  } else if (hash(file) !== known) {
    problems.push(`${file} has changed: a committed migration never does; write a new one`);
  }
}
for (const file of files.filter((file) => !listed.has(file))) {
  if (process.argv.includes("--add")) {
    listed.set(file, hash(file));
  } else {
    problems.push(
      `${file} is not listed: when it is ready, run 'node tests/check-migrations.mjs --add' and commit ${LIST}`,
    );
  }
}

/** What a program must know at least, as the migrations up to here say. */
const needs = { sqlite: 0, postgres: 0 };
for (const file of files) {
  const [, kind, digits] = /^(\w+)\/(\d{4})_\w+\.sql$/.exec(file) ?? [];
  if (!kind) {
    problems.push(`${file}: name it like 0025_retention.sql`);
    continue;
  }
  const twin = file.replace(kind, kind === "sqlite" ? "postgres" : "sqlite");
  if (!files.includes(twin)) problems.push(`${file}: the other database has no ${twin}`);
  const number = Number(digits);
  if (number < FIRST_ADDITIVE || CHECKED_LATER.has(number)) continue;
  for (const statement of statementsOf(text(file))) {
    const [, needed] = /^UPDATE schema_needs SET migration = (\d+)/i.exec(statement) ?? [];
    if (needed) needs[kind] = Number(needed);
  }
  const faults = faultsOf(text(file), kind, needs[kind] >= number);
  problems.push(...faults.map((fault) => `${file}: ${fault}`));
}

for (const kind of ["sqlite", "postgres"]) {
  const numbers = files
    .filter((file) => file.startsWith(kind))
    .map((file) => Number(/(\d{4})_/.exec(file)?.[1]));
  numbers.sort((a, b) => a - b);
  let expected = 1;
  for (const number of numbers) {
    while (NEVER_USED.has(expected)) expected += 1;
    if (number !== expected) problems.push(`${kind}: ${number} comes where ${expected} should`);
    expected = number + 1;
  }
}

const lines = [...listed]
  .map(([file, known]) => `${known}  ${file}\n`)
  .sort((a, b) => (a.slice(66) < b.slice(66) ? -1 : 1));
if (process.argv.includes("--add")) writeFileSync(LIST, lines.join(""));
for (const problem of problems) console.error(problem);
console.log(`${files.length} migrations checked, ${problems.length} problems`);
process.exitCode = problems.length ? 1 : 0;

/** What a migration must not do. `contracts`: it declares that previous releases can no longer run. */
function faultsOf(sql, kind, contracts) {
  const statements = statementsOf(sql);
  const made = new Set(statements.map((statement) => TABLE.exec(statement)?.[1]));
  const grows = (table) => table && !made.has(table) && !SMALL.has(table);
  const faults = [];
  for (const statement of statements) {
    const breaking = contracts ? [] : breakingOf(statement, made);
    faults.push(
      ...breaking.map(
        (part) => `'${part}' breaks the release before; expand first, contract later`,
      ),
    );
    const index = INDEX.exec(statement)?.groups;
    if (kind === "postgres" && !index?.concurrently && grows(index?.table)) {
      faults.push(
        `an index on ${index.table} holds up all writers; make it CONCURRENTLY, in a file of its own`,
      );
    }
    const written = WRITE.exec(outsideOf(statement))?.[1];
    if (grows(written)) {
      faults.push(`'${statement}' holds up all writers; let a job do it in batches`);
    }
  }
  if (statements.some((statement) => / CONCURRENTLY /i.test(statement))) {
    if (!sql.startsWith("-- no-transaction\n")) {
      faults.push("its first line must be '-- no-transaction'");
    }
    if (statements.length > 1) {
      faults.push("one statement alone, for several would be one transaction");
    }
  }
  return faults;
}

/** What of a statement the release before may fail with. */
function breakingOf(statement, made) {
  const [, table, changes] = ALTER.exec(statement) ?? [];
  if (table) return made.has(table) ? [] : partsOf(changes, ",").filter(isBreaking);
  const index = INDEX.exec(statement)?.groups;
  const isNarrower = index?.unique && !made.has(index.table);
  const isGone = /^(DROP (?!INDEX)|TRUNCATE |ALTER .* RENAME )/i.test(statement);
  return isNarrower || isGone ? [statement] : [];
}

function isBreaking(change) {
  const plain = outsideOf(change);
  return (
    /^(DROP|RENAME) /i.test(plain) ||
    /^ALTER (COLUMN )?\w+ ((SET DATA )?TYPE |SET NOT NULL|DROP DEFAULT)/i.test(plain) ||
    // What is inserted is checked, even if what is there is not (NOT VALID).
    /^ADD (CONSTRAINT|CHECK|UNIQUE|PRIMARY|FOREIGN|EXCLUDE)\b/i.test(plain) ||
    (/^ADD .* NOT NULL\b/i.test(plain) && !/ (DEFAULT|GENERATED)\b/i.test(plain))
  );
}

/** The statements, each in one line, without comments and the contents of strings. */
function statementsOf(sql) {
  const tokens = /--[^\n]*|\/\*.*?\*\/|'[^']*'|"|\$(\w*)\$.*?\$\1\$|\s+/gs;
  const plain = sql.replaceAll(tokens, (token) => ({ "'": "''", '"': "" })[token[0]] ?? " ");
  const statements = [];
  for (const part of partsOf(plain, ";")) {
    const last = statements.at(-1) ?? "";
    // A trigger of SQLite goes on to the END of its own statements.
    if (/^CREATE TRIGGER .* BEGIN /i.test(last) && !last.endsWith("; END")) {
      statements[statements.length - 1] = `${last}; ${part}`;
    } else {
      statements.push(part);
    }
  }
  return statements;
}

/** What the separator divides outside of parentheses, without blanks around it. */
function partsOf(sql, separator) {
  const parts = [""];
  let depth = 0;
  for (const char of sql) {
    if (char === "(") depth += 1;
    if (char === ")") depth -= 1;
    if (char === separator && depth === 0) parts.push("");
    else parts[parts.length - 1] += char;
  }
  return parts.map((part) => part.replaceAll(/ +/g, " ").trim()).filter(Boolean);
}

/** The text without what is in parentheses. */
function outsideOf(sql) {
  const outer = sql.replaceAll(/ ?\([^()]*\)/g, "");
  return outer === sql ? sql : outsideOf(outer);
}

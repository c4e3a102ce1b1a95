// A committed migration never changes, and since 0022 none breaks the previous release or blocks running work.
//
//   node tests/check-migrations.mjs         checks
//   node tests/check-migrations.mjs --add   also lists the files that are not listed yet
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";

const LIST = "migrations/checksums.txt";
/** From this number on a migration may only add: nodes of the previous release use the same tables. */
const FIRST_ADDITIVE = 22;
/** See migrations/README.md. */
const NEVER_USED = new Set([16]);
/** Tables on which PostgreSQL must create indexes concurrently. */
const LARGE = new Set(
  `activity_events audit_entries cart_items carts delivery_records dispatches order_adjustments order_history order_lines
  order_tax_lines orders payment_attempts product_variants products refunds search_terms sessions stock_levels
  stock_movements stock_reservations users webhook_events`.split(/\s+/),
);

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

for (const file of files) {
  const [, kind, number] = /^(\w+)\/(\d{4})_\w+\.sql$/.exec(file) ?? [];
  if (!kind) {
    problems.push(`${file}: name it like 0025_retention.sql`);
    continue;
  }
  const twin = file.replace(kind, kind === "sqlite" ? "postgres" : "sqlite");
  if (!files.includes(twin)) problems.push(`${file}: the other database has no ${twin}`);
  if (Number(number) < FIRST_ADDITIVE) continue;

  const sql = text(file)
    .split("\n")
    .filter((line) => !line.startsWith("--"))
    .join("\n");
  // A migration that removes something must declare that previous releases can no longer run.
  const contracts = /\bUPDATE\s+schema_needs\b/i.test(sql);
  const takes =
    /\bDROP\s+(TABLE|COLUMN|DEFAULT)\b|\bRENAME\b|\bSET\s+NOT\s+NULL\b|\bALTER\s+COLUMN\b.*\bTYPE\b/i.exec(
      sql,
    );
  if (takes && !contracts) {
    problems.push(`${file}: '${takes[0]}' breaks the release before; expand first, contract later`);
  }
  for (const [column] of sql.matchAll(/\bADD\s+COLUMN\b[^;]*/gi)) {
    if (/\bNOT\s+NULL\b/i.test(column) && !/\bDEFAULT\b/i.test(column)) {
      problems.push(
        `${file}: '${column.trim()}' has no default, so the release before cannot insert`,
      );
    }
  }
  if (kind !== "postgres") continue;
  const made = new Set([...sql.matchAll(/\bCREATE\s+TABLE\s+(\w+)/gi)].map((match) => match[1]));
  for (const [, concurrently, table] of sql.matchAll(
    /\bCREATE\s+(?:UNIQUE\s+)?INDEX\s+(CONCURRENTLY\s+)?(?:IF\s+NOT\s+EXISTS\s+)?\w+\s+ON\s+(\w+)/gi,
  )) {
    if (!concurrently && LARGE.has(table) && !made.has(table)) {
      problems.push(
        `${file}: an index on ${table} holds up all writers; make it CONCURRENTLY, in a file of its own`,
      );
    }
  }
  if (/\bCONCURRENTLY\b/i.test(sql)) {
    if (!text(file).startsWith("-- no-transaction\n")) {
      problems.push(`${file}: its first line must be '-- no-transaction'`);
    }
    if (sql.split(";").filter((part) => part.trim()).length > 1) {
      problems.push(`${file}: one statement alone, for several would be one transaction`);
    }
  }
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

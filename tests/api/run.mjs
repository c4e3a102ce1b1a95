// Calls every operation of the API with generated input, as a guest and in each role, and compares the answers with the API's document:
// responses of another shape, undocumented and 5xx statuses, accepted invalid input and missing access checks are failures.
// node tests/api/run.mjs [cases for each operation]; without a number it takes about a minute, for `make test`.
// Below tests/with-postgres, one shop is on SQLite and one on PostgreSQL.

import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const root = join(import.meta.dirname, "../..");
const binary = process.env.SHOP_BINARY ?? join(root, "target/debug/shop");
const postgres = process.env.TEST_POSTGRES;
const [cases] = process.argv.slice(2);
// Accounts of the demonstration's identity provider. Later ones may block the earlier. In `make test` each uses one database only.
const roles = {
  guest: "SQLite",
  shopper: "PostgreSQL",
  staff: "PostgreSQL",
  admin: "SQLite",
  "super-admin": "PostgreSQL",
};
// These two meet all that the others meet, unless a permission is missing.
const thorough = ["guest", "super-admin"];
const folder = mkdtempSync(join(tmpdir(), "shop-api-"));
const description = join(folder, "openapi.json");
writeFileSync(description, spawnSync(binary, ["openapi"]).stdout);

const shops = [];
try {
  shops.push(start("SQLite", 8801, []));
  if (postgres) shops.push(start("PostgreSQL", 8821, [`--database=${createDatabase()}`]));
  await Promise.all(shops.map(ready));
  for (const [role, database] of Object.entries(roles)) {
    const chosen = shops.filter(({ name }) => cases || !postgres || name === database);
    for (const shop of chosen) test(shop, role);
  }
} finally {
  for (const { server } of shops) server.kill();
  await Promise.all(shops.map(({ ended }) => ended));
  rmSync(folder, { recursive: true });
}

function start(name, port, database) {
  const args = [`--port=${port}`, `--data=${join(folder, name)}`, "--isolates=1", ...database];
  const server = spawn(binary, ["demo", ...args], { stdio: ["ignore", "ignore", "inherit"] });
  const ended = new Promise((resolve) => server.once("exit", resolve));
  return { name, server, ended, origin: `http://localhost:${port}` };
}

/** Its own, since a server that is there already may have those of earlier runs. */
function createDatabase() {
  const name = `shop_api_${Date.now()}`;
  const statement = `--command=CREATE DATABASE ${name}`;
  const made = spawnSync("psql", [`${postgres}/postgres`, "--quiet", statement], {
    stdio: "inherit",
  });
  if (made.status !== 0) throw new Error("psql has made no database");
  return `${postgres}/${name}`;
}

function test({ name, origin }, role) {
  console.log(`\nAs ${role}, on ${name}:`);
  const phases =
    cases || thorough.includes(role) ? "coverage,fuzzing,stateful" : "fuzzing,stateful";
  const run = spawnSync(
    join(root, "target/api-test/bin/schemathesis"),
    [
      `--config-file=${import.meta.dirname}/schemathesis.toml`,
      "run",
      description,
      `--url=${origin}`,
      `--phases=${phases}`,
      `--max-examples=${cases ?? 3}`,
      `--seed=${cases ? Date.now() : 1}`,
      "--generation-database=none",
      "--request-timeout=30",
      "--no-color",
    ],
    {
      // It keeps what it has found in its folder.
      cwd: folder,
      env: {
        ...process.env,
        SHOP_ORIGIN: origin,
        SHOP_ACCOUNT: role === "guest" ? "" : role,
        PYTHONPATH: import.meta.dirname,
        PYTHONDONTWRITEBYTECODE: "1",
      },
      stdio: "inherit",
    },
  );
  if (run.status !== 0) process.exitCode = 1;
}

async function ready({ ended, origin }) {
  let exited = false;
  ended.then(() => {
    exited = true;
  });
  while (!exited) {
    const answer = await fetch(`${origin}/readyz`).catch(() => null);
    if (answer?.ok) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error("the shop ended before it was ready");
}

// Calls every operation of the API with generated input, as a guest and in each role, and compares the answers with the API's document:
// responses of another shape, undocumented and 5xx statuses, accepted invalid input and missing access checks are failures.
// node tests/api/run.mjs [cases for each operation]; without a number it takes about a minute, for `make test`.

import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const root = new URL("../..", import.meta.url).pathname;
const binary = process.env.SHOP_BINARY ?? `${root}target/debug/shop`;
const [cases] = process.argv.slice(2);
// Accounts of the demonstration's identity provider. Later ones may block the earlier.
const roles = ["guest", "shopper", "staff", "admin", "super-admin"];
// These two meet all that the others meet, unless a permission is missing.
const thorough = ["guest", "super-admin"];
const port = 8801;
const origin = `http://localhost:${port}`;
const data = mkdtempSync(join(tmpdir(), "shop-api-"));
const description = join(data, "openapi.json");
writeFileSync(description, spawnSync(binary, ["openapi"]).stdout);

const shop = spawn(binary, ["demo", `--port=${port}`, `--data=${data}`, "--isolates=1"], {
  stdio: ["ignore", "ignore", "inherit"],
});
const ended = new Promise((resolve) => shop.once("exit", resolve));
try {
  await ready();
  for (const role of roles) {
    console.log(`\nAs ${role}:`);
    const phases =
      cases || thorough.includes(role) ? "coverage,fuzzing,stateful" : "fuzzing,stateful";
    const run = spawnSync(
      `${root}target/api-test/bin/schemathesis`,
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
        cwd: data,
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
} finally {
  shop.kill();
  await ended;
  rmSync(data, { recursive: true });
}

async function ready() {
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

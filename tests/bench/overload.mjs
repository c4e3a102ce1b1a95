// How a shop on one core answers while far more pages are asked for than it can make: how long kept pages and the cart take,
// and when new pages are made again.
//
//   node tests/bench/overload.mjs [binary]
//
// Needs two cores and wrk.

import { execFile, execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { promisify } from "node:util";
import { Server } from "./peers/server.mjs";

const binary = resolve(process.argv[2] ?? "target/release/shop");
const port = 8789;
const origin = `http://127.0.0.1:${port}`;
const SECONDS = 8;
/** Visitors who wait for nobody: each asks again once it is answered, also after a refusal. */
const FLOOD = 640;
const FEW = 4;
const run = promisify(execFile);
const data = mkdtempSync(join(tmpdir(), "shop-overload-"));
const args = ["demo", "--empty", "--port", String(port), "--data", data, "--isolates", "1"];
const shop = new Server({ command: binary, args }, "0");
execFileSync("taskset", ["-cp", "1", String(process.pid)], { stdio: "ignore" });
let number = 100_000;

try {
  while ((await status("/readyz").catch(() => 0)) !== 200) {
    shop.assertRunning();
    await wait(50);
  }
  await shop.quiet();
  const pages = "/products?max_price=@";
  await load(pages, 32);
  console.log(`new lists: ${rate(await load(pages, 32))}/s`);
  for (const path of ["/products", "/cart"]) {
    const before = await load(path, FEW);
    const [flood, during] = await Promise.all([load(pages, FLOOD), load(path, FEW)]);
    const refused = flood.errors.status;
    const made = flood.requests - refused;
    console.log(
      `${path}, 99% within: ${ms(before.p99)}, during the flood ${ms(during.p99)} (${during.errors.status} refused)\n` +
        `  the flood: ${(made / SECONDS).toFixed(0)}/s made, ${(refused / SECONDS).toFixed(0)}/s refused`,
    );
    const began = performance.now();
    while ((await status(pages.replace("@", String(number++)))) !== 200);
    console.log(`  a new list after the flood: ${(performance.now() - began).toFixed(0)} ms`);
  }
} finally {
  await shop.stop();
  rmSync(data, { recursive: true });
}

async function load(path, connections) {
  number = 100_000 + ((number + 150_000) % 800_000);
  const script = join(import.meta.dirname, "peers/load.lua");
  const options = ["-t1", `-c${connections}`, `-d${SECONDS}s`, "--timeout", "10s", "-s", script];
  const { stdout } = await run("wrk", [...options, origin, "--", path, String(number)]);
  shop.assertRunning();
  return JSON.parse(stdout.trim().split("\n").at(-1));
}

async function status(path) {
  const response = await fetch(origin + path, { redirect: "manual" });
  await response.arrayBuffer();
  return response.status;
}

function rate({ requests }) {
  return (requests / SECONDS).toFixed(0);
}

function ms(microseconds) {
  return `${(microseconds / 1000).toFixed(1)} ms`;
}

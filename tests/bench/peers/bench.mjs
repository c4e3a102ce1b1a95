// The shop beside other ways to host its pages. README.md says what is measured and what is not.
//
//   node tests/bench/peers/bench.mjs [--only list,product] [--modes fresh,kept] [--peers shop,bun] [--rounds 3]
//     [--seconds 10] [--warm 4] [--readme]
//
// SHOP_BINARY is the shop's binary, target/release/shop if it is not set. With --readme the result is kept under its
// date and its tables go into README.md, else it is results/last.json.

import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { cpus, loadavg, release, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { pagesFile, work } from "./build.mjs";
import { capture } from "./capture.mjs";
import { check, requestOf } from "./check.mjs";
import { get } from "./http.mjs";
import { load } from "./load.mjs";
import { isPacked, rowsOf } from "./pages.mjs";
import { ORIGIN, PORT, peers, shopCommand } from "./peers.mjs";
import { table, writeReadme } from "./report.mjs";
import { Server } from "./server.mjs";

const SERVER_CORE = "0";
const GENERATOR_CORE = "1";

const { values } = parseArgs({
  options: {
    only: { type: "string" },
    modes: { type: "string" },
    peers: { type: "string" },
    rounds: { type: "string", default: "3" },
    seconds: { type: "string", default: "10" },
    warm: { type: "string", default: "4" },
    readme: { type: "boolean", default: false },
  },
});
const listed = (text) => text?.split(",");
const rows = rowsOf({ only: listed(values.only), modes: listed(values.modes) });
const chosen = peers.filter(({ name }) => listed(values.peers)?.includes(name) ?? true);
const [rounds, seconds, warm] = [values.rounds, values.seconds, values.warm].map(Number);

const data = mkdtempSync(join(tmpdir(), "shop-peers-"));
const results = { when: new Date().toISOString(), machine: machine(), rounds, seconds, warm };
results.peers = chosen.map(({ name, title }) => ({ name, title, starts: [], rows: {} }));
try {
  const captured = await capturePages();
  for (const peer of chosen) {
    console.error(`building ${peer.name}`);
    await peer.build(captured);
  }
  execFileSync("taskset", ["-cp", GENERATOR_CORE, String(process.pid)], { stdio: "ignore" });
  for (let round = 0; round < rounds; round++) {
    // There and back, so that no peer always comes after the same other.
    for (const peer of round % 2 ? chosen.toReversed() : chosen) {
      console.error(`round ${round + 1}: ${peer.name}`);
      await measure(peer, captured);
    }
  }
} finally {
  rmSync(data, { recursive: true, force: true });
}
const file = values.readme ? `${results.when.slice(0, 16).replace(":", "")}.json` : "last.json";
const path = join(import.meta.dirname, "results", file);
mkdirSync(join(import.meta.dirname, "results"), { recursive: true });
writeFileSync(path, `${JSON.stringify(results, null, 1)}\n`);
console.log(table(results));
if (values.readme) writeReadme(results);

/** Starts the shop for a moment and asks it for the pages. */
async function capturePages() {
  const shop = new Server(shopCommand(data));
  try {
    await answered(shop, "/healthz");
    const captured = await capture(ORIGIN);
    mkdirSync(work, { recursive: true });
    writeFileSync(pagesFile, JSON.stringify(captured.known));
    return captured;
  } finally {
    await shop.stop();
  }
}

/** One round of one peer: cold start, memory, and all rows. */
async function measure(peer, captured) {
  const result = results.peers.find(({ name }) => name === peer.name);
  const own = rows.filter((row) => peer.rows?.(row) ?? true);
  if (own.length === 0) return;
  const began = performance.now();
  const server = new Server(peer.start({ data }), SERVER_CORE);
  try {
    const first = requestOf(peer, own[0], captured.cookies);
    await answered(server, first.path.replace("@", "123456"), { cookie: first.headers.cookie });
    const start = { milliseconds: performance.now() - began };
    await server.quiet();
    start.idle = server.memory();
    for (const row of own) await measureRow(server, peer, row, captured, result);
    await server.quiet();
    start.after = server.memory();
    result.starts.push(start);
  } catch (error) {
    console.error(`${peer.name}: ${error.message}`);
    [result.failed] = error.message.split("\n");
  } finally {
    await server.stop();
  }
}

async function measureRow(server, peer, row, captured, result) {
  result.rows[row.name] ??= { runs: [] };
  const cell = result.rows[row.name];
  try {
    cell.answer = await check(peer, row, captured);
    const bytes = cell.answer.sent;
    const packed = isPacked(row.mode);
    const request = { ...requestOf(peer, row, captured.cookies), bytes, packed };
    await load(server, { ...request, seconds: warm });
    const run = await load(server, { ...request, seconds });
    cell.runs.push(run);
    console.error(
      `  ${row.name}: ${run.perSecond.toFixed(0)}/s, ${run.processorPer1000.toFixed(2)} s`,
    );
  } catch (error) {
    [cell.invalid] = error.message.split("\n");
    console.error(`  ${row.name}: ${cell.invalid}`);
    server.assertRunning();
  }
}

/** Waits, without a pause, until the server answers with 200. */
async function answered(server, path, headers = {}) {
  for (;;) {
    server.assertRunning();
    try {
      const { status } = await get(`http://127.0.0.1:${PORT}${path}`, headers);
      if (status === 200) return;
      throw new Error(`${path} was answered with ${status}`);
    } catch (error) {
      if (error.code !== "ECONNREFUSED" && error.code !== "ECONNRESET") throw error;
      await new Promise(setImmediate);
    }
  }
}

function machine() {
  const memory = /MemTotal:\s+(\d+)/.exec(readFileSync("/proc/meminfo", "utf8"))[1];
  return {
    processor: cpus()[0].model,
    cores: cpus().length,
    memoryGiB: Math.round(memory / 1024 / 1024),
    kernel: release(),
    loadBefore: loadavg()[0],
  };
}

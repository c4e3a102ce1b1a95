// Resident memory of a running shop: idle, after rendering 1,000 pictures, after 2,000 lists that were not cached, and after 100,000.
//
//   node tests/bench/memory.mjs [binary] [lists]

import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { Agent, get } from "node:http";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as wait } from "node:timers/promises";

const binary = resolve(process.argv[2] ?? "target/release/shop");
const lists = Number(process.argv[3] ?? 100_000);
const port = 8795;
const visitors = 8;
const data = mkdtempSync(join(tmpdir(), "shop-memory-"));
const shop = spawn(binary, ["demo", "--empty", "--port", port, "--data", data], {
  stdio: "ignore",
});
const agent = new Agent({ keepAlive: true, maxSockets: visitors });

try {
  while ((await status("/readyz").catch(() => 0)) !== 200) await wait(50);
  // The isolates continue to warm up while there are no requests.
  await quiet();
  report("idle");
  const names = await pictures();
  await each(names.length, (step) => status(`/images/${names[step]}`));
  report(`${names.length} pictures`);
  const began = performance.now();
  await each(lists, async (step) => {
    // Every price range is a different page, so none is cached.
    const answer = await status(
      `/products?min_price=${1 + (step % 10)}&max_price=${1000 + Math.floor(step / 10)}`,
    );
    const made = step + 1;
    if (made === 2000 || made % (lists / 5) === 0) report(`${made} lists`);
    return answer;
  });
  const seconds = (performance.now() - began) / 1000;
  report(`${lists} lists, ${(lists / seconds).toFixed(0)}/s`);
  await quiet();
  report("idle again");
} finally {
  shop.kill("SIGKILL");
  agent.destroy();
  rmSync(data, { recursive: true });
}

/** Visits pages with several concurrent visitors. */
async function each(steps, visit) {
  let next = 0;
  const visitor = async () => {
    while (next < steps) {
      const answer = await visit(next++);
      if (answer !== 200) throw new Error(`the shop answered ${answer}`);
    }
  };
  await Promise.all(Array.from({ length: visitors }, visitor));
}

/** Names of 1,000 renditions of the product pictures, in all widths and formats. */
async function pictures() {
  const keys = new Set();
  const sitemap = await plain("/sitemap.xml");
  for (const [, path] of sitemap.matchAll(/<loc>[^<]*(\/product\/[^<]+)<\/loc>/g)) {
    for (const [, key] of (await plain(path)).matchAll(/\/images\/([0-9a-f]{20})-/g)) keys.add(key);
  }
  const forms = [160, 320, 480, 640, 960, 1280].flatMap((width) => [
    `${width}.avif`,
    `${width}.webp`,
  ]);
  const names = [...keys].flatMap((key) => forms.map((form) => `${key}-${form}`));
  return names.slice(0, 1000);
}

async function status(path) {
  return (await ask(path, "gzip, br")).status;
}

async function plain(path) {
  return (await ask(path, "identity")).text;
}

function ask(path, encodings) {
  return new Promise((resolve, reject) => {
    get({ port, path, agent, headers: { "accept-encoding": encodings } }, (response) => {
      const parts = [];
      response.on("data", (part) => parts.push(part));
      response.on("end", () =>
        resolve({ status: response.statusCode, text: Buffer.concat(parts).toString() }),
      );
      response.on("error", reject);
    }).on("error", reject);
  });
}

/** Waits until the process uses no more than 2% of a core over five seconds: a shop at rest first returns memory. */
async function quiet() {
  let used = Number.POSITIVE_INFINITY;
  while (used > 10) {
    const before = ticks();
    await wait(5000);
    used = ticks() - before;
  }
}

function ticks() {
  const fields = readFileSync(`/proc/${shop.pid}/stat`, "utf8").split(") ")[1].split(" ");
  return Number(fields[11]) + Number(fields[12]);
}

function report(when) {
  const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${shop.pid}/status`, "utf8"));
  console.log(`${when}: ${(kilobytes / 1024).toFixed(0)} MiB`);
}

// Resident memory of a running shop, idle and after 100,000 different lists: node tests/bench/memory.mjs [binary] [renders]

import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { Agent, get } from "node:http";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as wait } from "node:timers/promises";

const binary = resolve(process.argv[2] ?? "target/release/shop");
const renders = Number(process.argv[3] ?? 100_000);
const port = 8795;
const visitors = 8;
const data = mkdtempSync(join(tmpdir(), "shop-memory-"));
const shop = spawn(binary, ["demo", "--empty", "--port", port, "--data", data], {
  stdio: "ignore",
});
const agent = new Agent({ keepAlive: true, maxSockets: visitors });

try {
  while ((await status("/readyz").catch(() => 0)) !== 200) await wait(50);
  // The isolates go on warming up while nobody asks for anything.
  await quiet();
  report("idle");
  let next = 0;
  const began = performance.now();
  const visitor = async () => {
    while (next < renders) {
      const step = next++;
      // Every price range is a page of its own, so none comes out of a cache.
      const answer = await status(
        `/products?min_price=${1 + (step % 10)}&max_price=${1000 + Math.floor(step / 10)}`,
      );
      if (answer !== 200) throw new Error(`the shop answered ${answer}`);
      if (step > 0 && step % (renders / 5) === 0) report(`${step} renders`);
    }
  };
  await Promise.all(Array.from({ length: visitors }, visitor));
  const seconds = (performance.now() - began) / 1000;
  report(`${renders} renders, ${(renders / seconds).toFixed(0)}/s`);
  await quiet();
  report("idle again");
} finally {
  shop.kill("SIGKILL");
  agent.destroy();
  rmSync(data, { recursive: true });
}

function status(path) {
  return new Promise((resolve, reject) => {
    get({ port, path, agent, headers: { "accept-encoding": "identity" } }, (response) => {
      response.resume();
      response.on("end", () => resolve(response.statusCode));
      response.on("error", reject);
    }).on("error", reject);
  });
}

/** Until the process has used no more than 2% of a core over a second. */
async function quiet() {
  let used = Number.POSITIVE_INFINITY;
  while (used > 2) {
    const before = ticks();
    await wait(1000);
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

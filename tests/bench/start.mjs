// Cold start: from the start of the process to the last byte of the first product list, compared with `node -e 0`.
// node tests/bench/start.mjs [binary] [runs]

import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const binary = resolve(process.argv[2] ?? "target/release/shop");
const runs = Number(process.argv[3] ?? 15);
const port = 8794;
const data = mkdtempSync(join(tmpdir(), "shop-start-"));

try {
  // The first start creates and seeds the database, which a cold start already has.
  await start();
  const shop = [];
  const node = [];
  for (let run = 0; run < runs; run++) {
    node.push(timed(() => spawnSync(process.execPath, ["-e", "0"])));
    shop.push(await start());
  }
  console.log(`node -e 0           ${show(node)}`);
  console.log(`first product list  ${show(shop)}`);
  console.log(`ratio of the medians ${(median(shop) / median(node)).toFixed(2)}`);
} finally {
  rmSync(data, { recursive: true });
}

function timed(run) {
  const began = performance.now();
  run();
  return performance.now() - began;
}

async function start() {
  const began = performance.now();
  const shop = spawn(binary, ["demo", "--empty", "--port", port, "--data", data], {
    stdio: "ignore",
  });
  const ended = new Promise((resolve) => shop.once("exit", resolve));
  try {
    await productList(ended);
    return performance.now() - began;
  } finally {
    shop.kill("SIGKILL");
    await ended;
  }
}

/** The server binds its port before it is ready: an accepted connection gets its response once the server is ready. */
async function productList(ended) {
  let over = false;
  ended.then(() => {
    over = true;
  });
  while (!over) {
    try {
      const response = await fetch(`http://127.0.0.1:${port}/products`);
      const html = await response.text();
      if (response.status === 200 && html.includes('class="card')) return;
      throw new Error(`the shop answered ${response.status}`);
    } catch (error) {
      if (error.cause?.code !== "ECONNREFUSED") throw error;
      await new Promise(setImmediate);
    }
  }
  throw new Error("the shop ended");
}

function median(values) {
  return values.toSorted((a, b) => a - b)[values.length >> 1];
}

function show(values) {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  return `median ${median(values).toFixed(1)} ms (${least.toFixed(1)} to ${most.toFixed(1)})`;
}

// How long a visitor waits for the pictures in view of the first list, and how long others wait for kept pages while
// 64 visitors ask for renditions that nobody has asked for yet.
//
//   node tests/bench/pictures.mjs [binary] [runs]
//
// Needs wrk, and the browser of the tests.

import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { promisify } from "node:util";
import { chromium } from "@playwright/test";
import { args, executablePath } from "../browser/chromium.mjs";
import { Server } from "./peers/server.mjs";

const binary = resolve(process.argv[2] ?? "target/release/shop");
const runs = Number(process.argv[3] ?? 5);
const port = 8791;
const origin = `http://127.0.0.1:${port}`;
const SHOPPERS = 64;
const SECONDS = 8;
const run = promisify(execFile);
const data = mkdtempSync(join(tmpdir(), "shop-pictures-"));
const browser = await chromium.launch({ executablePath, args });

try {
  const [fresh, warm] = [[], []];
  for (let each = 0; each < runs; each++) {
    rmSync(join(data, "renditions"), { recursive: true, force: true });
    await serving(async (shop) => {
      fresh.push(await picturesStand());
      // What is made in the background after a page was shown is made before the page is shown again.
      await shop.quiet();
      warm.push(await picturesStand());
    });
  }
  console.log(`pictures in view of the first list, never made before: ${show(fresh)}`);
  console.log(`the same, made before: ${show(warm)}`);
  rmSync(join(data, "renditions"), { recursive: true, force: true });
  await serving(keptPages);
} finally {
  await browser.close();
  rmSync(data, { recursive: true });
}

async function serving(work) {
  const options = ["demo", "--empty", "--port", String(port), "--data", data];
  const shop = new Server({ command: binary, args: options });
  try {
    while ((await status("/readyz").catch(() => 0)) !== 200) {
      shop.assertRunning();
      await wait(50);
    }
    await shop.quiet();
    await work(shop);
  } finally {
    await shop.stop();
  }
}

/** From the start of the navigation until all pictures in view are complete, in milliseconds. */
async function picturesStand() {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  try {
    const page = await context.newPage();
    await page.addInitScript(() => {
      const look = () => {
        const pictures = [...document.images].filter((image) => {
          const { top, bottom } = image.getBoundingClientRect();
          return top < innerHeight && bottom > 0;
        });
        const stand = pictures.every((image) => image.complete && image.naturalWidth > 0);
        if (document.readyState !== "loading" && pictures.length > 0 && stand) {
          window.pictures = { after: performance.now(), count: pictures.length };
        } else requestAnimationFrame(look);
      };
      requestAnimationFrame(look);
    });
    await page.goto(`${origin}/products`, { waitUntil: "commit" });
    const shown = await page.waitForFunction(() => window.pictures);
    return (await shown.jsonValue()).after;
  } finally {
    await context.close();
  }
}

/** The waiting times of a kept page, alone and while renditions are made. */
async function keptPages() {
  const names = await renditions();
  const alone = await kept();
  let asked = 0;
  let over = false;
  const shopper = async () => {
    while (!over && asked < names.length) await status(`/images/${names[asked++]}`);
  };
  const shoppers = Promise.all(Array.from({ length: SHOPPERS }, shopper));
  const beside = await kept();
  over = true;
  await shoppers;
  const left = names.length - asked;
  console.log(
    `kept page alone: p50 ${alone.p50}, p99 ${alone.p99}; beside ${SHOPPERS} shoppers who ask`,
  );
  console.log(`for new renditions: p50 ${beside.p50}, p99 ${beside.p99}`);
  console.log(
    `${asked} renditions asked for in ${SECONDS} s${left === 0 ? ", all there are" : ""}`,
  );
}

async function kept() {
  const options = [
    "-t1",
    "-c16",
    `-d${SECONDS}s`,
    "--latency",
    "-H",
    "accept-encoding: gzip, br, zstd",
  ];
  const { stdout } = await run("wrk", [...options, `${origin}/products`]);
  const of = (share) => new RegExp(`^\\s+${share}%\\s+(\\S+)`, "m").exec(stdout)[1];
  return { p50: of(50), p99: of(99) };
}

/** Names of renditions of all pictures, in all widths and formats, so that neighbors are different pictures. */
async function renditions() {
  const keys = new Set();
  const sitemap = await text("/sitemap.xml");
  for (const [, path] of sitemap.matchAll(/<loc>[^<]*(\/product\/[^<]+)<\/loc>/g)) {
    const product = await text(path);
    for (const [, key] of product.matchAll(/\/images\/([0-9a-f]{20})-/g)) keys.add(key);
  }
  const forms = [320, 480, 640, 960, 160, 1280].flatMap((width) => [
    `${width}.avif`,
    `${width}.webp`,
  ]);
  return forms.flatMap((form) => [...keys].map((key) => `${key}-${form}`));
}

async function status(path) {
  const response = await fetch(origin + path);
  await response.arrayBuffer();
  return response.status;
}

async function text(path) {
  return (await fetch(origin + path)).text();
}

function show(values) {
  const sorted = values.toSorted((a, b) => a - b);
  const [least, most] = [sorted[0], sorted.at(-1)];
  return `median ${sorted[sorted.length >> 1].toFixed(0)} ms (${least.toFixed(0)} to ${most.toFixed(0)})`;
}

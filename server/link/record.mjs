// Writes functions.txt anew: the functions that a start, the warm-up and the first pages call. For a program of which many functions have
// got other names, as after an update of Rust or V8.
//
//   node server/link/record.mjs TRACER [PROGRAM]
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as wait } from "node:timers/promises";
import { functionsOf, list } from "./functions.mjs";

const [tracer, program = "target/release/shop"] = process.argv.slice(2);
const PORT = 8790;
const PAGES = [
  "/",
  "/products",
  "/products?sort=price",
  "/products?q=pipe",
  "/cart",
  "/content/legal/privacy-policy",
];
/** The warm-up is over when nothing new was called for so long, in ms. */
const QUIET = 5000;

const names = new Map();
for (const { address, symbol, name } of functionsOf(program)) {
  // V8's own code for JavaScript is one block.
  if (!symbol.startsWith("Builtins_")) names.set(address, name);
}
const folder = mkdtempSync(join(tmpdir(), "shop-record-"));
try {
  const functions = join(folder, "functions.txt");
  writeFileSync(functions, [...names.keys()].join("\n"));
  list((await called(functions)).map((address) => names.get(address)));
} finally {
  rmSync(folder, { recursive: true });
}

async function called(functions) {
  const demo = ["demo", "--empty", "--port", String(PORT), "--data", join(folder, "data")];
  const child = spawn(tracer, [functions, resolve(program), ...demo], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const found = [];
  let last = performance.now();
  createInterface(child.stdout).on("line", (line) => {
    // What the program prints itself is none.
    if (/^[0-9a-f]+$/.test(line)) found.push(line);
    last = performance.now();
  });
  const ended = new Promise((end) => child.once("exit", end));
  for (const page of PAGES) await visit(page);
  while (performance.now() - last < QUIET) await wait(100);
  const [shop, ...addresses] = found;
  process.kill(Number(shop), "SIGKILL");
  await ended;
  return addresses.filter((address) => names.has(address));
}

async function visit(page) {
  for (;;) {
    try {
      const answer = await fetch(`http://127.0.0.1:${PORT}${page}`);
      await answer.text();
      if (answer.status === 200) return;
      throw new Error(`${page} answered ${answer.status}`);
    } catch (error) {
      if (error.cause?.code !== "ECONNREFUSED") throw error;
      await wait(20);
    }
  }
}

// A shop under mixed traffic at 70% of what this machine can do, for hours: does its memory grow, do its descriptors, is any
// answer an error, and how long do visitors wait?
//
//   node tests/bench/soak.mjs [binary] [minutes]
//
// First it measures the capacity with the same traffic. Then requests begin at a fixed rate, whether others are answered or
// not. Writes target/soak.json, and ends with 1 if there was an error, descriptors grew, or memory grew by more than 1% per
// hour, without the caches, which are bounded and fill for hours, and pages of files, which the system takes back when it
// needs memory; a run of less than an hour only reports the latter.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { Server } from "./peers/server.mjs";
import { Histogram, median, slope } from "./soak/figures.mjs";
import { Traffic } from "./soak/traffic.mjs";

const binary = resolve(process.argv[2] ?? "target/release/shop");
const minutes = Number(process.argv[3] ?? 120);
const port = 8803;
const origin = `http://localhost:${port}`;
const SHARE = 0.7;
const CAPACITY_SECONDS = 30;
const VISITORS = 16;
/** Of the whole time, until caches are full and code is compiled. */
const WARM_UP = 0.25;
const SAMPLE_EVERY = 5000;
const TELL_EVERY = 600_000;
/** More would only wait: the shop is then slower than the traffic. */
const MOST_AT_ONCE = 512;
const MOST_GROWTH = 1;

const data = mkdtempSync(join(tmpdir(), "shop-soak-"));
// A process of its own: it keeps all payments in memory forever.
const provider = new Server({
  command: binary,
  args: [
    "square-stand-in",
    "--port",
    String(port + 2),
    "--webhook-url",
    `${origin}/webhooks/square`,
  ],
});
const square = `http://127.0.0.1:${port + 2}`;
const shop = new Server({
  command: binary,
  args: ["demo", "--port", String(port), "--data", data, "--square", square],
});

try {
  while (!(await isReady())) {
    shop.assertRunning();
    provider.assertRunning();
    await wait(100);
  }
  await shop.quiet();
  const traffic = new Traffic(origin);
  await traffic.prepare();
  await closed(traffic, CAPACITY_SECONDS / 3);
  const capacity = (await closed(traffic, CAPACITY_SECONDS)) / CAPACITY_SECONDS;
  console.log(`capacity: ${capacity.toFixed(0)} requests/s`);
  const soaked = await open(traffic, capacity * SHARE);
  report({ binary, minutes, capacity, rate: capacity * SHARE, ...soaked });
} finally {
  await shop.stop();
  await provider.stop();
  rmSync(data, { recursive: true });
}

/** Visitors who ask again at once; returns how many requests were answered. */
async function closed(traffic, seconds) {
  const end = performance.now() + seconds * 1000;
  let answered = 0;
  const visitor = async () => {
    while (performance.now() < end) {
      const { kind, status, expected, detail } = await traffic.next();
      if (status !== expected) throw new Error(`capacity: ${kind}: ${status} ${detail}`);
      answered++;
    }
  };
  await Promise.all(Array.from({ length: VISITORS }, visitor));
  return answered;
}

/** Requests that begin at a rate, in requests per second. */
async function open(traffic, rate) {
  const kinds = new Map();
  const samples = [];
  const statuses = {};
  const errors = [];
  const began = performance.now();
  const end = began + minutes * 60_000;
  let [sent, running, late] = [0, 0, 0];
  let [next, tell] = [began, began + TELL_EVERY];
  const ask = async () => {
    running++;
    const started = performance.now();
    const { kind, status, expected, detail } = await traffic.next();
    running--;
    const took = performance.now() - started;
    if (!kinds.has(kind)) kinds.set(kind, new Histogram());
    kinds.get(kind).add(took);
    statuses[status] = (statuses[status] ?? 0) + 1;
    if (status !== expected && errors.length < 100) errors.push(`${kind}: ${status} ${detail}`);
  };
  const sample = async () => {
    running++;
    try {
      const known = await traffic.memory();
      samples.push({
        hours: (performance.now() - began) / 3_600_000,
        mebibytes: shop.memory(),
        files: shop.memoryOfFiles(),
        ...known,
        descriptors: shop.descriptors(),
      });
    } catch (error) {
      errors.push(String(error));
    }
    running--;
  };
  while (performance.now() < end) {
    const due = Math.floor(((performance.now() - began) / 1000) * rate);
    for (; sent < due; sent++) {
      if (running < MOST_AT_ONCE) ask();
      else late++;
    }
    if (performance.now() >= next) {
      shop.assertRunning();
      sample();
      next += SAMPLE_EVERY;
    }
    if (performance.now() >= tell) {
      const { mebibytes, caches, files, descriptors } = samples.at(-1) ?? {};
      console.log(
        `after ${Math.round((tell - began) / 60_000)} minutes: ${sent} requests, ${errors.length} unexpected answers, ` +
          `${late} late, ${(mebibytes - caches - files).toFixed(0)} MiB without caches and files, ${descriptors} descriptors`,
      );
      tell += TELL_EVERY;
    }
    await wait(5);
  }
  while (running > 0) await wait(20);
  return { kinds, samples, statuses, errors, sent, late };
}

function report({ kinds, samples, statuses, errors, sent, late, ...run }) {
  const warm = samples.slice(Math.floor(samples.length * WARM_UP));
  const fifth = Math.max(1, Math.floor(warm.length / 5));
  const ends = (of) => [median(warm.slice(0, fifth).map(of)), median(warm.slice(-fifth).map(of))];
  const all = (sample) => sample.mebibytes;
  const rest = ({ mebibytes, caches, files }) => mebibytes - caches - files;
  const [from] = ends(all);
  const [opened, open] = ends((sample) => sample.descriptors);
  /** Per hour, in percent of all memory. */
  const growth = (of) => (slope(warm.map((sample) => [sample.hours, of(sample)])) / from) * 100;
  const growthOfRest = growth(rest);
  const serverErrors = Object.entries(statuses)
    .filter(([status]) => Number(status) >= 500 || Number(status) === 0)
    .reduce((total, [, count]) => total + count, 0);
  const latency = Object.fromEntries(
    [...kinds].map(([kind, histogram]) => [kind, histogram.summary()]).sort(),
  );
  const failures = [
    serverErrors > 0 && `${serverErrors} server errors`,
    errors.length > 0 && `unexpected answers: ${errors.slice(0, 5).join("; ")}`,
    late > 0 && `${late} requests found ${MOST_AT_ONCE} others waiting`,
    open > opened * 1.1 + 32 && `descriptors grew from ${opened} to ${open}`,
    run.minutes >= 60 &&
      growthOfRest > MOST_GROWTH &&
      `memory without caches and pages of files grows by ${growthOfRest.toFixed(1)}% per hour`,
  ].filter(Boolean);
  const memory = {
    all,
    caches: ({ caches }) => caches,
    "pages of files": ({ files }) => files,
    "all but these": rest,
    "of it heaps of isolates": ({ heaps }) => heaps,
  };
  const memories = Object.entries(memory).map(([name, of]) => {
    const [first, last] = ends(of);
    return [name, { from: first, to: last, percentPerHour: growth(of) }];
  });
  const result = {
    ...run,
    requests: sent,
    statuses,
    serverErrors,
    late,
    memory: Object.fromEntries(memories),
    descriptors: { from: opened, to: open },
    latency,
    failures,
  };
  mkdirSync("target", { recursive: true });
  writeFileSync("target/soak.json", `${JSON.stringify({ ...result, samples }, null, 2)}\n`);
  console.log(`${run.minutes} minutes at ${run.rate.toFixed(0)} requests/s, ${sent} requests`);
  console.log(
    `descriptors: ${opened}, at the end ${open}; server errors: ${serverErrors}\n` +
      "| Memory | After warm-up | At the end | Growth per hour |\n|---|---|---|---|",
  );
  for (const [name, { from, to, percentPerHour }] of memories)
    console.log(
      `| ${name} | ${from.toFixed(0)} MiB | ${to.toFixed(0)} MiB | ${percentPerHour.toFixed(1)}% |`,
    );
  console.log("| Kind | Requests | p50 | p99 |\n|---|---|---|---|");
  for (const [kind, { count, p50, p99 }] of Object.entries(latency))
    console.log(`| ${kind} | ${count} | ${p50.toFixed(1)} ms | ${p99.toFixed(1)} ms |`);
  for (const failure of failures) console.error(failure);
  if (failures.length > 0) process.exitCode = 1;
}

async function isReady() {
  const answer = await fetch(`${origin}/readyz`).catch(() => null);
  await answer?.arrayBuffer();
  return answer?.status === 200;
}

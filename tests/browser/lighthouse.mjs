// node tests/browser/lighthouse.mjs [RUNS] URL...
// Prints Lighthouse's four scores (mobile) of each URL, as a first-time visitor gets it: with the age gate.
// For example: 3 http://localhost:8787/{,products,product/double-blade-cutter}
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { args, executablePath } from "./chromium.mjs";

const run = promisify(execFile);
const GOOD = 0.9;

const addresses = process.argv.slice(2);
const runs = /^\d+$/.test(addresses[0] ?? "") ? Number(addresses.shift()) : 1;
if (addresses.length === 0) {
  console.error("Usage: node tests/browser/lighthouse.mjs [RUNS] URL...");
  process.exit(2);
}
for (const address of addresses) {
  for (let run = 0; run < runs; run++) report(address, await measure(address));
}

async function measure(address) {
  const { stdout } = await run(
    "npx",
    [
      "lighthouse",
      address,
      "--quiet",
      "--output=json",
      "--only-categories=performance,accessibility,best-practices,seo",
      `--chrome-flags=${["--headless", ...args].join(" ")}`,
    ],
    { env: { ...process.env, CHROME_PATH: executablePath }, maxBuffer: 64 * 1024 * 1024 },
  );
  return JSON.parse(stdout);
}

/** Prints the scores, then the audits that lost points. */
function report(address, { categories, audits, runtimeError }) {
  if (runtimeError) throw new Error(`${address}: ${runtimeError.message}`);
  const scores = Object.values(categories).map(
    ({ title, score }) => `${title} ${Math.round(score * 100)}`,
  );
  console.log(`${address}: ${scores.join(", ")}`);
  const counted = Object.values(categories).flatMap(({ auditRefs }) =>
    auditRefs.filter(({ weight }) => weight > 0).map(({ id }) => audits[id]),
  );
  for (const { title, score, displayValue = "" } of counted) {
    if (score !== null && score < GOOD) console.log(`  ${score} ${title} ${displayValue}`);
  }
}

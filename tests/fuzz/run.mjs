// Runs the coverage-guided tests: node tests/fuzz/run.mjs [seconds for each target] [target …]
// They begin with tests/fuzz/corpus and what earlier runs found (target/fuzz/corpus). A finding is repeated by
// FUZZ_TARGET={target} target/debug/fuzz {file}; once mended, its file belongs into tests/fuzz/corpus/{target}.

import { spawn } from "node:child_process";
import { mkdirSync, readdirSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";

const root = join(import.meta.dirname, "../..");
const seeds = join(import.meta.dirname, "corpus");
const seconds = Number(process.argv[2] ?? 60);
const named = process.argv.slice(3);
const targets = named.length > 0 ? named : readdirSync(seeds);
/** A process is replaced after so many seconds: its shop has taken in what it was sent. */
const SLICE = 600;

/** The processes that run. */
const running = new Set();

/** Runs a target for a time; the numbers that libFuzzer prints at the end. */
function run(target, time) {
  const kept = join(root, "target/fuzz/corpus", target);
  const findings = `${join(root, "target/fuzz/findings", target)}/`;
  for (const folder of [kept, findings]) mkdirSync(folder, { recursive: true });
  const fuzzer = spawn(
    join(root, "target/debug/fuzz"),
    [
      `-max_total_time=${time}`,
      "-timeout=20",
      "-rss_limit_mb=4096",
      "-max_len=16384",
      "-print_final_stats=1",
      `-dict=${join(import.meta.dirname, "words.dict")}`,
      `-artifact_prefix=${findings}`,
      kept,
      join(seeds, target),
    ],
    {
      env: { ...process.env, FUZZ_TARGET: target, RUST_LOG: "off" },
      stdio: ["ignore", "ignore", "pipe"],
    },
  );
  let log = "";
  fuzzer.stderr.on("data", (text) => {
    log = (log + text).slice(-20_000);
  });
  running.add(fuzzer);
  return new Promise((resolve, reject) => {
    fuzzer.on("close", (code) => {
      running.delete(fuzzer);
      if (code !== 0)
        return reject(new Error(`${target}: a finding, see ${findings}\n${log.slice(-4_000)}`));
      const inputs = Number(/number_of_executed_units:\s*(\d+)/.exec(log)?.[1] ?? 0);
      const covered = Number([...log.matchAll(/cov: (\d+)/g)].at(-1)?.[1] ?? 0);
      resolve({ inputs, covered });
    });
  });
}

const waiting = [...targets];
async function work() {
  for (let target = waiting.shift(); target; target = waiting.shift()) {
    let inputs = 0;
    let covered = 0;
    for (let left = seconds; left > 0; left -= SLICE) {
      const result = await run(target, Math.min(left, SLICE));
      inputs += result.inputs;
      covered = result.covered;
    }
    if (inputs === 0 || covered < 100)
      throw new Error(`${target}: ran ${inputs} inputs through ${covered} branches`);
    console.log(`${target}: ${inputs} inputs, ${covered} branches`);
  }
}
try {
  await Promise.all(Array.from({ length: availableParallelism() }, work));
} finally {
  for (const fuzzer of running) fuzzer.kill();
}

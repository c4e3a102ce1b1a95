// Load from wrk, on the core next to the server's.

import { spawn } from "node:child_process";
import { join } from "node:path";
import { PORT } from "./peers.mjs";
import { childrensTime } from "./server.mjs";

const CONNECTIONS = 32;
/** More bytes than the headers of an answer have. */
const HEADERS = 2000;

/**
 * Asks for `path` for some seconds and returns what one page took. Throws when there was any error, or when the answers
 * did not have about `bytes` bytes: then they were other answers.
 */
export async function load(server, { path, headers, bytes, packed, seconds }) {
  const before = { server: server.processorTime(), generator: childrensTime() };
  const result = await wrk(path, headers, seconds);
  const processor = server.processorTime() - before.server;
  const generator = childrensTime() - before.generator;
  server.assertRunning();
  const errors = Object.entries(result.errors).filter(([, count]) => count > 0);
  if (errors.length > 0)
    throw new Error(errors.map(([kind, count]) => `${count} errors: ${kind}`).join(", "));
  if (result.requests === 0) throw new Error("no answers");
  const each = result.bytes / result.requests;
  // How well a stream is compressed depends on how busy the server is.
  const tolerance = packed ? 0.3 : 0.05;
  if (Math.abs(each - bytes) > bytes * tolerance + HEADERS)
    throw new Error(`answers of ${Math.round(each)} bytes instead of ${bytes}`);
  const duration = result.microseconds / 1e6;
  return {
    perSecond: result.requests / duration,
    p50: result.p50 / 1000,
    p99: result.p99 / 1000,
    processorPer1000: (processor / result.requests) * 1000,
    requests: result.requests,
    generatorLoad: generator / duration,
  };
}

let number = 100_000;

async function wrk(path, headers, seconds) {
  number = 100_000 + ((number + 150_000) % 800_000);
  const options = ["-t1", `-c${CONNECTIONS}`, `-d${seconds}s`, "--timeout", "10s"];
  for (const [name, value] of Object.entries(headers)) options.push("-H", `${name}: ${value}`);
  const script = join(import.meta.dirname, "load.lua");
  const url = `http://127.0.0.1:${PORT}`;
  const output = await run("wrk", [...options, "-s", script, url, "--", path, String(number)]);
  return JSON.parse(output.trim().split("\n").at(-1));
}

function run(command, args) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: ["ignore", "pipe", "inherit"] });
    let output = "";
    child.stdout.on("data", (part) => {
      output += part;
    });
    child.on("error", reject);
    child.on("close", (code) =>
      code === 0 ? resolve(output) : reject(new Error(`${command} ended with ${code}`)),
    );
  });
}

// A running peer: its processes, what they use, and how they end.

import { spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";

/** Linux counts processor time in hundredths of a second. */
const TICKS_PER_SECOND = 100;

export class Server {
  #process;
  #ended = false;
  #log = "";

  /** Starts a command, on one core if given. */
  constructor({ command, args, env, cwd }, core) {
    const whole =
      core === undefined ? [command, ...args] : ["taskset", "-c", core, command, ...args];
    this.#process = spawn(whole[0], whole.slice(1), {
      env,
      cwd,
      stdio: ["ignore", "pipe", "pipe"],
    });
    for (const stream of [this.#process.stdout, this.#process.stderr])
      stream.on("data", (part) => {
        this.#log = (this.#log + part).slice(-4000);
      });
    this.#process.on("error", (error) => {
      this.#ended = true;
      this.#log += error;
    });
    this.#process.on("exit", () => {
      this.#ended = true;
    });
  }

  /** Throws when the server has ended. */
  assertRunning() {
    if (this.#ended) throw new Error(`the server ended: ${this.#log.trim()}`);
  }

  /** Seconds of processor time that all its processes have used. */
  processorTime() {
    const ticks = this.#tree().map(({ fields }) => Number(fields[11]) + Number(fields[12]));
    return sum(ticks) / TICKS_PER_SECOND;
  }

  /** Resident memory of all its processes, in MiB. */
  memory() {
    return this.#resident(/VmRSS:\s+(\d+)/);
  }

  /** What of it is pages of files, such as the program: the system takes them back when it needs memory. In MiB. */
  memoryOfFiles() {
    return this.#resident(/RssFile:\s+(\d+)/);
  }

  /** How many descriptors all its processes have open. */
  descriptors() {
    return sum(this.#tree().map(({ pid }) => readdirSync(`/proc/${pid}/fd`).length));
  }

  /** Waits until it uses no more than 2% of a core, which takes some seconds while code is still being compiled. */
  async quiet() {
    const deadline = performance.now() + 20_000;
    for (let used = 1; used > 0.02 && performance.now() < deadline; ) {
      const before = this.processorTime();
      await wait(1000);
      used = this.processorTime() - before;
    }
  }

  async stop() {
    for (const { pid } of this.#tree()) process.kill(pid, "SIGKILL");
    while (!this.#ended) await wait(10);
  }

  #resident(line) {
    const kilobytes = this.#tree().map(({ pid }) => {
      const status = readFileSync(`/proc/${pid}/status`, "utf8");
      return Number(line.exec(status)?.[1] ?? 0);
    });
    return sum(kilobytes) / 1024;
  }

  /** It and its descendants. */
  #tree() {
    const all = readdirSync("/proc")
      .filter((name) => /^\d+$/.test(name))
      .flatMap(statOf);
    const tree = all.filter(({ pid }) => pid === this.#process.pid);
    // The list grows while it is read.
    for (const { pid } of tree) tree.push(...all.filter(({ parent }) => parent === pid));
    return tree;
  }
}

function statOf(name) {
  try {
    const fields = readFileSync(`/proc/${name}/stat`, "utf8").split(") ").at(-1).split(" ");
    return [{ pid: Number(name), parent: Number(fields[1]), fields }];
  } catch {
    return []; // It has ended.
  }
}

/** Seconds of processor time that ended children of this process have used. */
export function childrensTime() {
  const [{ fields }] = statOf("self");
  return (Number(fields[13]) + Number(fields[14])) / TICKS_PER_SECOND;
}

function sum(numbers) {
  return numbers.reduce((total, each) => total + each, 0);
}

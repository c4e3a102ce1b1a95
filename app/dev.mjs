// Rebuilds the app at every change: node app/dev.mjs --out DIR
// Each finished build is one line of JSON on stdout: { build, css_only, errors }.

import { watch } from "node:fs";
import { mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { context, formatMessages } from "esbuild";
import { clientOptions, layOut, serverOptions } from "./bundle.mjs";

// An editor writes a file in several steps.
const SETTLE_MS = 20;

const { out } = parseArgs({ options: { out: { type: "string" } } }).values;
if (!out) throw new Error("--out DIR is missing");

const client = await context(clientOptions(false));
const server = await context(serverOptions(false));
let last = null;

async function rebuild() {
  try {
    const files = await layOut(...(await Promise.all([client.rebuild(), server.rebuild()])));
    const { build } = JSON.parse(files.get("manifest.json"));
    if (build === last?.build) return;
    const code = codeOf(files);
    const css_only = code === last?.code;
    await write(files);
    last = { build, code };
    say({ build, css_only, errors: [] });
  } catch (error) {
    const errors = error.errors
      ? await formatMessages(error.errors, { kind: "error", color: false })
      : [String(error.stack ?? error)];
    // The server starts with the first line: before a first good build there is nothing to start with.
    if (last) say({ build: last.build, css_only: false, errors });
    else console.error(errors.join("\n"));
  }
}

function say(line) {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

/** Equal for two builds that differ in styles only. */
function codeOf(files) {
  const scripts = [...files.keys()]
    .filter((path) => path.startsWith("assets/") && path.endsWith(".js"))
    .sort();
  return scripts.join() + Buffer.from(files.get("server.js")).toString("latin1");
}

/** The manifest comes last: until then the former build is whole. */
async function write(files) {
  const { "manifest.json": manifest, ...rest } = Object.fromEntries(files);
  await mkdir(join(out, "assets"), { recursive: true });
  await mkdir(join(out, "maps"), { recursive: true });
  await Promise.all(
    Object.entries(rest).map(([path, contents]) => writeFile(join(out, path), contents)),
  );
  await writeFile(join(out, "manifest.json"), manifest);
  for (const folder of ["assets", "maps"]) {
    for (const name of await readdir(join(out, folder))) {
      if (!files.has(`${folder}/${name}`)) await rm(join(out, folder, name));
    }
  }
}

let running = Promise.resolve();
let timer;
function changed() {
  clearTimeout(timer);
  timer = setTimeout(() => {
    running = running.then(rebuild);
  }, SETTLE_MS);
}

// Nobody listens any more: the server has ended.
process.stdout.on("error", () => process.exit());
await rebuild();
watch(import.meta.dirname, { recursive: true }, changed);

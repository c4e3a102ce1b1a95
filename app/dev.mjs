// Rebuilds the app after every change: node app/dev.mjs --out DIR
// Prints each finished build as one line of JSON: { build, css_only, errors }.

import { readdirSync, statSync, watch } from "node:fs";
import { mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { context, formatMessages } from "esbuild";
import { clientOptions, outputFilesOf, root, serverOptions } from "./bundle.mjs";

const { out } = parseArgs({ options: { out: { type: "string" } } }).values;
if (!out) throw new Error("--out DIR is missing");

// Editors write a file in several steps.
const SETTLE_MS = 30;

const client = await context(clientOptions(false));
const server = await context(serverOptions(false));
let last = null;

async function rebuild() {
  try {
    const results = await Promise.all([client.rebuild(), server.rebuild()]);
    await publish(await outputFilesOf(...results));
  } catch (failure) {
    await reportFailure(failure);
  }
}

async function publish(files) {
  const { build } = JSON.parse(files.get("manifest.json"));
  if (build === last?.build) return;
  const code = codeOf(files);
  const css_only = code === last?.code;
  await write(files);
  last = { build, code };
  print({ build, css_only, errors: [] });
}

async function reportFailure(failure) {
  const errors = failure.errors
    ? await formatMessages(failure.errors, { kind: "error", color: false })
    : [String(failure.stack ?? failure)];
  // The server starts at the first line, so nothing is printed before the first successful build.
  if (last) print({ build: last.build, css_only: false, errors });
  else console.error(errors.join("\n"));
}

function print(line) {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

/** Equal for two builds that differ only in styles. */
function codeOf(files) {
  const scripts = [...files.keys()].filter((path) => /^assets\/.*\.js$/.test(path)).sort();
  return scripts.join() + Buffer.from(files.get("server.js")).toString("latin1");
}

/** Writes the manifest last: until then the previous build is complete. */
async function write(files) {
  const { "manifest.json": manifest, ...rest } = Object.fromEntries(files);
  for (const folder of ["assets", "maps"]) await mkdir(join(out, folder), { recursive: true });
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

// `fs.watch` reports changes immediately, while esbuild's watch mode polls. One watcher per folder, because a recursive
// one loses files that are replaced by another file of the same name, which is how many editors save.
const watched = new Set();
function watchFolders() {
  for (const top of ["app", "ssr-runtime/js"]) {
    for (const entry of ["", ...readdirSync(join(root, top), { recursive: true })]) {
      const folder = join(root, top, entry);
      // An editor's temporary file may already be deleted.
      if (watched.has(folder) || !statSync(folder, { throwIfNoEntry: false })?.isDirectory())
        continue;
      watched.add(folder);
      watch(folder, changed);
    }
  }
}

let running = Promise.resolve();
let timer;
function changed() {
  clearTimeout(timer);
  timer = setTimeout(() => {
    watchFolders();
    running = running.then(rebuild);
  }, SETTLE_MS);
}

// The server has ended.
process.stdin.on("end", () => process.exit()).resume();
process.stdout.on("error", () => process.exit());
watchFolders();
await rebuild();

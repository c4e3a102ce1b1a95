// Runs the unit tests of app/ with Node's own test runner: node tests/app/run.mjs [part of a name …]
// Tests and app are TypeScript: esbuild bundles each test first.

import { spawnSync } from "node:child_process";
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";

const here = import.meta.dirname;
const out = join(here, "../../node_modules/.cache/app-tests");
const wanted = process.argv.slice(2);
const tests = readdirSync(here).filter(
  (name) =>
    /\.test\.(ts|tsx|mjs)$/.test(name) &&
    (wanted.length === 0 || wanted.some((part) => name.includes(part))),
);

rmSync(out, { recursive: true, force: true });
await build({
  entryPoints: tests.filter((name) => !name.endsWith(".mjs")).map((name) => join(here, name)),
  outdir: out,
  outExtension: { ".js": ".mjs" },
  bundle: true,
  packages: "external",
  platform: "node",
  format: "esm",
  target: "node20",
  jsx: "automatic",
  sourcemap: "inline",
});
const files = tests.map((name) =>
  name.endsWith(".mjs") ? join(here, name) : join(out, name.replace(/\.tsx?$/, ".mjs")),
);
const { status } = spawnSync(
  process.execPath,
  ["--enable-source-maps", "--test", "--test-reporter=spec", ...files],
  {
    stdio: "inherit",
  },
);
process.exit(status ?? 1);

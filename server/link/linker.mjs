#!/usr/bin/env node
// Links as `cc` does, and a release of the shop twice: the second time with the functions of functions.txt next to each other, in the
// order in which a start calls them. The system maps 64 KB of a program around each function that is called, so it then maps a third as much.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { functionsOf, listed } from "./functions.mjs";

const options = process.argv.slice(2);
link([]);
const program = options[options.indexOf("-o") + 1];
if (/\/release\/deps\/shop-[0-9a-f]+$/.test(program)) {
  const folder = mkdtempSync(join(tmpdir(), "shop-link-"));
  try {
    const order = join(folder, "order.txt");
    writeFileSync(order, symbols(program).join("\n"));
    // Of functions with the same instructions only one is in the program, and cannot be moved by the names of the others.
    link([`-Wl,--symbol-ordering-file=${order}`, "-Wl,--no-warn-symbol-ordering"]);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function link(more) {
  const { status, error } = spawnSync("cc", [...options, ...more], { stdio: "inherit" });
  if (error) throw error;
  if (status !== 0) process.exit(status ?? 1);
}

/** The symbols of the listed functions, in the order of the list. */
function symbols(program) {
  const found = new Map();
  for (const { symbol, name } of functionsOf(program))
    found.set(name, [...(found.get(name) ?? []), symbol]);
  return listed().flatMap((name) => found.get(name) ?? []);
}

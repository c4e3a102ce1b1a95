import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { functionsOf, listed } from "../../server/link/functions.mjs";

const skip = process.platform !== "linux" || process.arch !== "x64";

test("a release has the functions of a start next to each other, in their order", { skip }, () => {
  const folder = mkdtempSync(join(tmpdir(), "shop-linker-"));
  try {
    const source = join(folder, "main.rs");
    writeFileSync(
      source,
      'fn main() { println!("{:>5} {:?}", 1.5, std::env::args().collect::<Vec<_>>()) }',
    );
    const program = join(folder, "release/deps/shop-0");
    mkdirSync(join(folder, "release/deps"), { recursive: true });
    const linker = join(import.meta.dirname, "../../server/link/linker.mjs");
    const options = ["-O", "-C", `linker=${linker}`, "-C", "symbol-mangling-version=v0"];
    execFileSync("rustc", ["--edition", "2024", ...options, "-o", program, source]);
    execFileSync(program);
    // Without those of the system's start files, which the linker does not move.
    const functions = functionsOf(program).filter(({ symbol }) => symbol.startsWith("_R"));
    const addresses = new Map(
      functions.map(({ name, address }) => [name, Number.parseInt(address, 16)]),
    );
    // Those of the standard library.
    const found = listed().flatMap((name) => addresses.get(name) ?? []);
    assert.ok(found.length > 50, `${found.length} of the listed functions`);
    assert.deepEqual(
      found,
      found.toSorted((a, b) => a - b),
    );
    const first = Math.min(...addresses.values());
    assert.ok(found.at(-1) - first < 200_000, "others are between them");
  } finally {
    rmSync(folder, { recursive: true });
  }
});

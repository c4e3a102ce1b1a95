// The names of functions, without what differs from build to build.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const LIST = join(import.meta.dirname, "functions.txt");

/** All functions of a program: address, symbol, and the name by which the list has it. */
export function functionsOf(program) {
  const [symbols, names] = [[], ["--demangle"]].map((options) =>
    execFileSync("nm", ["--defined-only", "--no-sort", ...options, program], {
      encoding: "utf8",
      maxBuffer: 2 ** 30,
    }).split("\n"),
  );
  return symbols.flatMap((line, index) => {
    const [, address, symbol] = line.match(/^0*([0-9a-f]+) [tTwW] (.+)$/) ?? [];
    // In both: sixteen digits, the type, the name.
    return symbol ? [{ address, symbol, name: short(names[index].slice(19)) }] : [];
  });
}

/** The names of functions with all their types have up to thousands of characters. */
function short(name) {
  const plain = name.replace(/( \(\.llvm\.\d+\)|\.llvm\.\d+)$/, "");
  return createHash("sha256").update(plain).digest("hex").slice(0, 12);
}

/** The list: one name in each line, in the order of the first calls. */
export function listed() {
  return readFileSync(LIST, "utf8").split("\n").filter(Boolean);
}

export function list(names) {
  writeFileSync(LIST, `${[...new Set(names)].join("\n")}\n`);
}

#!/usr/bin/env node
// Every crate comes from the public registry, has a license that we may distribute, and is not banned.
import { execFileSync } from "node:child_process";

const LICENSES = new Set([
  "0BSD",
  "Apache-2.0",
  "Apache-2.0 WITH LLVM-exception",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "BSL-1.0",
  "CC0-1.0",
  "CDLA-Permissive-2.0",
  "IJG",
  "ISC",
  "MIT",
  "MIT-0",
  "MPL-2.0",
  "MPL-2.0+",
  "NCSA",
  "Unicode-3.0",
  "Unlicense",
  "Zlib",
]);
// One TLS stack (rustls), no system libraries that may be missing on a new machine.
const BANNED = new Set(["openssl", "openssl-sys", "native-tls"]);

/** Whether an SPDX expression is satisfied by the licenses above. */
export function isAllowed(expression) {
  const tokens =
    expression.replaceAll("/", " OR ").match(/\(|\)|[^\s()]+(?:\s+WITH\s+[^\s()]+)?/g) ?? [];
  let at = 0;
  const any = () => {
    let met = all();
    while (tokens[at] === "OR") {
      at++;
      met = all() || met;
    }
    return met;
  };
  const all = () => {
    let met = one();
    while (tokens[at] === "AND") {
      at++;
      met = one() && met;
    }
    return met;
  };
  const one = () => {
    if (tokens[at] !== "(") return LICENSES.has(tokens[at++]);
    at++;
    const met = any();
    at++;
    return met;
  };
  return any() && at === tokens.length;
}

const metadata = JSON.parse(
  execFileSync("cargo", ["metadata", "--format-version", "1", "--locked"], { maxBuffer: 1 << 28 }),
);
const problems = [];
for (const { id, name, version, license, source } of metadata.packages) {
  if (metadata.workspace_members.includes(id)) continue;
  const crate = `${name} ${version}`;
  if (!source?.startsWith("registry+")) problems.push(`${crate} does not come from the registry`);
  if (!license || !isAllowed(license)) problems.push(`${crate} is licensed as '${license}'`);
  if (BANNED.has(name)) problems.push(`${crate} is banned`);
}
for (const problem of problems) console.error(problem);
console.log(`${metadata.packages.length} crates checked, ${problems.length} problems`);
process.exitCode = problems.length ? 1 : 0;

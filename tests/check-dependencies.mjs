#!/usr/bin/env node
// What `deny.toml` demands of crates, without `cargo deny`: each comes from the public registry, has a license that we may distribute,
// and is not banned. So have the npm packages that may be in the bundle, and the lock file fixes the contents of
// each package, but names no address.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { cargoMetadata } from "../supply-chain/components.mjs";

const root = join(import.meta.dirname, "..");
const rules = readFileSync(join(root, "deny.toml"), "utf8");
const listed = (name) =>
  new Set(
    [...rules.match(new RegExp(`^${name} = \\[([^\\]]*)\\]`, "m"))[1].matchAll(/"([^"]+)"/g)].map(
      ([, each]) => each,
    ),
  );
const LICENSES = listed("allow");
const BANNED = listed("deny");

/** Whether an SPDX expression is satisfied by the licenses above. */
function isAllowed(expression) {
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
    if (tokens[at] !== "(") return LICENSES.has(tokens[at++].replace(/\+$/, ""));
    at++;
    const met = any();
    at++;
    return met;
  };
  return any() && at === tokens.length;
}

const metadata = cargoMetadata();
const problems = [];
for (const { id, name, version, license, source } of metadata.packages) {
  if (metadata.workspace_members.includes(id)) continue;
  const crate = `${name} ${version}`;
  if (!source?.startsWith("registry+")) problems.push(`${crate} does not come from the registry`);
  if (!license || !isAllowed(license)) problems.push(`${crate} is licensed as '${license}'`);
  if (BANNED.has(name)) problems.push(`${crate} is banned`);
}

const { "": _, ...packages } = JSON.parse(
  readFileSync(join(root, "package-lock.json"), "utf8"),
).packages;
for (const [path, { license, integrity, resolved, dev }] of Object.entries(packages)) {
  if (!integrity) problems.push(`package-lock.json has no integrity for ${path}`);
  if (resolved) problems.push(`package-lock.json names an address for ${path}`);
  const isDistributed = !dev || path.includes("@fontsource");
  if (isDistributed && !(license && isAllowed(license)))
    problems.push(`${path} is licensed as '${license}'`);
}

for (const problem of problems) console.error(problem);
console.log(
  `${metadata.packages.length} crates and ${Object.keys(packages).length} npm packages checked, ${problems.length} problems`,
);
process.exitCode = problems.length ? 1 : 0;

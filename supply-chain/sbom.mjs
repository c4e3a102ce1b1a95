// Prints the software bill of materials of the binary, as CycloneDX 1.6: node supply-chain/sbom.mjs --bundle DIR [--target TRIPLE]
import { execFileSync } from "node:child_process";
import { parseArgs } from "node:util";
import { crates, packages } from "./components.mjs";

const run = (command, ...args) => execFileSync(command, args, { encoding: "utf8" }).trim();
const { values } = parseArgs({
  options: { bundle: { type: "string" }, target: { type: "string" } },
});
const target = values.target ?? run("rustc", "--print", "host-tuple");

const refs = new Map();
const dependencies = [];
const components = [];

/** An SPDX expression, or the name of a license that SPDX does not know. */
const licensed = (license) => (license ? [{ expression: license }] : undefined);

const found = crates(target);
for (const { id, purl } of found) refs.set(id, purl);
for (const crate of found) {
  const libraries = crate.libraries.map(({ name, version, license }) => ({
    "bom-ref": `${crate.purl}#${encodeURIComponent(name)}`,
    type: "library",
    name,
    version,
    licenses: licensed(license),
  }));
  components.push(
    {
      "bom-ref": crate.purl,
      type: "library",
      name: crate.name,
      version: crate.version,
      licenses: licensed(crate.license),
      purl: crate.purl,
      hashes: crate.sha256 && [{ alg: "SHA-256", content: crate.sha256 }],
    },
    ...libraries,
  );
  const dependsOn = [
    ...crate.dependencies.map((id) => refs.get(id)),
    ...libraries.map((each) => each["bom-ref"]),
  ];
  dependencies.push(
    { ref: crate.purl, dependsOn },
    ...libraries.map((each) => ({ ref: each["bom-ref"] })),
  );
}
const shop = components.find(({ name }) => name === "shop");
for (const { name, version, license, purl, sha512 } of packages(values.bundle)) {
  components.push({
    "bom-ref": purl,
    type: "library",
    name,
    version,
    licenses: licensed(license),
    purl,
    hashes: [{ alg: "SHA-512", content: sha512 }],
  });
  dependencies.find(({ ref }) => ref === shop["bom-ref"]).dependsOn.push(purl);
  dependencies.push({ ref: purl });
}

const bom = {
  $schema: "http://cyclonedx.org/schema/bom-1.6.schema.json",
  bomFormat: "CycloneDX",
  specVersion: "1.6",
  version: 1,
  metadata: {
    timestamp: new Date(run("git", "log", "-1", "--format=%cI")).toISOString(),
    component: { ...shop, type: "application" },
    properties: [
      { name: "target", value: target },
      { name: "commit", value: run("git", "rev-parse", "HEAD") },
      { name: "rustc", value: run("rustc", "--version") },
    ],
  },
  components: components.filter((each) => each !== shop),
  dependencies,
};
console.log(JSON.stringify(bom, null, 1));

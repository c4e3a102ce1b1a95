// Writes the licenses of everything in the binary: node supply-chain/notices.mjs --bundle DIR --target TRIPLE --out FILE
// `build.rs` runs it, and the shop serves the file at /licenses.txt. Beside it are its Brotli and gzip versions, FILE.br and FILE.gz.
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { crates, packages } from "./components.mjs";

const { values } = parseArgs({
  options: { bundle: { type: "string" }, target: { type: "string" }, out: { type: "string" } },
});
const parts = [
  ...crates(values.target).flatMap((crate) => [
    ...(crate.isOurs ? [] : [crate]),
    ...crate.libraries.map((each) => ({ ...each, within: crate.name })),
  ]),
  ...packages(values.bundle),
];

// Many have the same text word for word: each is written once, below the names of those that use it.
const users = new Map();
for (const { name, version, texts } of parts) {
  for (const each of texts) {
    const text = each.replaceAll("\r", "").trim();
    const key = text.replace(/\s+/g, " ");
    const entry = users.get(key) ?? { text, names: new Set() };
    entry.names.add(version ? `${name} ${version}` : name);
    users.set(key, entry);
  }
}

const line = "=".repeat(80);
const list = parts.map(({ name, version, license, repository, within }) =>
  [name, version, `(${license})`, within ? `within ${within}` : repository]
    .filter(Boolean)
    .join(" "),
);
const texts = [...users.values()].map(
  ({ text, names }) => `${line}\n${[...names].join(", ")}\n${line}\n\n${text}\n`,
);
const file = `This program contains the following software, under the licenses named.\n\n${list.join("\n")}\n\n${texts.join("\n")}`;
writeFileSync(values.out, file);
writeFileSync(`${values.out}.br`, brotliCompressSync(file));
writeFileSync(`${values.out}.gz`, gzipSync(file, { level: 9 }));

// The bill of materials is complete and coherent, and each license text is there.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";

const root = join(import.meta.dirname, "../..");
const bundle = mkdtempSync(join(tmpdir(), "bundle-"));
after(() => rmSync(bundle, { recursive: true }));
const node = (...args) =>
  execFileSync(process.execPath, args, { cwd: root, encoding: "utf8", maxBuffer: 1 << 26 });
node("app/build.mjs", "--out", bundle);
const { components, dependencies, metadata } = JSON.parse(
  node("supply-chain/sbom.mjs", "--bundle", bundle),
);
const { host } = execFileSync("rustc", ["-vV"], { encoding: "utf8" }).match(
  /host: (?<host>.+)/,
).groups;

test("every component has a version, a license and a fingerprint", () => {
  const libraries = new Set();
  for (const { name, purl, licenses, hashes, version } of components) {
    if (!purl) libraries.add(name);
    else if (!name.startsWith("shop-") && !["ssr-runtime", "picture-codec"].includes(name)) {
      assert.ok(hashes?.[0].content.length >= 64, `${name} has no hash`);
    }
    assert.ok(licenses?.[0].expression, `${name} has no license`);
    assert.ok(version || !purl, `${name} has no version`);
  }
  for (const name of ["V8", "ICU", "SQLite", "libwebp", "Zstandard"])
    assert.ok(libraries.has(name), `${name} is missing`);
  for (const name of ["react", "react-dom", "scheduler", "tokio", "deno_core", "sqlx-sqlite"])
    assert.ok(
      components.some((each) => each.name === name),
      `${name} is missing`,
    );
  for (const name of ["esbuild", "typescript", "proptest", "syn"])
    assert.ok(!components.some((each) => each.name === name), `${name} only builds or tests`);
});

test("every component is used by another one", () => {
  const refs = [metadata.component, ...components].map((each) => each["bom-ref"]);
  assert.equal(new Set(refs).size, refs.length);
  const used = new Set([refs[0], ...dependencies.flatMap(({ dependsOn }) => dependsOn ?? [])]);
  assert.deepEqual(
    refs.filter((ref) => !used.has(ref)),
    [],
  );
  assert.deepEqual(
    [...used].filter((ref) => !refs.includes(ref)),
    [],
  );
});

test("the notices name the same components, each with its text", () => {
  const out = join(bundle, "licenses.txt");
  node("supply-chain/notices.mjs", "--bundle", bundle, "--target", host, "--out", out);
  const [, list, ...texts] = readFileSync(out, "utf8").split(/\n\n(?=\S)/);
  for (const { name, version, hashes, purl } of components) {
    if (purl && !hashes) continue;
    const entry = version ? `${name} ${version}` : name;
    assert.ok(`\n${list}`.includes(`\n${entry} (`), `${entry} is not listed`);
    assert.ok(
      texts.some((text) => text.includes(entry)),
      `${entry} has no text`,
    );
  }
});

// The import-direction rule: a noun folder imports ui/, lib/, generated/ and its own files, never another noun's;
// ui/ imports lib/ and generated/; lib/ imports generated/; shell/ and the entries compose them all. Components may be made
// reusable by the runtime.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";

const app = join(import.meta.dirname, "../../app");

const REUSABLE = "../ssr-runtime/js/reusable";

/** Folders from which a folder may import, besides itself. */
function allowed(folder) {
  switch (folder) {
    case ".":
    case "shell":
      return null;
    case "generated":
      return [];
    case "lib":
      return ["generated"];
    case "ui":
      return ["lib", "generated"];
    default:
      return ["ui", "lib", "generated"];
  }
}

function folderOf(path) {
  const [first, ...rest] = path.split("/");
  return rest.length === 0 ? "." : first;
}

/** The paths in app/ that a source file imports. */
function importsOf(path, source) {
  const specifiers = [...source.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*["'](\.[^"']*)["']/g)];
  return specifiers.map(([, specifier]) => join(dirname(path), specifier));
}

function violations(path, source) {
  const folder = folderOf(path);
  const may = allowed(folder);
  if (may === null) return [];
  return importsOf(path, source)
    .filter((target) => target !== REUSABLE)
    .filter(
      (target) =>
        target.startsWith("..") || (folderOf(target) !== folder && !may.includes(folderOf(target))),
    )
    .map((target) => `app/${path} imports ${target.startsWith("..") ? target : `app/${target}`}`);
}

test("imports in app/ go in one direction", () => {
  const files = readdirSync(app, { recursive: true, encoding: "utf8" }).filter((name) =>
    /\.tsx?$/.test(name),
  );
  assert.ok(
    files.some((name) => name.startsWith("lib/")),
    "the sources of app/ are found",
  );
  const found = files.flatMap((name) => violations(name, readFileSync(join(app, name), "utf8")));
  assert.deepEqual(found, []);
});

test("the rule sees what it must", () => {
  const bad = (path, source) => violations(path, source).length;
  assert.equal(bad("cart/cart-page.tsx", 'import { x } from "../catalog/list-page";'), 1);
  assert.equal(bad("cart/cart-page.tsx", 'import type { X } from "../shell/app";'), 1);
  assert.equal(bad("cart/cart-page.tsx", 'const page = import("../legal/document-page");'), 1);
  assert.equal(bad("lib/cart.ts", 'export { x } from "../ui/button";'), 1);
  assert.equal(bad("ui/button.tsx", 'import "../cart/cart.css";'), 1);
  assert.equal(bad("ui/button.tsx", 'import { y } from "../../server/x";'), 1);
  assert.equal(
    bad("cart/cart-page.tsx", 'import { x } from "../ui/button";\nimport { y } from "./line";'),
    0,
  );
  assert.equal(bad("shell/app.tsx", 'import { x } from "../cart/cart-page";'), 0);
});

// No style sheet has a rule that cannot match: each class and id in a selector is produced somewhere, and each custom property that is
// defined is used.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import ts from "typescript";

const root = join(import.meta.dirname, "../..");

/** The matching paths in a folder, with their contents. */
function sources(folder, ending) {
  return readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => ending.test(name))
    .map((name) => [`${folder}/${name}`, readFileSync(join(root, folder, name), "utf8")]);
}

/** Empty findings. */
const nothing = () => ({
  class: { names: new Set(), prefixes: new Set() },
  id: { names: new Set(), prefixes: new Set() },
  defined: new Set(),
  used: new Set(),
});

/** Whether an attribute, property, or method of this name takes class names or ids. */
function kindOf(name) {
  if (/^(class|className|classList|\w+ClassName)$/.test(name)) return "class";
  return name === "id" ? "id" : null;
}

/** Collects the classes, ids, and custom properties that a script can set on elements. */
function takeScript(path, source, found) {
  const file = ts.createSourceFile(path, source, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX);
  const visit = (node) => {
    if (ts.isJsxAttribute(node) || ts.isPropertyAssignment(node)) {
      const kind = kindOf(node.name.getText(file));
      // In an object literal, `id` is data.
      const isData = kind === "id" && ts.isPropertyAssignment(node);
      if (kind && !isData && node.initializer) takeTexts(node.initializer, found[kind]);
    } else if (
      ts.isBinaryExpression(node) &&
      node.operatorToken.kind === ts.SyntaxKind.EqualsToken &&
      ts.isPropertyAccessExpression(node.left)
    ) {
      const kind = kindOf(node.left.name.text);
      if (kind) takeTexts(node.right, found[kind]);
    } else if (ts.isCallExpression(node) && /\.classList\.\w+$/.test(node.expression.getText(file)))
      for (const argument of node.arguments) takeTexts(argument, found.class);
    if (ts.isStringLiteralLike(node) || ts.isTemplateLiteralToken(node)) {
      for (const [, name] of node.text.matchAll(/var\(\s*(--[\w-]+)/g)) found.used.add(name);
      if (/^--[\w-]+$/.test(node.text)) {
        const reads = node.parent.expression?.name?.text === "getPropertyValue";
        found[reads ? "used" : "defined"].add(node.text);
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
}

/** Collects the words of every string in an expression; a word followed by an inserted value is a prefix of names. */
function takeTexts(node, { names, prefixes }) {
  const words = (text) => text.split(/\s+/).filter(Boolean);
  if (ts.isStringLiteralLike(node)) for (const word of words(node.text)) names.add(word);
  if (ts.isTemplateExpression(node)) {
    const texts = [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)];
    for (const [at, text] of texts.entries()) {
      // Text directly after an inserted value is the end of a name, so its start is unknown.
      const whole = words(at > 0 ? text.replace(/^\S+/, "") : text);
      const isCut = at < texts.length - 1 && /\S$/.test(text);
      const last = isCut ? whole.pop() : undefined;
      for (const word of whole) names.add(word);
      // Without a hyphen, the inserted value begins with a space or is empty.
      if (last?.endsWith("-")) {
        if (last.length >= 3) prefixes.add(last);
      } else if (last) names.add(last);
    }
  }
  ts.forEachChild(node, (child) => takeTexts(child, { names, prefixes }));
}

/** Collects the classes and ids of HTML in a text, including in Rust strings. */
function takeHtml(source, found) {
  for (const [, name, value] of source.matchAll(/\b(class|id)=\\?"([^"\\{}]+)\\?"/g))
    for (const word of value.split(/\s+/)) found[name].names.add(word);
}

/** The selectors of a sheet, and the custom properties that it defines and uses. */
function readSheet(source) {
  const text = source.replaceAll(/\/\*.*?\*\/|"[^"\n]*"|'[^'\n]*'/gs, (each) =>
    each.startsWith("/") ? "" : '""',
  );
  const selectors = [];
  const defined = new Set();
  const used = new Set([...text.matchAll(/var\(\s*(--[\w-]+)/g)].map(([, name]) => name));
  const blocks = [];
  for (const [, content, end] of text.matchAll(/([^{};]*)([{};])/g)) {
    const prelude = content.trim();
    if (end === "{") {
      const isIn = (name) => blocks.some((each) => each.startsWith(name));
      if (prelude.startsWith("@property")) defined.add(prelude.split(/\s+/)[1]);
      if (!prelude.startsWith("@") && !isIn("@keyframes")) selectors.push(prelude);
      blocks.push(prelude);
    } else {
      const name = prelude.match(/^(--[\w-]+)\s*:/)?.[1];
      if (name) defined.add(name);
      if (end === "}") blocks.pop();
    }
  }
  assert.equal(blocks.length, 0, "the sheet closes what it opens");
  return { selectors, defined, used };
}

/** The unused selectors and properties of a sheet. */
function unused(path, source, found) {
  const { selectors, defined } = readSheet(source);
  const faults = new Set();
  for (const selector of selectors) {
    for (const [, sign, name] of selector
      .replaceAll(/\[[^\]]*\]/g, "")
      .matchAll(/([.#])(-?[a-z_][\w-]*)/gi)) {
      const { names, prefixes } = found[sign === "." ? "class" : "id"];
      const isMade = names.has(name) || [...prefixes].some((prefix) => name.startsWith(prefix));
      if (!isMade) faults.add(`${path}: nothing has ${sign}${name}`);
    }
  }
  for (const name of defined)
    if (!found.used.has(name)) faults.add(`${path}: nothing uses ${name}`);
  return [...faults];
}

test("style sheets have no rule that nothing matches, and no property that nothing uses", () => {
  const found = nothing();
  for (const [path, source] of sources("app", /\.tsx?$/)) takeScript(path, source, found);
  // The stand-ins for external sites in the demo have their own style sheets.
  for (const [path, source] of [...sources("server", /\.rs$/), ...sources("app", /\.html$/)])
    if (!path.startsWith("server/demo/")) takeHtml(source, found);
  const sheets = sources("app", /\.css$/);
  assert.ok(sheets.length > 20 && found.class.names.size > 200, "the sources of app/ are found");
  for (const [, source] of sheets) for (const name of readSheet(source).used) found.used.add(name);
  assert.deepEqual(
    sheets.flatMap(([path, source]) => unused(path, source, found)),
    [],
  );
  const defined = new Set([
    ...found.defined,
    ...sheets.flatMap(([, source]) => [...readSheet(source).defined]),
  ]);
  assert.deepEqual(
    [...defined].filter((name) => !found.used.has(name)),
    [],
    "properties that scripts set are used",
  );
  assert.deepEqual(
    [...found.used].filter((name) => !defined.has(name)),
    [],
    "properties that are used are defined",
  );
});

test("the rule sees what it must", () => {
  const faults = (css, script, html = "") => {
    const found = nothing();
    takeScript("a.tsx", script, found);
    takeHtml(html, found);
    for (const name of readSheet(css).used) found.used.add(name);
    return unused("a.css", css, found).map((fault) => fault.replace("a.css: nothing ", ""));
  };
  const none = "const nothing = 1;";
  assert.deepEqual(faults(".a { color: red; }", none), ["has .a"]);
  assert.deepEqual(faults("#a { color: red; }", none), ["has #a"]);
  assert.deepEqual(faults(".a:not(.b) > c, .d { }", '<p className="a  d" />;'), ["has .b"]);
  assert.deepEqual(faults("@media (width > 1.5rem) { .a { & .b { } } }", none), [
    "has .a",
    "has .b",
  ]);
  assert.deepEqual(faults('/* .a */ b[href=".c"] { content: ".d { }"; }', none), []);
  assert.deepEqual(faults("@keyframes a { 0.5% { top: 0; } }", none), []);
  assert.deepEqual(faults(".a { }", 'const page = { a: "a" };'), ["has .a"], "not any text");
  assert.deepEqual(faults("#a { }", 'const data = { id: "a" };'), ["has #a"], "not any id");
  assert.deepEqual(faults(".a { }", '<p id="a" />;'), ["has .a"]);
  assert.deepEqual(faults(".a, .b { }", '<p className={x ? "a" : "b"} />;'), []);
  assert.deepEqual(faults(".a, .b { }", 'p.className = "a"; p.classList.add("b");'), []);
  assert.deepEqual(faults(".a { }", 'const props = { className: "a" };'), []);
  assert.deepEqual(faults(".a, #b { }", none, 'r#"<p class="a">"#; "<p id=\\"b\\">"'), []);
  assert.deepEqual(
    faults(
      ".toast-a, .c, .b, .d-e { }",
      `<p className={\`b toast-\${x}-d c\${y ? " d-e" : ""}\`} />;`,
    ),
    [],
  );
  assert.deepEqual(faults(".toast, .toaster { }", `<p className={\`toast-\${x}\`} />;`), [
    "has .toast",
    "has .toaster",
  ]);
  assert.deepEqual(faults(".x-a { }", `<p className={\`x-\${x}\`} />;`), ["has .x-a"], "too short");
  assert.deepEqual(faults("a { --b: 0; --c: 1; top: var(--b); }", none), ["uses --c"]);
  assert.deepEqual(faults("a { --b: 0; --c: 1; }", 's = "var(--b)"; t = read("--c");'), [
    "uses --c",
  ]);
  assert.deepEqual(faults("a { --b: 0; }", 'getComputedStyle(a).getPropertyValue("--b");'), []);
});

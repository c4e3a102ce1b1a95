// The build output, as the server and a first-time visitor use it.

import assert from "node:assert/strict";
import { before, test } from "node:test";
import { build } from "esbuild";
import { brotli } from "../../app/brotli.mjs";
import { clientOptions, outputFilesOf, serverOptions } from "../../app/bundle.mjs";

/** Pages on which visits begin, and their like. */
const JS_BUDGET = 68_000;
/** Pages with forms that calculate. */
const FORMS = ["account", "cart", "checkout"];
const FORMS_JS_BUDGET = 74_000;
/** All style sheets of a page together. */
const CSS_BUDGET = 8_000;
/** Both fonts are preloaded. WOFF2 is compressed already. */
const FONT_BUDGET = 46_000;

let files;
let manifest;
let metafile;
const sizes = new Map();

/** Bytes of these files as browsers load them. */
const size = (paths) => paths.reduce((sum, path) => sum + sizes.get(path), 0);

const bundle = async () => {
  const [client, server] = await Promise.all([
    build(clientOptions(true)),
    build(serverOptions(true)),
  ]);
  metafile = client.metafile;
  return outputFilesOf(client, server);
};

before(async () => {
  files = await bundle();
  manifest = JSON.parse(files.get("manifest.json"));
  const sent = [...files.keys()].filter((path) => /^assets\/.*\.(js|css)$/.test(path));
  for (const path of sent) sizes.set(path, (await brotli(files.get(path))).length);
});

test("two builds of the same sources are the same", async () => {
  const again = await bundle();
  assert.deepEqual([...again.keys()], [...files.keys()]);
  assert.equal(JSON.parse(again.get("manifest.json")).build, manifest.build);
});

test("every file that the manifest names is there, and every page has a sample", () => {
  const named = [manifest.entry, ...manifest.code, ...manifest.css, ...manifest.fonts];
  for (const { js, css } of Object.values(manifest.pages)) named.push(...js, ...css);
  for (const path of named) assert.ok(files.has(path), path);
  const sampled = JSON.parse(files.get("samples.json")).map(({ page }) => page);
  assert.deepEqual(sampled.toSorted(), Object.keys(manifest.pages).toSorted());
});

test("public files lead to no source map, and maps are kept apart", () => {
  const assets = [...files.keys()].filter((path) => path.startsWith("assets/"));
  assert.ok(assets.every((path) => !path.endsWith(".map")));
  // Style sheets whose addresses a script imports have no maps.
  const mapped = assets.filter((each) => /\.js$|(start|admin)-.*\.css$/.test(each));
  for (const path of mapped) {
    assert.ok(!Buffer.from(files.get(path)).includes("sourceMappingURL"), path);
    assert.ok(files.has(`maps/${path.slice("assets/".length)}.map`), path);
  }
  assert.ok(files.has("server.js.map"));
});

test("the server's program is plain ASCII", () => {
  assert.ok(files.get("server.js").every((byte) => byte < 128));
});

test("the client holds one React, in its production build", () => {
  const inputs = Object.keys(metafile.inputs);
  const renderers = inputs.filter((path) => path.includes("react-dom-client"));
  assert.deepEqual(renderers, ["node_modules/react-dom/cjs/react-dom-client.production.js"]);
  assert.deepEqual(
    inputs.filter((path) => path.includes(".development.")),
    [],
  );
});

test("mails are worded on the server only, and activity is watched by a chunk of its own", () => {
  const ofClient = Object.keys(metafile.inputs).filter((path) => /^app\/mail.*\.tsx?$/.test(path));
  assert.deepEqual(ofClient, ["app/mail/test-email-page.tsx"]);
  assert.match(Buffer.from(files.get("server.js")).toString(), /Thank you for your order/);
  const first = [manifest.entry, ...manifest.code, ...manifest.pages.home.js];
  const recorder = [...files.keys()].filter((path) => /^assets\/recorder-.*\.js$/.test(path));
  assert.equal(recorder.length, 1);
  assert.ok(!first.includes(recorder[0]));
  assert.ok(!first.some((path) => Buffer.from(files.get(path)).includes("sendBeacon")));
});

test("nothing of the admin area is loaded by shoppers", (context) => {
  const outputs = Object.entries(metafile.outputs);
  const ofAdmin = ({ inputs }) =>
    Object.keys(inputs).some((path) => /^app\/(styles\/)?admin\b/.test(path));
  const secret = new Set(
    outputs.filter(([, output]) => ofAdmin(output)).map(([path]) => path.replace("out/", "")),
  );
  assert.ok(secret.size >= 3, "the code of the admin area is found");
  const common = [manifest.entry, ...manifest.code, ...manifest.css];
  for (const [page, { js, css }] of Object.entries(manifest.pages)) {
    const own = [...new Set([...js, ...css])];
    const loaded = [...new Set([...common, ...own])];
    if (page.startsWith("admin/")) {
      assert.ok(
        css.some((path) => secret.has(path)),
        `${page} has the styles of the admin area`,
      );
      context.diagnostic(`${page}: ${size(loaded)} bytes, ${size(own)} of its own`);
    } else {
      assert.deepEqual(
        loaded.filter((path) => secret.has(path)),
        [],
        page,
      );
    }
  }
});

test("a first visit stays within its budget", (context) => {
  const pages = Object.keys(manifest.pages).filter((page) => !page.startsWith("admin/"));
  for (const page of pages) {
    const js = size([manifest.entry, ...manifest.code, ...manifest.pages[page].js]);
    const css = size([...manifest.css, ...manifest.pages[page].css]);
    context.diagnostic(`${page}: ${js} bytes of JavaScript, ${css} bytes of CSS`);
    const budget = FORMS.includes(page) ? FORMS_JS_BUDGET : JS_BUDGET;
    assert.ok(js <= budget, `${page}: ${js} bytes of JavaScript`);
    assert.ok(css <= CSS_BUDGET, `${page}: ${css} bytes of CSS`);
  }
});

test("each page has the style sheet of its kind, and a late script loads those of all others", () => {
  const pages = Object.keys(manifest.pages).filter((page) => !page.startsWith("admin/"));
  const styles = (page) => manifest.pages[page].css.map((path) => path.replace(/-\w+\.css$/, ""));
  assert.deepEqual(Object.fromEntries(pages.map((page) => [page, styles(page)])), {
    home: ["assets/home"],
    "catalog/list": ["assets/catalog"],
    "catalog/product": ["assets/catalog"],
    cart: ["assets/buying"],
    checkout: ["assets/buying"],
    "checkout/confirm": ["assets/buying"],
    "orders/confirmation": ["assets/buying"],
    account: ["assets/buying"],
    "legal/document": ["assets/texts"],
    "age/refused": ["assets/texts"],
    "mail/test-email": ["assets/buying"],
    "errors/error": ["assets/texts"],
  });
  const names = [...files.keys()].filter((path) => /^assets\/page-styles-.*\.js$/.test(path));
  assert.equal(names.length, 1);
  const script = Buffer.from(files.get(names[0])).toString();
  for (const page of pages)
    for (const path of manifest.pages[page].css) assert.ok(script.includes(`"/${path}"`), path);
});

test("the fonts stay within their budget", () => {
  const size = manifest.fonts.reduce((sum, path) => sum + files.get(path).length, 0);
  assert.equal(manifest.fonts.length, 2);
  assert.ok(size <= FONT_BUDGET, `${size} bytes`);
});

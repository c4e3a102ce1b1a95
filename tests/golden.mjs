// Renders envelopes with React's own build for Node: node tests/golden.mjs < JSON array > JSON array of HTML.
// The bundle differs from the shop's only in the renderer.

import { createRequire } from "node:module";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { buffer, text } from "node:stream/consumers";
import vm from "node:vm";
import { build } from "esbuild";

const root = join(import.meta.dirname, "..");
const { outputFiles } = await build({
  stdin: {
    contents: `
      export { renderToPipeableStream } from "react-dom/server";
      export { createElement } from "react";
      export { App } from "./app/shell/app";
      export { loadPage } from "./app/lib/view";
      export { pages } from "./app/pages";
    `,
    resolveDir: root,
    loader: "tsx",
  },
  bundle: true,
  write: false,
  platform: "node",
  format: "cjs",
  jsx: "automatic",
  loader: { ".css": "empty" },
  define: { "process.env.NODE_ENV": '"production"' },
});
const module = { exports: {} };
const require = createRequire(join(root, "package.json"));
vm.runInThisContext(`(function (module, exports, require) {${outputFiles[0].text}\n})`)(
  module,
  module.exports,
  require,
);
const { renderToPipeableStream, createElement, App, loadPage, pages } = module.exports;

const rendered = [];
for (const envelope of JSON.parse(await text(process.stdin))) {
  const Page = await loadPage(pages, envelope.page);
  const out = new PassThrough();
  const { pipe } = renderToPipeableStream(createElement(App, { envelope, Page }), {
    progressiveChunkSize: Number.POSITIVE_INFINITY,
    onAllReady: () => pipe(out),
    onError: (error) => {
      throw error;
    },
  });
  rendered.push((await buffer(out)).toString());
}
process.stdout.write(JSON.stringify(rendered));

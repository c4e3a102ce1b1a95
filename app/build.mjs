// Builds the app once: node app/build.mjs --out DIR [--production] [--sizes]

import { mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { parseArgs, promisify } from "node:util";
import { gzip } from "node:zlib";
import { build } from "esbuild";
import { brotli } from "./brotli.mjs";
import { clientOptions, outputFilesOf, serverOptions } from "./bundle.mjs";

const { values: options } = parseArgs({
  options: {
    out: { type: "string" },
    production: { type: "boolean", default: false },
    sizes: { type: "boolean", default: false },
  },
});
if (!options.out) throw new Error("--out DIR is missing");

const [client, server] = await Promise.all([
  build(clientOptions(options.production)),
  build(serverOptions(options.production)),
]).catch(async ({ errors, message }) => {
  console.error(message);
  process.exit(errors ? 1 : 2);
});
if (options.production) {
  requireOneReact(client.metafile, "client", "react-dom/cjs/react-dom-client.production.js");
  requireOneReact(server.metafile, "server", "react-dom/cjs/react-dom-server.bun.production.js");
}

const files = await outputFilesOf(client, server);
files.set("packages.json", JSON.stringify(packagesIn(client, server)));
if (options.production) await compress(files);

// Files of an earlier build must not end up in the binary.
for (const folder of ["assets", "maps"])
  await rm(join(options.out, folder), { recursive: true, force: true });
for (const [path, contents] of files) {
  const target = join(options.out, path);
  await mkdir(dirname(target), { recursive: true });
  await writeFile(target, contents);
}
if (options.sizes) printSizes();

/** Two copies of React break hooks and double the download; a development build is slow. */
function requireOneReact(metafile, name, renderer) {
  const inputs = Object.keys(metafile.inputs);
  for (const part of [renderer, "react/cjs/react.production.js"]) {
    if (!inputs.includes(`node_modules/${part}`))
      throw new Error(`The ${name} bundle lacks ${part}`);
  }
  const others = inputs.filter((path) =>
    /react[^/]*\.development\.js$|\/node_modules\/.*node_modules\/react/.test(path),
  );
  if (others.length > 0) throw new Error(`The ${name} bundle holds ${others.join(", ")}`);
}

/** Names of the npm packages whose files are in the bundle. */
function packagesIn(...builds) {
  const inputs = builds.flatMap(({ metafile }) => Object.keys(metafile.inputs));
  const names = inputs.map((path) => path.match(/^node_modules\/((?:@[^/]+\/)?[^/]+)/)?.[1]);
  return [...new Set(names)].filter(Boolean).sort();
}

/** Adds a Brotli and a gzip version of every public text file, unless it would not be smaller. */
async function compress(files) {
  const texts = [...files].filter(([path]) => /^assets\/.*\.(js|css|svg)$/.test(path));
  await Promise.all(
    texts.map(async ([path, contents]) => {
      const [br, gz] = await Promise.all([
        brotli(contents),
        promisify(gzip)(contents, { level: 9 }),
      ]);
      if (br.length < contents.length) files.set(`${path}.br`, br);
      if (gz.length < contents.length) files.set(`${path}.gz`, gz);
    }),
  );
}

/** Prints what a first visit to each page downloads, in bytes for a browser that accepts Brotli. */
function printSizes() {
  const manifest = JSON.parse(files.get("manifest.json"));
  const sum = (paths) =>
    paths.reduce((total, path) => total + (files.get(`${path}.br`) ?? files.get(path)).length, 0);
  const { entry, code, css, fonts, pages } = manifest;
  console.log(`build ${manifest.build}`);
  console.log(
    `css ${sum(css)}  fonts ${sum(fonts)}  server.js ${files.get("server.js").length} (plain)`,
  );
  for (const [name, page] of Object.entries(pages)) {
    console.log(
      `${name}  js ${sum([entry, ...code, ...page.js])} in ${1 + code.length + page.js.length} files`,
    );
  }
}

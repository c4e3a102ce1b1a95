// The esbuild options of the app, and the file layout that the server expects:
//   server.js, server.js.map   the program of the V8 isolates
//   assets/                    public files; each name contains the hash of the contents
//   maps/                      source maps of the public files, not public themselves
//   manifest.json              the files that each page needs (server/platform/web/site.rs)
//   samples.json               one envelope per page, used to warm up the isolates

import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { serverBuild } from "../ssr-runtime/js/esbuild.mjs";
import { reactModules } from "./react-modules.mjs";
import { shrink } from "./shrink.mjs";

export const root = dirname(dirname(fileURLToPath(import.meta.url)));
// A folder that never exists: esbuild writes nothing, and no output depends on the final location.
const virtualOut = join(root, "out");

/** The client: an ES module for each page and for shared code, style sheets, and fonts. */
export function clientOptions(production) {
  return {
    absWorkingDir: root,
    entryPoints: { start: "app/start.ts", admin: "app/styles/admin.css" },
    outdir: virtualOut,
    entryNames: "assets/[name]-[hash]",
    chunkNames: "assets/[name]-[hash]",
    assetNames: "assets/[name]-[hash]",
    publicPath: "/",
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "browser",
    target: "es2022",
    jsx: "automatic",
    jsxDev: !production,
    loader: { ".woff2": "file" },
    plugins: [
      oneChunkPerGroup,
      addressOfStyles(production),
      ...(production ? [reactModules, shrink(isForShoppers)] : []),
    ],
    define: {
      "process.env.NODE_ENV": JSON.stringify(production ? "production" : "development"),
      __SERVER__: "false",
    },
    minify: production,
    // Licenses go into separate files, so that visitors do not download them.
    legalComments: production ? "external" : "none",
    sourcemap: "external",
    metafile: true,
    write: false,
    logLevel: "silent",
  };
}

/** The program that renders in an isolate. */
export function serverOptions(production) {
  return {
    ...serverBuild({ development: !production }),
    absWorkingDir: root,
    entryPoints: { server: "app/server.tsx" },
    outdir: virtualOut,
    metafile: true,
    write: false,
    logLevel: "silent",
  };
}

/** All files of a finished bundle, path to contents. */
export async function outputFilesOf(client, server) {
  const files = new Map();
  for (const file of [...client.outputFiles, ...server.outputFiles]) {
    const path = relative(virtualOut, file.path);
    const isPublicMap = path.startsWith("assets/") && path.endsWith(".map");
    files.set(isPublicMap ? `maps/${basename(path)}` : path, file.contents);
  }
  const samples = await sampleEnvelopes();
  files.set("samples.json", Buffer.from(JSON.stringify(samples)));
  files.set(
    "manifest.json",
    Buffer.from(JSON.stringify(manifest(client.metafile, files), null, 1)),
  );
  return files;
}

async function sampleEnvelopes() {
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: ["app/samples/index.ts"],
    bundle: true,
    format: "esm",
    write: false,
  });
  const { samples } = await import(
    `data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString("base64")}`
  );
  return samples;
}

function manifest(metafile, files) {
  const outputs = new Map(
    Object.entries(metafile.outputs).map(([path, output]) => [relative("out", path), output]),
  );
  const outputOf = (source) => {
    const found = [...outputs].find(([, output]) => output.entryPoint === source);
    if (!found) throw new Error(`${source} has no output of its own`);
    return found;
  };
  const [entry, { cssBundle }] = outputOf("app/start.ts");
  const [client] = outputOf("app/client.tsx");
  const code = loadedWith(client, outputs);
  const [adminStyles] = outputOf("app/styles/admin.css");
  const stylesOf = (name) => {
    const source = `address:app/styles/${name}.css`;
    return [...outputs].find(([, { inputs }]) => source in inputs)[0];
  };
  const [adminTable] = outputOf(ADMIN_PAGES);
  const pages = {};
  for (const [name, source] of pageSources()) {
    const [path, output] = outputOf(source);
    if (output.cssBundle) throw new Error(`${source}: style sheets are named in app/styles`);
    const js = loadedWith(path, outputs).filter((each) => !code.includes(each));
    pages[name] = {
      js: isAdmin(source) ? [adminTable, ...js] : js,
      css: isAdmin(source)
        ? [stylesOf("texts"), stylesOf("buying"), adminStyles]
        : [stylesOf(STYLES[source.split("/")[1]])],
    };
  }
  return {
    build: buildId(files),
    entry,
    code,
    css: cssBundle ? [relative("out", cssBundle)] : [],
    fonts: [...outputs.keys()].filter((path) => path.endsWith(".woff2")).sort(),
    pages,
  };
}

/** A script and all of its static imports, depth first. */
function loadedWith(path, outputs, seen = new Set()) {
  if (seen.has(path)) return [];
  seen.add(path);
  const imports = outputs
    .get(path)
    .imports.filter(({ kind, external }) => kind === "import-statement" && !external);
  return [
    path,
    ...imports.flatMap((each) => loadedWith(relative("out", each.path), outputs, seen)),
  ];
}

const isAdmin = (source) => source.startsWith("app/admin/");

/** The style sheet in app/styles that the pages of a folder have besides main.css. */
const STYLES = {
  home: "home",
  catalog: "catalog",
  legal: "texts",
  errors: "texts",
  age: "texts",
  cart: "buying",
  checkout: "buying",
  orders: "buying",
  account: "buying",
  mail: "buying",
};

/** Renaming takes seconds, so the code of the admin area is left as it is. */
const isForShoppers = ({ inputs }) => !Object.keys(inputs).some(isAdmin);

const ADMIN_PAGES = "app/admin/pages.ts";

/** Page name and source file, in the order of the page tables. */
function pageSources() {
  return ["app/pages.ts", ADMIN_PAGES].flatMap((file) => {
    const table = readFileSync(join(root, file), "utf8");
    const rows = [...table.matchAll(/^\s*"?([\w/-]+)"?: \(\) => import\("\.\/([^"]+)"\),$/gm)];
    const imports = table.split("import(").length - 1;
    if (rows.length !== imports)
      throw new Error(`${file}: a page is not written as name: () => import("./…"),`);
    return rows
      .map(([, name, path]) => [name, `${dirname(file)}/${path}.tsx`])
      .filter(([name]) => name !== "admin");
  });
}

/** Scripts that are loaded later than a page, when it is idle or something asks for them. */
const LATE = [
  "app/account/sign-up-dialog.tsx",
  "app/cart/follow.ts",
  "app/checkout/card.ts",
  "app/checkout/pay.ts",
  "app/lib/api.ts",
  "app/lib/builds.ts",
  "app/lib/error-report.ts",
  "app/lib/recorder.ts",
  "app/lib/run-navigation.ts",
  "app/shell/background.ts",
  "app/shell/page-styles.ts",
  "app/shell/enter.ts",
  "app/shell/sign-in.ts",
  "app/shell/suggest.tsx",
  "app/shell/toast-messages.tsx",
];

/** Code that goes into one chunk, and the scripts that load all of it. */
const GROUPS = [
  {
    of: () => true,
    files: [
      "lib/format",
      "lib/view",
      "shell/root",
      "ui/breadcrumbs",
      "ui/button",
      "ui/icon",
      "ui/picture",
      "ui/use-dismiss",
    ],
  },
  {
    of: (source) =>
      /^app\/(admin|(home|catalog|cart)\/.*-page|lib\/run-navigation|shell\/background)/.test(
        source,
      ),
    files: [
      "lib/click",
      "lib/paint",
      "ui/price",
      "ui/product-card",
      "ui/product-grid",
      "ui/quantity",
    ],
  },
  {
    of: (source) => /^app\/(catalog\/list|errors\/error|cart\/cart)-page/.test(source),
    files: ["ui/category-links", "ui/search-form"],
  },
  {
    of: (source) => /^app\/(cart\/(cart-page|follow)|checkout\/(checkout-page|pay\.))/.test(source),
    files: [
      "checkout/checkout-key",
      "lib/cart-absorb",
      "lib/cart-cookie",
      "lib/cart-notes",
      "lib/cart-record",
      "lib/quote",
      "ui/promo-field",
    ],
  },
  {
    of: (source) =>
      /^app\/(cart\/(cart-page|follow)|checkout\/(checkout-page|confirm-page|pay\.)|orders\/confirmation-page)/.test(
        source,
      ),
    files: ["lib/load", "lib/promo", "ui/totals"],
  },
  {
    of: isAdmin,
    files: ["ui/field", "ui/state-field", "admin/layout", ...adminParts()],
  },
];

/**
 * By default esbuild makes a chunk for each set of entries that share a module, which would be dozens of tiny files. So each
 * entry imports all of the code of its groups.
 */
const oneChunkPerGroup = {
  name: "one chunk per group",
  setup({ onLoad }) {
    const app = join(root, "app");
    const entries = ["app/client.tsx", ...LATE, ...pageSources().map(([, source]) => source)];
    onLoad({ filter: /\.tsx?$/ }, ({ path }) => {
      const source = relative(root, path);
      if (!entries.includes(source)) return undefined;
      const up = relative(dirname(path), app) || ".";
      const files = GROUPS.filter((group) => group.of(source)).flatMap((group) => group.files);
      const imports = ["react-dom/client", ...files.map((name) => `${up}/${name}`)];
      const lines = imports.map((name) => `import "${name}";`).join(" ");
      // At the end, so that line numbers in the source map stay correct.
      return { contents: `${readFileSync(path, "utf8")}\n${lines}`, loader: "tsx" };
    });
  },
};

/** What the folder contains besides style sheets. */
function adminParts() {
  const names = readdirSync(join(root, "app/admin/parts"));
  return names.filter((name) => !name.endsWith(".css")).map((name) => `admin/parts/${name}`);
}

/** Bundles a style sheet that a script imports with `?address` into a file of its own, and gives its address to the script. */
const addressOfStyles = (production) => ({
  name: "address of styles",
  setup({ onResolve, onLoad }) {
    const namespace = "address";
    onResolve({ filter: /\.css\?address$/ }, ({ path, resolveDir }) => ({
      path: relative(root, join(resolveDir, path)).replace("?address", ""),
      namespace,
    }));
    onLoad({ filter: /./, namespace }, async ({ path }) => {
      const { outputFiles } = await build({
        absWorkingDir: root,
        entryPoints: [path],
        bundle: true,
        minify: production,
        write: false,
      });
      return { contents: outputFiles[0].contents, loader: "file" };
    });
  },
});

function buildId(files) {
  const hash = createHash("sha256");
  for (const path of [...files.keys()].sort())
    hash.update(path).update("\0").update(files.get(path));
  return hash.digest("hex").slice(0, 16);
}

// React's packages are CommonJS. As ES modules they need no helpers, and what nobody uses of them is left out.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

const { resolve } = createRequire(import.meta.url);

/** Their production builds. */
const BUILDS = {
  react: "react/cjs/react.production.js",
  "react/jsx-runtime": "react/cjs/react-jsx-runtime.production.js",
  "react-dom": "react-dom/cjs/react-dom.production.js",
  "react-dom/client": "react-dom/cjs/react-dom-client.production.js",
  scheduler: "scheduler/cjs/scheduler.production.js",
};

export const reactModules = {
  name: "react modules",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^(react|scheduler)/ }, ({ path }) => {
      const build = BUILDS[path.replace(/\.js$/, "")];
      if (!build) return undefined;
      const [name, ...rest] = build.split("/");
      return { path: join(dirname(resolve(`${name}/package.json`)), ...rest) };
    });
    onLoad({ filter: /\/cjs\/.*\.production\.js$/ }, ({ path }) => ({
      contents: moduleOf(readFileSync(path, "utf8")),
    }));
  },
};

/** The same program as an ES module. */
function moduleOf(source) {
  const imports = [];
  const exported = new Set();
  const body = source
    .replace(/(\w+) = require\("([^"]+)"\)/g, (_, name, path) => {
      imports.push(`import * as ${name} from "${path}";`);
      return `${name}$ = 0`;
    })
    .replace(/^( *)exports\.(\w+)/gm, (_, indent, name) => {
      const isFirst = !exported.has(name);
      exported.add(name);
      return `${indent}${isFirst ? "let " : ""}exports_${name}`;
    })
    .replace(/\bexports\.(\w+)/g, "exports_$1");
  const names = [...exported].map((name) => `exports_${name} as ${name}`);
  // In front on the first line and after the last, so that line numbers in the source map stay correct.
  return `${imports.join(" ")} ${body}\nexport { ${names.join(", ")} };`;
}

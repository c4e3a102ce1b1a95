// The esbuild options of a server bundle: what an isolate of ssr-runtime can run.
import { createRequire } from "node:module";
import path from "node:path";

const reactDom = path.dirname(createRequire(import.meta.url).resolve("react-dom/package.json"));
const stub = (name) => path.join(import.meta.dirname, "stubs", `${name}.js`);

/**
 * React's build for Bun writes strings where the others write bytes, which is what a render here wants. The package's
 * exports hide the file, and its public entry adds a second renderer, hence the alias by path.
 *
 * @param {{ development?: boolean }} [options] development: React's warnings, readable names, no minification
 * @returns {import("esbuild").BuildOptions}
 */
export function serverBuild({ development = false } = {}) {
  const mode = development ? "development" : "production";
  return {
    bundle: true,
    platform: "neutral",
    mainFields: ["module", "main"],
    format: "iife",
    target: "esnext",
    charset: "ascii",
    minify: !development,
    sourcemap: "external",
    sourcesContent: false,
    jsx: "automatic",
    jsxDev: development,
    define: { "process.env.NODE_ENV": JSON.stringify(mode), __SERVER__: "true" },
    alias: {
      "react-ssr": path.join(reactDom, "cjs", `react-dom-server.bun.${mode}.js`),
      util: stub("util"),
      crypto: stub("empty"),
      stream: stub("empty"),
    },
    loader: { ".css": "empty" },
    logLevel: "warning",
  };
}

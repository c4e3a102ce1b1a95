// Who is measured: how each is built and started, and what it cannot do.

import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { bundle, environment, modules, runBuild, work, writeFiles } from "./build.mjs";
import { isKept, pages } from "./pages.mjs";

/** One server runs at a time, all on this port. The demonstration shop takes the next three, too. */
export const PORT = 18700;
export const ORIGIN = `http://localhost:${PORT}`;

const shopBinary = resolve(process.env.SHOP_BINARY ?? "target/release/shop");
const node = process.execPath;
const bun = join(modules, "@oven/bun-linux-x64/bin/bun");
const deno = join(modules, "@deno/linux-x64-glibc/deno");
const env = { ...environment(), PORT: String(PORT) };

/** The command that serves the demonstration shop with the data in a folder. */
export function shopCommand(data) {
  const args = ["demo", "--empty", "--port", String(PORT), "--data", data, "--isolates", "1"];
  return { command: shopBinary, args, env: process.env };
}

/**
 * `kept` is the address of a page that may be rendered once, where it is not the page's own; `rows` says which rows a
 * peer takes part in.
 */
export const peers = [
  {
    name: "shop",
    title: "shop, one isolate",
    build() {},
    start: ({ data }) => shopCommand(data),
  },
  {
    name: "bun",
    title: `Bun ${versionOf("@oven/bun-linux-x64")}`,
    build: () => bundle("bun"),
    start: () => ({ command: bun, args: [join(work, "bun/server.mjs")], env }),
  },
  {
    name: "deno",
    title: `Deno ${versionOf("@deno/linux-x64-glibc")}`,
    build: () => bundle("deno"),
    start: () => ({ command: deno, args: ["run", "-A", join(work, "deno/server.mjs")], env }),
  },
  {
    name: "node",
    title: `Node ${process.versions.node} + Fastify ${versionOf("fastify")}`,
    build: () => bundle("node"),
    start: () => ({ command: node, args: [join(work, "node/server.mjs")], env }),
  },
  {
    name: "react-router",
    title: `React Router ${versionOf("react-router")}`,
    build: () => runBuild("react-router", "@react-router/dev/bin.cjs", ["build"]),
    start: () => {
      const host = join(import.meta.dirname, "hosts/react-router.mjs");
      return { command: node, args: [host, join(work, "react-router")], env };
    },
    kept: ({ name }) => `/kept/${name}`,
  },
  {
    name: "next",
    title: `Next.js ${versionOf("next")}`,
    build: () => runBuild("next", "next/dist/bin/next", ["build"]),
    start: () => {
      const script = join(modules, "next/dist/bin/next");
      const args = [script, "start", "--port", String(PORT), "--hostname", "127.0.0.1"];
      return { command: node, args, env, cwd: join(import.meta.dirname, "next") };
    },
    kept: ({ name }) => `/kept/${name}`,
  },
  {
    name: "nginx",
    title: "nginx, files",
    build: ({ documents }) =>
      writeFiles(
        pages
          .filter(({ modes, signedIn }) => modes.includes("kept") && !signedIn)
          .map((page) => [page.same, documents[page.name].kept]),
        PORT,
      ),
    start: () => ({ command: "nginx", args: ["-c", join(work, "nginx/nginx.conf")], env }),
    rows: ({ page, mode }) => isKept(mode) && !page.signedIn,
  },
];

function versionOf(name) {
  return JSON.parse(readFileSync(join(modules, name, "package.json"), "utf8")).version;
}

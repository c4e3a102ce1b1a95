// Builds the peers from the components in app/, each with the tools of its own, into .work/.

import { strict as assert } from "node:assert";
import { spawnSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { build } from "esbuild";

const here = import.meta.dirname;
export const work = join(here, ".work");
export const modules = join(here, "node_modules");
export const pagesFile = join(work, "pages.json");

/** One file for a runtime, with React as its package gives it to that runtime. */
export async function bundle(runtime) {
  await build({
    entryPoints: [join(here, `hosts/${runtime}.tsx`)],
    outfile: join(work, runtime, "server.mjs"),
    bundle: true,
    minify: true,
    platform: "node",
    format: "esm",
    target: "esnext",
    conditions: [runtime],
    jsx: "automatic",
    define: { "process.env.NODE_ENV": '"production"', __SERVER__: "false" },
    // One copy of React for the components and the host.
    alias: { react: join(modules, "react"), "react-dom": join(modules, "react-dom") },
    banner: {
      js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);',
    },
    logLevel: "error",
  });
}

/** Runs a framework's build in its folder. */
export function runBuild(folder, script, args) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(modules, script), ...args], {
    cwd: join(here, folder),
    env: environment(),
    encoding: "utf8",
  });
  assert.equal(status, 0, `${folder} was not built:\n${stdout}${stderr}`);
}

/** What every peer has in its environment. */
export function environment() {
  const { PATH, HOME } = process.env;
  return { PATH, HOME, NODE_ENV: "production", NEXT_TELEMETRY_DISABLED: "1", PAGES: pagesFile };
}

/** The shop's documents as files, also compressed as well as possible, for nginx. */
export function writeFiles(documents, port) {
  const root = join(work, "nginx");
  rmSync(root, { recursive: true, force: true });
  for (const [path, document] of documents) {
    const file = `${join(root, "html", path)}.html`;
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, document);
    writeFileSync(`${file}.br`, brotliCompressSync(document));
    writeFileSync(`${file}.gz`, gzipSync(document, { level: 9 }));
  }
  writeFileSync(
    join(root, "nginx.conf"),
    `load_module /usr/lib/nginx/modules/ngx_http_brotli_static_module.so;
daemon off;
worker_processes 1;
pid ${root}/pid;
error_log stderr crit;
events { worker_connections 256; }
http {
  access_log off;
  sendfile on;
  tcp_nopush on;
  keepalive_requests 1000000000;
  open_file_cache max=100;
  types { }
  default_type "text/html; charset=utf-8";
  gzip_static on;
  brotli_static on;
  client_body_temp_path ${root}/body;
  proxy_temp_path ${root}/proxy;
  fastcgi_temp_path ${root}/fastcgi;
  uwsgi_temp_path ${root}/uwsgi;
  scgi_temp_path ${root}/scgi;
  server {
    listen 127.0.0.1:${port};
    root ${root}/html;
    location / { try_files $uri.html =404; }
  }
}
`,
  );
}

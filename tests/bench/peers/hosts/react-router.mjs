// React Router's own server (react-router-serve) without its log, with a faster compression, and with the pages that
// were rendered at the build held in memory.
import { readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { brotliCompressSync, constants, zstdCompressSync } from "node:zlib";
import { createRequestListener } from "@remix-run/node-fetch-server";
import { createRequestHandler } from "react-router";

const [folder] = process.argv.slice(2);
const build = await import(join(folder, "server/index.js"));
const handle = createRequestHandler(build, "production");
const FAST = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };

const kept = new Map();
for (const name of readdirSync(join(folder, "client/kept"), { withFileTypes: true })) {
  if (!name.isDirectory()) continue;
  const plain = readFileSync(join(folder, "client/kept", name.name, "index.html"));
  kept.set(`/kept/${name.name}`, { plain, packed: brotliCompressSync(plain) });
}

const listener = createRequestListener(async (request) => {
  const response = await handle(request);
  if (!isPacked(request.headers.get("accept-encoding"))) return response;
  const { status, headers } = response;
  headers.set("content-encoding", "zstd");
  headers.append("vary", "accept-encoding");
  return new Response(zstdCompressSync(await response.arrayBuffer(), FAST), { status, headers });
});

createServer((request, response) => {
  const page = kept.get(request.url);
  if (!page) return listener(request, response);
  const packed = isPacked(request.headers["accept-encoding"]);
  const body = packed ? page.packed : page.plain;
  response.setHeader("content-type", "text/html; charset=utf-8");
  response.setHeader("content-length", body.length);
  if (packed) response.setHeader("content-encoding", "br").setHeader("vary", "accept-encoding");
  response.end(body);
}).listen(Number(process.env.PORT), "127.0.0.1");

function isPacked(encodings) {
  return encodings?.includes("zstd") ?? false;
}

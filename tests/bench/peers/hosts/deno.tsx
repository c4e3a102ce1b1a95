import { readFileSync } from "node:fs";
import process from "node:process";
import { brotliCompressSync, constants, zstdCompressSync } from "node:zlib";
import { mayKeep, openDocuments } from "./document";

declare const Deno: { serve(options: object, handler: (request: Request) => Response): unknown };

const documentOf = openDocuments(JSON.parse(readFileSync(process.env.PAGES ?? "", "utf8")));
const kept = new Map<string, Uint8Array>();
const HEADERS = { "content-type": "text/html; charset=utf-8" };
const FAST = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };

function answer(url: string, cookie: string | null, packed: boolean): Response {
  const html = documentOf(url, cookie);
  if (html === undefined) return new Response("Not found", { status: 404 });
  if (mayKeep(url, cookie)) {
    const body = packed ? brotliCompressSync(html) : new TextEncoder().encode(html);
    kept.set(`${packed} ${url}`, body);
    return respond(body, packed ? "br" : undefined);
  }
  if (!packed) return new Response(html, { headers: HEADERS });
  return respond(zstdCompressSync(html, FAST), "zstd");
}

function respond(body: Uint8Array, encoding?: string): Response {
  const headers = encoding
    ? { ...HEADERS, "content-encoding": encoding, vary: "accept-encoding" }
    : HEADERS;
  return new Response(body, { headers });
}

Deno.serve({ port: Number(process.env.PORT), hostname: "127.0.0.1" }, ({ url, headers }) => {
  const cookie = headers.get("cookie");
  const packed = headers.get("accept-encoding")?.includes("zstd") ?? false;
  const body = mayKeep(url, cookie) && kept.get(`${packed} ${url}`);
  return body ? respond(body, packed ? "br" : undefined) : answer(url, cookie, packed);
});

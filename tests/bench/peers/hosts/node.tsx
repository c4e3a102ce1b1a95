import { readFileSync } from "node:fs";
import { brotliCompressSync, constants, zstdCompressSync } from "node:zlib";
import fastify from "fastify";
import { mayKeep, openDocuments } from "./document";

const documentOf = openDocuments(JSON.parse(readFileSync(process.env.PAGES ?? "", "utf8")));
const kept = new Map<string, Buffer>();
const FAST = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };

const app = fastify({ logger: false });
app.get("/*", (request, reply) => {
  const { url, headers } = request;
  const packed = headers["accept-encoding"]?.includes("zstd") ?? false;
  reply.header("content-type", "text/html; charset=utf-8");
  if (packed) reply.header("vary", "accept-encoding");
  const keep = mayKeep(url, headers.cookie);
  const encoding = keep ? "br" : "zstd";
  let body: string | Buffer | undefined = keep ? kept.get(`${packed} ${url}`) : undefined;
  if (!body) {
    const html = documentOf(url, headers.cookie);
    if (html === undefined) return reply.code(404).send("Not found");
    if (keep) {
      body = packed ? brotliCompressSync(html) : Buffer.from(html);
      kept.set(`${packed} ${url}`, body as Buffer);
    } else body = packed ? zstdCompressSync(html, FAST) : html;
  }
  if (packed) reply.header("content-encoding", encoding);
  return reply.send(body);
});
await app.listen({ port: Number(process.env.PORT), host: "127.0.0.1" });

import { get as ask } from "node:http";
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from "node:zlib";

/** One request on a connection of its own. `body` is decoded, `bytes` is what was sent. */
export function get(url, headers = {}) {
  return new Promise((resolve, reject) => {
    ask(url, { headers, agent: false }, (response) => {
      const parts = [];
      response.on("data", (part) => parts.push(part));
      response.on("error", reject);
      response.on("end", () => {
        const sent = Buffer.concat(parts);
        const encoding = response.headers["content-encoding"] ?? "identity";
        resolve({
          status: response.statusCode,
          headers: response.headers,
          encoding,
          bytes: sent.length,
          body: DECODERS[encoding](sent),
        });
      });
    }).on("error", reject);
  });
}

const DECODERS = {
  identity: (bytes) => bytes,
  gzip: gunzipSync,
  br: brotliDecompressSync,
  zstd: zstdDecompressSync,
};

// The loop for comparison in tests/bench/render.rs: the shop's own bundle renders one envelope in Node.
// node tests/bench/render.mjs bundle envelope warm-up-ms measure-ms expected-length

import { strict as assert } from "node:assert";
import { readFileSync } from "node:fs";
import vm from "node:vm";

const [bundle, envelope, warmUp, measure, length] = process.argv.slice(2);
const { console, performance, Buffer, setTimeout, clearTimeout } = globalThis;
const encoder = new TextEncoder();
const decoder = new TextDecoder();
// What the host of the isolates provides to runtime.js, implemented with Node.
globalThis.Deno = {
  core: {
    createTimer: (callback, delay) => setTimeout(callback, delay),
    cancelTimer: clearTimeout,
    encode: (text) => encoder.encode(text),
    decode: (bytes) => decoder.decode(bytes),
    setReportExceptionCallback() {},
    setUnhandledPromiseRejectionHandler() {},
    ops: {
      op_log: (_level, text) => console.error(text),
      op_timer_now: () => performance.now(),
    },
  },
};
for (const script of ["ssr-runtime/js/runtime.js", bundle]) {
  vm.runInThisContext(readFileSync(script, "utf8"), { filename: script });
}
await globalThis.warm?.();
const json = readFileSync(envelope, "utf8");
assert.equal(Buffer.byteLength(await globalThis.render(json)), Number(length));
await loop(Number(warmUp));
console.log(await loop(Number(measure)));

async function loop(ms) {
  const began = performance.now();
  let renders = 0;
  while (performance.now() - began < ms) {
    const html = globalThis.render(json);
    if (typeof html !== "string") await html;
    renders += 1;
  }
  return renders / ((performance.now() - began) / 1000);
}

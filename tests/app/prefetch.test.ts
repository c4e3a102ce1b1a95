import assert from "node:assert/strict";
import { test } from "node:test";
import { fetchedSoon } from "../../app/lib/navigator";
import { createPrefetchCache, payloadUrl } from "../../app/lib/payload";
import { createPrefetchQueue, mayFetchAhead } from "../../app/lib/prefetch";
import type { Envelope } from "../../app/lib/types";
import { deferred, manualTimers, settle } from "./support";

function queue() {
  const started: string[] = [];
  const running = new Map<string, ReturnType<typeof deferred<void>>>();
  const it = createPrefetchQueue((href) => {
    started.push(href);
    const run = deferred<void>();
    running.set(href, run);
    return run.promise;
  });
  const end = async (href: string) => {
    running.get(href)?.resolve();
    await settle();
  };
  return { it, started, running, end };
}

test("at most 4 prefetches run; the next begins when one ends", async () => {
  const { it, started, end } = queue();
  for (const href of ["a", "b", "c", "d", "e", "f"]) it.add(href);
  assert.deepEqual(started, ["a", "b", "c", "d"]);
  await end("b");
  assert.deepEqual(started.slice(4), ["e"]);
});

test("of sixty links that come into view six are prefetched, and each that is about to be clicked", async () => {
  const { it, started, end } = queue();
  for (let at = 0; at < 60; at++) it.add(`/${at}`);
  for (let at = 0; at < 6; at++) await end(`/${at}`);
  assert.deepEqual(started, ["/0", "/1", "/2", "/3", "/4", "/5"]);
  it.add("/40", true);
  assert.deepEqual(started.slice(6), ["/40"]);
  await end("/40");
  it.clear();
  it.add("/of-the-next-page");
  assert.deepEqual(started.slice(7), ["/of-the-next-page"]);
});

test("a link that leaves the view before its turn makes room for another", async () => {
  const { it, started, end } = queue();
  for (const href of ["a", "b", "c", "d", "e", "f"]) it.add(href);
  it.drop("e");
  it.add("g");
  for (const href of ["a", "b", "c", "d"]) await end(href);
  assert.deepEqual(started.slice(4), ["f", "g"]);
});

test("a failed prefetch makes room like any other", async () => {
  const { it, started, running } = queue();
  for (const href of ["a", "b", "c", "d", "e"]) it.add(href);
  running.get("a")?.reject(new TypeError("network"));
  await settle();
  assert.deepEqual(started.slice(4), ["e"]);
});

test("what is about to be clicked goes first, what has left the view not at all", async () => {
  const { it, started, end } = queue();
  for (const href of ["a", "b", "c", "d", "e", "f", "g"]) it.add(href);
  it.add("g", true);
  it.drop("e");
  await end("a");
  await end("b");
  await end("c");
  assert.deepEqual(started.slice(4), ["g", "f"]);
});

test("the same link is queued once, and a cleared queue starts nothing", async () => {
  const { it, started, end } = queue();
  for (const href of ["a", "a", "b", "c", "d", "e", "e"]) it.add(href);
  it.clear();
  await end("a");
  assert.deepEqual(started, ["a", "b", "c", "d"]);
});

test("nothing is guessed on a metered or very slow connection", () => {
  assert.equal(mayFetchAhead({}), true);
  assert.equal(mayFetchAhead({ connection: { effectiveType: "4g", saveData: false } }), true);
  assert.equal(mayFetchAhead({ connection: { effectiveType: "3g" } }), true);
  assert.equal(mayFetchAhead({ connection: { effectiveType: "2g" } }), false);
  assert.equal(mayFetchAhead({ connection: { effectiveType: "slow-2g" } }), false);
  assert.equal(mayFetchAhead({ connection: { effectiveType: "4g", saveData: true } }), false);
});

const envelope = (page: string) => Promise.resolve({ page } as Envelope);

test("a prefetched answer is good once, for 30 seconds", () => {
  let now = 0;
  const shelf = createPrefetchCache(() => now);
  shelf.put("/a", envelope("a"));
  shelf.put("/b", envelope("b"));
  now = 29_999;
  assert.ok(shelf.take("/a"));
  assert.equal(shelf.take("/a"), undefined);
  now = 30_000;
  assert.equal(shelf.has("/b"), false);
  assert.equal(shelf.take("/b"), undefined);
});

test("the shelf is bounded, and drops what is oldest or has failed", async () => {
  const shelf = createPrefetchCache(() => 0);
  for (let index = 0; index < 40; index++) shelf.put(`/${index}`, envelope("x"));
  assert.equal(shelf.has("/7"), false);
  assert.equal(shelf.has("/8"), true);
  assert.equal(shelf.has("/39"), true);
  shelf.put("/fails", Promise.reject(new TypeError("network")));
  await settle();
  assert.equal(shelf.has("/fails"), false);
  shelf.clear();
  assert.equal(shelf.has("/39"), false);
});

test("an answer that says nothing about the page is not kept for the click", async () => {
  const shelf = createPrefetchCache(() => 0);
  const kept = async (status: number) => {
    shelf.put("/a", Promise.resolve({ page: "errors/error", status } as Envelope));
    await settle();
    return shelf.has("/a");
  };
  for (const status of [429, 500, 503]) assert.equal(await kept(status), false, `${status}`);
  for (const status of [200, 403, 404, 410]) assert.equal(await kept(status), true, `${status}`);
});

test("a click that waits for an error of the server takes its own answer", async () => {
  const timers = manualTimers();
  const shelf = createPrefetchCache(timers.now);
  const [early, own] = [deferred<Envelope>(), deferred<Envelope>()];
  shelf.put("/a", early.promise);
  const ahead = shelf.take("/a");
  assert.ok(ahead);
  const shown = fetchedSoon(ahead, () => own.promise, timers);
  timers.advance(500);
  await settle();
  early.resolve({ page: "errors/error", status: 503 } as Envelope);
  await settle();
  own.resolve({ page: "a", status: 200 } as Envelope);
  assert.equal((await shown).status, 200);
});

test("a page's payload has the page's address and query", () => {
  const origin = "https://shop.example.com";
  const of = (path: string) => payloadUrl(new URL(path, origin)).replace(origin, "");
  assert.equal(of("/"), "/_payload.json");
  assert.equal(of("/product/42?variant=A#top"), "/product/42/_payload.json?variant=A");
  assert.equal(of("/products/"), "/products/_payload.json");
  const confusing = new URL(`${origin}//evil.example/x`);
  assert.equal(payloadUrl(confusing), `${origin}//evil.example/x/_payload.json`);
});

import assert from "node:assert/strict";
import { getEventListeners } from "node:events";
import { mock, test } from "node:test";
import { fetchEnvelope } from "../../app/lib/payload";
import { timeLimit } from "../../app/lib/timers";
import { silence } from "./support";

const url = new URL("https://shop.example.com/products?page=2");

test("a server that says nothing for 10 s is given up", async (t) => {
  const clock = new AbortController();
  const timeout = mock.method(AbortSignal, "timeout", () => clock.signal);
  const fetched = mock.method(globalThis, "fetch", silence);
  t.after(() => mock.restoreAll());
  const answer = fetchEnvelope(url);
  assert.deepEqual(timeout.mock.calls[0]?.arguments, [10_000]);
  assert.equal(fetched.mock.calls[0]?.arguments[0], `${url.origin}/products/_payload.json?page=2`);
  clock.abort(new DOMException("late", "TimeoutError"));
  await assert.rejects(answer, { name: "TimeoutError" });
});

test("a caller that goes away ends the request", async (t) => {
  mock.method(globalThis, "fetch", silence);
  t.after(() => mock.restoreAll());
  const caller = new AbortController();
  const answer = fetchEnvelope(url, { signal: caller.signal });
  caller.abort();
  await assert.rejects(answer, { name: "AbortError" });
});

test("a limit that has passed leaves no listener with its caller", (t) => {
  const clock = new AbortController();
  mock.method(AbortSignal, "timeout", () => clock.signal);
  t.after(() => mock.restoreAll());
  const { signal } = new AbortController();
  const limit = timeLimit(signal);
  assert.equal(getEventListeners(signal, "abort").length, 1);
  clock.abort();
  assert.equal(limit.aborted, true);
  assert.equal(getEventListeners(signal, "abort").length, 0);
});

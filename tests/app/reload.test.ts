import assert from "node:assert/strict";
import { test } from "node:test";
import { createReloadGuard, RELOAD_KEY } from "../../app/lib/reload";
import { memoryStorage } from "./support";

test("a page reloads for missing code once in 10 seconds", () => {
  let now = 1_000;
  const { raw, storage } = memoryStorage();
  const mayReload = createReloadGuard(storage, () => now);
  assert.equal(mayReload("/a"), true);
  now += 9_999;
  assert.equal(mayReload("/a"), false);
  now += 1;
  assert.equal(mayReload("/a"), true);
  raw.set(RELOAD_KEY, "nonsense");
  assert.equal(mayReload("/a"), true);
});

test("each path has its own 10 seconds, whatever was reloaded in between", () => {
  let now = 1_000;
  const { raw, storage } = memoryStorage();
  const mayReload = createReloadGuard(storage, () => now);
  assert.equal(mayReload("/a"), true);
  now += 4_000;
  assert.equal(mayReload("/b"), true);
  assert.equal(mayReload("/a"), false);
  now += 6_000;
  assert.equal(mayReload("/b"), false);
  assert.equal(mayReload("/a"), true);
  now += 10_000;
  assert.equal(mayReload("/c"), true);
  assert.deepEqual(
    JSON.parse(raw.get(RELOAD_KEY) ?? ""),
    { "/c": now },
    "what is over is forgotten",
  );
});

test("without a memory there is no reload, for it might never end", () => {
  const mayReload = createReloadGuard(
    { read: () => null, write: () => false, remove: () => {} },
    () => 0,
  );
  assert.equal(mayReload("/a"), false);
});

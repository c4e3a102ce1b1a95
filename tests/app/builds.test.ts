import assert from "node:assert/strict";
import { test } from "node:test";
import { createBuildWatch, createReloadGuard, RELOAD_KEY } from "../../app/lib/builds";
import { memoryStorage } from "./support";

function watch(answers: Record<string, unknown>) {
  let now = 0;
  const asked: string[] = [];
  const it = createBuildWatch(
    "one",
    async (path) => {
      asked.push(path);
      if (!(path in answers)) throw new Error(`${path} answered 404`);
      return answers[path];
    },
    () => now,
  );
  return { it, asked, answers, pass: (ms: number) => (now += ms) };
}

test("the same build is current", async () => {
  const { it, asked } = watch({ "/builds/latest.json": { id: "one", timestamp: 1 } });
  await it.check();
  assert.equal(it.outdated(), false);
  assert.deepEqual(asked, ["/builds/latest.json"]);
});

test("another build counts once it can be reached", async () => {
  const { it, asked, answers } = watch({ "/builds/latest.json": { id: "two", timestamp: 2 } });
  await it.check();
  assert.equal(it.outdated(), false);
  answers["/builds/meta/two.json"] = { id: "two", timestamp: 2, pages: {} };
  await it.check();
  assert.equal(it.outdated(), true);
  await it.check();
  assert.equal(asked.length, 4);
});

test("a server that is away or answers nonsense changes nothing", async () => {
  const { it, answers } = watch({});
  await it.check();
  answers["/builds/latest.json"] = ["two"];
  await it.check();
  assert.equal(it.outdated(), false);
});

test("coming back to the tab asks at most once a minute", async () => {
  const { it, asked, pass } = watch({ "/builds/latest.json": { id: "one" } });
  pass(59_999);
  await it.checkOnReturn();
  assert.equal(asked.length, 0);
  pass(1);
  await it.checkOnReturn();
  await it.checkOnReturn();
  assert.equal(asked.length, 1);
});

test("a page reloads for missing code once in 10 seconds", () => {
  let now = 1_000;
  const { raw, storage } = memoryStorage();
  const mayReload = createReloadGuard(storage, () => now);
  assert.equal(mayReload("/a"), true);
  now += 9_999;
  assert.equal(mayReload("/a"), false);
  assert.equal(mayReload("/b"), true);
  raw.clear();
  assert.equal(mayReload("/a"), true);
  now += 10_000;
  assert.equal(mayReload("/a"), true);
  raw.set(RELOAD_KEY, "nonsense");
  assert.equal(mayReload("/a"), true);
});

test("without a memory there is no reload, for it might never end", () => {
  const mayReload = createReloadGuard(
    { read: () => null, write: () => false, remove: () => {} },
    () => 0,
  );
  assert.equal(mayReload("/a"), false);
});

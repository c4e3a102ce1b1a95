import assert from "node:assert/strict";
import { test } from "node:test";
import { createBuildWatch } from "../../app/lib/builds";

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

test("a page that is quiet looks whether its own build is still served", async () => {
  const { it, asked, answers } = watch({ "/builds/meta/one.json": { id: "one", pages: {} } });
  await it.confirm();
  assert.deepEqual(asked, ["/builds/meta/one.json"]);
  assert.equal(it.outdated(), false);
  delete answers["/builds/meta/one.json"];
  answers["/builds/latest.json"] = { id: "two" };
  answers["/builds/meta/two.json"] = { id: "two", pages: {} };
  await it.confirm();
  assert.equal(it.outdated(), true);
});

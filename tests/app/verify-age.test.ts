import assert from "node:assert/strict";
import { afterEach, mock, test } from "node:test";
import { checkBirthDate } from "../../app/lib/verify-age";
import { answering, silence } from "./support";

afterEach(() => mock.restoreAll());

test("the visitor's age is asked at the page's own origin, in the name of who is signed in", async () => {
  const fetched = mock.method(globalThis, "fetch", answering([200, { verified: true }]));
  assert.equal(await checkBirthDate("1980-05-17", "ada"), null);
  const [url, init] = fetched.mock.calls[0]?.arguments ?? [];
  assert.equal(url, "/api/verify-age");
  assert.deepEqual(JSON.parse(String(init?.body)), {
    birth_date: "1980-05-17",
    user_id: "ada",
    preferred_state: null,
  });
});

test("what needs no server is told without it", async () => {
  const fetched = mock.method(globalThis, "fetch", silence);
  for (const text of ["", "1980-02-30", "May 17, 1980"]) {
    assert.equal(await checkBirthDate(text, null), "Please enter your date of birth.", text);
  }
  assert.equal(fetched.mock.callCount(), 0);
});

test("only the server says who is too young, as the page may have been made yesterday", async () => {
  const fetched = mock.method(globalThis, "fetch", answering([200, { verified: true }]));
  assert.equal(await checkBirthDate("2999-11-22", null), null);
  assert.equal(fetched.mock.callCount(), 1);
});

test("who is no longer signed in passes as a guest, also where somebody else is", async () => {
  const refusal = { errors: { user_id: ["That is not who is signed in."] } };
  const fetched = mock.method(globalThis, "fetch", answering([422, refusal], [200, {}]));
  assert.equal(await checkBirthDate("1980-05-17", "ada"), null);
  assert.equal(JSON.parse(String(fetched.mock.calls[1]?.arguments[1]?.body)).user_id, null);
});

test("a refusal is told in the server's words, and an answer that is none in ours", async () => {
  const refusal = { errors: { birth_date: ["Sorry, you must be at least 21 years old."] } };
  const ours = "We couldn’t check your date of birth. Please try again.";
  mock.method(globalThis, "fetch", answering([422, refusal], [429, {}], [502, "<html>"]));
  assert.equal(await checkBirthDate("1980-05-17", null), refusal.errors.birth_date[0]);
  assert.equal(await checkBirthDate("1980-05-17", null), ours);
  assert.equal(await checkBirthDate("1980-05-17", null), ours);
});

test("a server that says nothing for 10 s leaves the visitor to try again", async () => {
  const clock = new AbortController();
  const timeout = mock.method(AbortSignal, "timeout", () => clock.signal);
  mock.method(globalThis, "fetch", silence);
  const told = checkBirthDate("1980-05-17", null);
  assert.deepEqual(timeout.mock.calls[0]?.arguments, [10_000]);
  clock.abort(new DOMException("late", "TimeoutError"));
  assert.match((await told) ?? "", /Please try again/);
});

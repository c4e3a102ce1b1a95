import assert from "node:assert/strict";
import { test } from "node:test";
import {
  forgetSignup,
  isSignupOver,
  markSignup,
  rememberSignup,
  SIGNUP_KEY,
  takeSignup,
} from "../../app/lib/signup";
import { SIGNUP_FLOW_KEY } from "../../app/lib/signup-key";
import { memoryStorage } from "./support";

const PENDING = { birth_date: "1980-05-17", preferred_state: "OH" };
const NOW = 1_000_000;
const LIFETIME_MS = 600_000;

test("pending data sets the flow's flag, and both go when they are taken", () => {
  const { raw, storage } = memoryStorage();
  markSignup(storage, NOW);
  assert.equal(raw.size, 0, "nothing is pending");
  rememberSignup(PENDING, storage);
  markSignup(storage, NOW);
  assert.deepEqual([...raw.keys()], [SIGNUP_KEY, SIGNUP_FLOW_KEY]);
  assert.deepEqual(JSON.parse(raw.get(SIGNUP_KEY) ?? ""), PENDING);
  assert.deepEqual(takeSignup(storage, NOW + LIFETIME_MS - 1), PENDING);
  assert.equal(raw.size, 0);
  assert.equal(takeSignup(storage, NOW), null);
});

test("who signs in later gets nothing of a sign-up that was given up", () => {
  const { raw, storage } = memoryStorage();
  for (const later of [NOW + LIFETIME_MS, NOW - 1]) {
    rememberSignup(PENDING, storage);
    markSignup(storage, NOW);
    assert.equal(isSignupOver(storage, NOW), false);
    assert.equal(isSignupOver(storage, later), true);
    assert.equal(takeSignup(storage, later), null);
    assert.equal(raw.size, 0);
  }
  rememberSignup(PENDING, storage);
  markSignup(storage, NOW);
  forgetSignup(storage);
  assert.equal(raw.size, 0);
});

test("what somebody else wrote there is removed, too", () => {
  for (const flag of ["true", "{", String(NOW)]) {
    const { raw, storage } = memoryStorage();
    raw.set(SIGNUP_KEY, '{"birth_date":1}');
    raw.set(SIGNUP_FLOW_KEY, flag);
    assert.equal(takeSignup(storage, NOW), null);
    assert.equal(raw.size, 0);
  }
});

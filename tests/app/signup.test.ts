import assert from "node:assert/strict";
import { test } from "node:test";
import { markSignup, rememberSignup, SIGNUP_KEY, takeSignup } from "../../app/lib/signup";
import { SIGNUP_FLOW_KEY } from "../../app/lib/signup-key";
import { memoryStorage } from "./support";

const PENDING = { birth_date: "1980-05-17", preferred_state: "OH" };

test("pending data sets the flow's flag, and both go when they are taken", () => {
  const { raw, storage } = memoryStorage();
  markSignup(storage);
  assert.equal(raw.size, 0, "nothing is pending");
  rememberSignup(PENDING, storage);
  assert.equal(takeSignup(storage), null, "without the flag it is somebody who only looked");
  markSignup(storage);
  assert.deepEqual([...raw.keys()], [SIGNUP_KEY, SIGNUP_FLOW_KEY]);
  assert.deepEqual(takeSignup(storage), PENDING);
  assert.equal(raw.size, 0);
  assert.equal(takeSignup(storage), null);
});

test("what somebody else wrote there is removed, too", () => {
  const { raw, storage } = memoryStorage();
  raw.set(SIGNUP_KEY, '{"birth_date":1}');
  raw.set(SIGNUP_FLOW_KEY, "true");
  assert.equal(takeSignup(storage), null);
  assert.equal(raw.size, 0);
});

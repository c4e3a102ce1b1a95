import assert from "node:assert/strict";
import { test } from "node:test";
import {
  BIRTH_DATE_MISSING,
  birthDateProblem,
  latestToday,
  TOO_YOUNG,
  wholeYears,
} from "../../app/lib/age";
import { AGE_KEY, createAgeMirror } from "../../app/lib/age-mirror";
import { memoryStorage } from "./support";

test("years are whole: the birthday itself counts, the day before does not", () => {
  assert.equal(wholeYears("2005-11-21", "2026-11-20"), 20);
  assert.equal(wholeYears("2005-11-21", "2026-11-21"), 21);
  assert.equal(wholeYears("2005-12-01", "2026-11-30"), 20);
  assert.equal(wholeYears("2005-01-31", "2026-12-01"), 21);
});

test("who was born on a leap day has a birthday on 1 March of common years", () => {
  assert.equal(wholeYears("2004-02-29", "2025-02-28"), 20);
  assert.equal(wholeYears("2004-02-29", "2025-03-01"), 21);
  assert.equal(wholeYears("2004-02-29", "2028-02-29"), 24);
});

test("what is no date has no age", () => {
  for (const text of [
    "",
    "2005-02-29",
    "2005-13-01",
    "2005-00-10",
    "1900-02-29",
    "21",
    "2005-1-1",
  ]) {
    assert.equal(wholeYears(text, "2026-11-21"), null, text);
  }
  assert.notEqual(wholeYears("2000-02-29", "2026-11-21"), null);
});

test("the gate tells what is wrong in the words of the shop", () => {
  assert.equal(BIRTH_DATE_MISSING, "Please enter your date of birth.");
  assert.equal(TOO_YOUNG, "Sorry, you must be at least 21 years old.");
  assert.equal(birthDateProblem("", "2026-11-21"), BIRTH_DATE_MISSING);
  assert.equal(birthDateProblem("2005-11-22", "2026-11-21"), TOO_YOUNG);
  assert.equal(birthDateProblem("2030-01-01", "2026-11-21"), TOO_YOUNG);
  assert.equal(birthDateProblem("2005-11-21", "2026-11-21"), null);
});

test("a device whose calendar is behind the shop's refuses nobody on their birthday", () => {
  // Shortly after midnight in Ohio, where it is the 22nd; in Hawaii it is still the 21st.
  const now = Date.UTC(2026, 10, 22, 5, 10);
  assert.equal(birthDateProblem("2005-11-22", latestToday(now)), null);
  assert.equal(birthDateProblem("2005-11-22", latestToday(now - 86_400_000)), null);
  assert.equal(birthDateProblem("2005-11-25", latestToday(now)), TOO_YOUNG);
});

test("the mirror of a verification is ignored after 24 hours", () => {
  let now = 5_000_000;
  const { raw, storage } = memoryStorage();
  const mirror = createAgeMirror(storage, () => now);
  assert.equal(mirror.wasVerified(), false);
  mirror.rememberVerified();
  now += 24 * 60 * 60 * 1000 - 1;
  assert.equal(mirror.wasVerified(), true);
  now += 1;
  assert.equal(mirror.wasVerified(), false);
  assert.equal(raw.has(AGE_KEY), false);
});

test("the mirror holds no birth date and does not believe a corrupt or future entry", () => {
  const { raw, storage } = memoryStorage();
  const mirror = createAgeMirror(storage, () => 1_000);
  mirror.rememberVerified();
  assert.deepEqual(JSON.parse(raw.get(AGE_KEY) ?? ""), { verified_at: 1_000 });
  for (const corrupt of ["true", '{"verified_at":"now"}', '{"verified_at":2000}']) {
    raw.set(AGE_KEY, corrupt);
    assert.equal(mirror.wasVerified(), false, corrupt);
  }
  mirror.rememberVerified();
  mirror.forgetVerified();
  assert.equal(mirror.wasVerified(), false);
});

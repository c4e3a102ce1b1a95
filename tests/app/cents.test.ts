import assert from "node:assert/strict";
import { test } from "node:test";
import { cents } from "../../app/admin/orders/amounts";
import { centsOrInvalid, dollars, fromCents, toCents } from "../../app/admin/parts/cents";

test("a comma in an amount only separates thousands", () => {
  for (const text of ["49,90", "1,5", "1,29", "12,99.50", ",500", "1,000,000,000", "12345678"])
    assert.equal(toCents(text), null, text);
  assert.equal(toCents("1,299.50"), 129_950);
  assert.equal(toCents(" $12,500 "), 1_250_000);
  assert.equal(toCents("$ 5"), 500);
  assert.equal(toCents("1,000,000"), 100_000_000);
  assert.equal(toCents("1299.5"), 129_950);
});

test("what is not an amount is sent as -1", () => {
  assert.deepEqual(
    ["6.95", "$6.95", "$ 5", "1,000", "0"].map(centsOrInvalid),
    [695, 695, 500, 100_000, 0],
  );
  for (const text of ["10%", "1,5", "6.955", "$", "-1", "a lot", ""])
    assert.equal(centsOrInvalid(text), -1, text);
});

test("an amount is shown in dollars, and in a field without the sign", () => {
  assert.deepEqual([123_450, 5, -695].map(dollars), ["$1,234.50", "$0.05", "-$6.95"]);
  assert.deepEqual([123_450, 5, 0, null].map(fromCents), ["1234.50", "0.05", "0.00", ""]);
});

test("an amount to refund is read as a price is, and nothing is none", () => {
  assert.deepEqual(["1,50", "1,234.50", "$5", " "].map(cents), [null, 123_450, 500, 0]);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { cents } from "../../app/admin/orders/amounts";
import { toCents } from "../../app/admin/parts/cents";

test("a comma in an amount only separates thousands", () => {
  for (const text of ["49,90", "1,5", "1,29", "12,99.50", ",500", "1,000,000,000", "12345678"])
    assert.equal(toCents(text), null, text);
  assert.equal(toCents("1,299.50"), 129_950);
  assert.equal(toCents(" $12,500 "), 1_250_000);
  assert.equal(toCents("$ 5"), 500);
  assert.equal(toCents("1,000,000"), 100_000_000);
  assert.equal(toCents("1299.5"), 129_950);
});

test("an amount to refund is read as a price is, and nothing is none", () => {
  assert.deepEqual(["1,50", "1,234.50", "$5", " "].map(cents), [null, 123_450, 500, 0]);
});

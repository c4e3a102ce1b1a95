import assert from "node:assert/strict";
import { test } from "node:test";
import { percentOf } from "../../app/admin/settings/decimals";
import { discountOf } from "../../app/admin/settings/promotions-page";
import { draftOf, tableOf } from "../../app/admin/settings/shipping-draft";
import { shippingSettings } from "../../app/samples/shipping";

test("a percentage is no amount of money", () => {
  assert.deepEqual(
    ["10", "7.25", "7.5 %", "100%"].map((text) => percentOf(text)),
    [1_000, 725, 750, 10_000],
  );
  assert.equal(percentOf("6.8751", 4), 68_751);
  for (const text of ["$10", "7,25", "7.255", "-1", "%", ""])
    assert.equal(percentOf(text), -1, text);
});

test("a promo code takes off what its kind says", () => {
  assert.deepEqual([discountOf("amount", "$10"), discountOf("amount", "10%")], [1_000, -1]);
  assert.deepEqual([discountOf("percent", "10%"), discountOf("percent", "$10")], [1_000, -1]);
  assert.equal(discountOf("free_shipping", ""), 0);
});

test("no price of shipping is a percentage", () => {
  const { methods, zones } = draftOf(shippingSettings.table);
  const priced = methods.map((method) => ({
    ...method,
    fee: "5%",
    prices: method.prices.map((row) => row.map(() => "5%")),
  }));
  for (const { signature_fee, rates } of tableOf({ methods: priced, zones }).methods) {
    assert.equal(signature_fee, -1);
    for (const { prices } of rates) assert.ok(prices.every((price) => price === -1));
  }
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { actionText, changedFields, shortened, valueText } from "../../app/admin/audit/changes";
import { verify } from "../../app/admin/audit/verify";
import type { ChainView } from "../../app/lib/types";

test("a change is told without braces and quotation marks", () => {
  const goods = [{ sku: "TWT-SIN", title: "Pipe tool", quantity: 2 }];
  assert.deepEqual(changedFields(null, { amount: 1296, goods, restock: true, note: null }), [
    { name: "Amount", before: null, after: "$12.96" },
    { name: "Goods", before: null, after: "sku TWT-SIN, title Pipe tool, quantity 2" },
    { name: "Restock", before: null, after: "yes" },
    { name: "Note", before: null, after: "nothing" },
  ]);
  assert.equal(valueText("publish_at", 1_795_000_000_000), "2026-11-18 11:06 UTC");
  assert.equal(actionText("order.write_again"), "Order: write again");
});

test("all amounts of a refund and of a code are dollars", () => {
  const texts = (after: object) => changedFields(null, after).map(({ after }) => after);
  assert.deepEqual(texts({ amount: 2479, shipping: 1183, extra: 0, tax: 184 }), [
    "$24.79",
    "$11.83",
    "$0.00",
    "$1.84",
  ]);
  assert.deepEqual(texts({ min_subtotal: 5000 }), ["$50.00"]);
  assert.deepEqual(texts({ total: -123_450 }), ["-$1,234.50"]);
  assert.deepEqual(texts({ rates: [{ zone: "all", prices: [695, 895] }] }), [
    "zone all, prices $6.95; $8.95",
  ]);
  assert.deepEqual(texts({ excise: { ppm: 170_000, per_unit: 50 } }), ["ppm 17%, per unit $0.50"]);
});

test("a rate is a percentage, and the value of a code is what its kind says", () => {
  assert.equal(valueText("rate", 72_500), "7.25%");
  const percent = { kind: "percent", value: 1_050 };
  assert.deepEqual(changedFields({ ...percent, value: 1_000 }, percent), [
    { name: "Value", before: "10%", after: "10.5%" },
  ]);
  assert.deepEqual(changedFields({ kind: "amount", value: 500 }, percent)[1], {
    name: "Value",
    before: "$5.00",
    after: "10.5%",
  });
});

test("of a list only what is not in both is told", () => {
  const red = { sku: "A", price: 100 };
  const blue = { sku: "B", price: 200 };
  assert.deepEqual(
    changedFields({ variants: [red, blue] }, { variants: [red, { ...blue, price: 250 }] }),
    [{ name: "Variants", before: "sku B, price $2.00", after: "sku B, price $2.50" }],
  );
  assert.deepEqual(changedFields({ tags: ["a", "b"] }, { tags: ["b", "a"] }), [
    { name: "Tags", before: "a; b", after: "b; a" },
  ]);
});

test("a long value is not cut in the middle of a character", () => {
  const [before, rest] = ["a".repeat(1_999), "… Download the list to see all of it."];
  assert.equal(shortened(`${before}\u{1f4e6}b`), before + rest);
  assert.equal(shortened(`${before.slice(1)}\u{1f4e6}b`), `${before.slice(1)}\u{1f4e6}${rest}`);
  assert.equal(shortened(`${before}a`), `${before}a`);
});

test("the log is verified piece by piece to its end", async () => {
  const pieces: [string, ChainView][] = [
    ["", { is_sound: true, is_complete: false, seq: 5_000, head: "aa" }],
    ["after=5000&head=aa", { is_sound: true, is_complete: false, seq: 10_000, head: "bb" }],
    ["after=10000&head=bb", { is_sound: false, is_complete: true, seq: 10_004, head: null }],
  ];
  const [answers, said] = [new Map(pieces), [] as number[]];
  const ask = async (query: string) => {
    const answer = answers.get(query);
    assert(answer, query);
    return answer;
  };
  assert.equal((await verify(ask, (verified) => said.push(verified))).seq, 10_004);
  assert.deepEqual(said, [5_000, 10_000]);
});

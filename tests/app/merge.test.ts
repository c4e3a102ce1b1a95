import assert from "node:assert/strict";
import { test } from "node:test";
import { changedFields, mergeFields } from "../../app/admin/products/merge";

test("my changes go on top of theirs, at their version", () => {
  const base = { version: 1, name: "Racks", description: "", products: ["a", "b"] };
  const mine = { ...base, description: "Mine", name: "My racks" };
  const theirs = { ...base, version: 2, name: "Their racks", products: ["b", "a"] };
  assert.deepEqual(changedFields(base, theirs), ["version", "name", "products"]);
  assert.deepEqual(mergeFields(base, mine, theirs), {
    content: { version: 2, name: "My racks", description: "Mine", products: ["b", "a"] },
    both: ["name"],
  });
});

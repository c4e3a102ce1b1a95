import assert from "node:assert/strict";
import { test } from "node:test";
import { draftOf, tableOf, withoutZone, withZone } from "../../app/admin/settings/shipping-draft";
import { shippingSettings } from "../../app/samples/shipping";

const { zones, methods } = shippingSettings.table;
const table = {
  zones,
  methods: methods.map((method) =>
    method.pickup
      ? method
      : { ...method, rates: [...method.rates, { zone: "far", prices: [795, 1_095] }] },
  ),
};

test("what is not touched is sent as it came", () => {
  assert.deepEqual(tableOf(draftOf(table)), table);
});

test("a new zone takes no prices of the zone whose name it begins with", () => {
  let draft = draftOf(table);
  draft = { ...draft, zones: [...draft.zones, { name: "", states: "" }] };
  for (const name of ["f", "fa", "far", "far-", "far-away"]) draft = withZone(draft, 2, { name });
  draft = withZone(draft, 2, { states: "ia, mn" });
  const sent = tableOf(draft);
  assert.deepEqual(sent.zones[2], { name: "far-away", states: ["IA", "MN"] });
  assert.deepEqual(sent.methods, table.methods);
});

test("a renamed zone keeps its prices, also when its name was another zone’s for a moment", () => {
  let draft = draftOf(table);
  for (const name of ["near", "nearby"]) draft = withZone(draft, 1, { name });
  assert.deepEqual(tableOf(draft).methods[0]?.rates, [
    { zone: "near", prices: [695, 895] },
    { zone: "nearby", prices: [795, 1_095] },
  ]);
});

test("a removed zone goes with its prices", () => {
  const sent = tableOf(withoutZone(draftOf(table), 0));
  assert.deepEqual(sent.zones, [{ name: "far", states: ["CA"] }]);
  assert.deepEqual(sent.methods[0]?.rates, [{ zone: "far", prices: [795, 1_095] }]);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { mayCount } from "../../app/lib/beacon";

const beacon = { token: "t0ken", site: "shop.example.com" };

test("visits are counted only when the shop has a token and the visitor has not objected", () => {
  assert.equal(mayCount(beacon, {}), true);
  assert.equal(mayCount(beacon, { doNotTrack: null, globalPrivacyControl: false }), true);
  assert.equal(mayCount(beacon, { doNotTrack: "1" }), false);
  assert.equal(mayCount(beacon, { globalPrivacyControl: true }), false);
  assert.equal(mayCount({ ...beacon, token: "" }, {}), false);
  assert.equal(mayCount(null, {}), false);
});

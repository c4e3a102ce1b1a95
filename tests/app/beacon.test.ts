import assert from "node:assert/strict";
import { test } from "node:test";
import { mayLoadBeacon, startBeacon } from "../../app/lib/beacon";

const beacon = { token: "t0ken", site: "shop.example.com" };

test("visits are counted only when the shop has a token and the visitor has not objected", () => {
  assert.equal(mayLoadBeacon(beacon, {}), true);
  assert.equal(mayLoadBeacon(beacon, { doNotTrack: null, globalPrivacyControl: false }), true);
  assert.equal(mayLoadBeacon(beacon, { doNotTrack: "1" }), false);
  assert.equal(mayLoadBeacon(beacon, { globalPrivacyControl: true }), false);
  assert.equal(mayLoadBeacon({ ...beacon, token: "" }, {}), false);
  assert.equal(mayLoadBeacon(null, {}), false);
});

test("the beacon counts the pages of a single-page app", (t) => {
  const added: { src: string; dataset: { cfBeacon?: string } }[] = [];
  const browser = {
    navigator: {},
    document: {
      createElement: () => ({ dataset: {} }),
      head: { append: (script: (typeof added)[number]) => added.push(script) },
    },
  };
  for (const [name, value] of Object.entries(browser)) {
    Object.defineProperty(globalThis, name, { value, configurable: true });
    t.after(() => Reflect.deleteProperty(globalThis, name));
  }
  startBeacon(null);
  assert.equal(added.length, 0);
  startBeacon(beacon);
  assert.equal(added[0]?.src, "https://static.cloudflareinsights.com/beacon.min.js");
  assert.deepEqual(JSON.parse(added[0]?.dataset.cfBeacon ?? ""), {
    token: "t0ken",
    spa: true,
    siteDomain: "shop.example.com",
  });
});

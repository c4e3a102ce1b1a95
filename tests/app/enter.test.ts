import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { enter } from "../../app/shell/enter";
import { answering } from "./support";

test("who keeps no cookies is told why the gate stays", async () => {
  Object.defineProperty(globalThis, "navigator", {
    value: { cookieEnabled: false },
    configurable: true,
  });
  mock.method(globalThis, "fetch", answering([200, { verified: true }]));
  const told = await enter("1980-05-17", null, null);
  assert.match(told ?? "", /^Allow cookies for this site/);
});

// In a file of its own: a cart is merged once for each document.
import assert from "node:assert/strict";
import { test } from "node:test";
import { cartState, SYNC_KEY } from "../../app/lib/cart";
import { mergeQuotedCart } from "../../app/lib/cart-absorb";
import { cartLine, defineStorage } from "./support";

test("the record of another account stays until what is that account's is removed by it", () => {
  const { local } = defineStorage();
  Object.defineProperty(globalThis, "document", { value: { cookie: "" }, configurable: true });
  const at = performance.timeOrigin - 1;
  const record = JSON.stringify({ user: "u1", base: [], sent: null, promo: null, at });
  local.setItem(SYNC_KEY, record);
  mergeQuotedCart("u2", [cartLine("x")], null);
  assert.equal(local.getItem(SYNC_KEY), record);
  assert.deepEqual(cartState().items, []);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { CART_KEY, cartState, SYNC_KEY } from "../../app/lib/cart";
import { mergeQuotedCart } from "../../app/lib/cart-absorb";
import { lineStates } from "../../app/lib/cart-record";
import { cartLine, defineStorage } from "./support";

test("what is saved for later right before the checkout is one line, and stays saved", () => {
  const { local } = defineStorage();
  Object.defineProperty(globalThis, "document", { value: { cookie: "" }, configurable: true });
  const [x, y, z] = [cartLine("x"), cartLine("y"), cartLine("z", 1, true)];
  const items = [{ ...x, saved: true }, y, z];
  local.setItem(CART_KEY, JSON.stringify({ items, timestamp: Date.now() }));
  const base = lineStates([x, y, z]);
  const at = performance.timeOrigin - 1;
  local.setItem(SYNC_KEY, JSON.stringify({ user: "u1", base, sent: null, promo: null, at }));
  mergeQuotedCart("u1", [x, y], null);
  assert.deepEqual(lineStates(cartState().items), lineStates(items));
  // The server does not know yet that it is saved.
  assert.deepEqual(JSON.parse(String(local.getItem(SYNC_KEY))).base, base);
});

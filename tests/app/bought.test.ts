import assert from "node:assert/strict";
import { test } from "node:test";
import { removeBought } from "../../app/checkout/pay";
import { cartState, changeCart } from "../../app/lib/cart";
import { promoCode, setPromoCode } from "../../app/lib/promo";
import { defineStorage, cartLine as line } from "./support";

const quantities = () => cartState().items.map(({ id, qty }) => `${id}:${qty}`);
const address = (token: string) => `/order-confirmation?order=${token.repeat(60)}`;

test("what was bought leaves the cart once for each order, however many pages hear of it", () => {
  const { local } = defineStorage();
  const bought = [
    { id: "a", qty: 2 },
    { id: "b", qty: 1 },
  ];
  changeCart(() => [line("a", 2), line("b", 3), line("c", 1, true)]);
  setPromoCode("WELCOME10");
  removeBought(bought, address("x"));
  assert.deepEqual(quantities(), ["b:2", "c:1"]);
  assert.equal(promoCode(), null);
  // Meanwhile the shopper has begun another cart.
  changeCart((items) => [...items, line("a", 1)]);
  setPromoCode("WELCOME10");
  removeBought(bought, address("x"));
  assert.deepEqual(quantities(), ["b:2", "c:1", "a:1"]);
  assert.equal(promoCode(), "WELCOME10");
  // For an account the server has done it: the code belongs to what is bought next.
  removeBought([], address("z"));
  assert.equal(promoCode(), "WELCOME10");
  removeBought(bought, address("y"));
  assert.deepEqual(quantities(), ["b:1", "c:1"]);
  assert.ok(!JSON.stringify(local).includes("y".repeat(60)), "the secret address is not stored");
});

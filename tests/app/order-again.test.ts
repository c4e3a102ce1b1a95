import assert from "node:assert/strict";
import { test } from "node:test";
import { addAgain } from "../../app/account/order-again";
import { cartState, changeCart } from "../../app/lib/cart";
import { defineStorage, cartLine as line } from "./support";

test("what the cart has no room for is named when an order is put into it again", () => {
  defineStorage();
  const ordered = (id: string, qty: number) => ({
    ...line(id, qty),
    availability: "in_stock" as const,
    max_quantity: 10,
  });
  const most = (id: string) => `“${line(id, 1).title}”: your cart has as many as you can order.`;
  changeCart(() => []);
  assert.deepEqual(addAgain([ordered("a", 3), ordered("b", 8)]), []);
  assert.deepEqual(addAgain([ordered("a", 3), ordered("b", 8)]), [most("b")]);
  assert.deepEqual(addAgain([ordered("a", 1), ordered("b", 8)]), [most("b")]);
  const quantities = cartState().items.map(({ id, qty }) => `${id}:${qty}`);
  assert.deepEqual(quantities, ["a:7", "b:10"]);
});

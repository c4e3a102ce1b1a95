import type { ResponseBody } from "../lib/api";
import { addItem } from "../lib/cart";

type Line = ResponseBody<"/api/checkout/quote", "POST">["lines"][number];

/** Adds an order's lines to the cart, as they are sold today. Returns a note on each that was not added in full. */
export function addAgain(lines: readonly Line[]): string[] {
  return lines.flatMap(({ availability: _, saved: __, qty, ...line }) => {
    const added = addItem(line, qty);
    if (added === null) return [`Your cart is full. Remove an item to add “${line.title}”.`];
    // The rest was in the cart already.
    return added < qty ? [`“${line.title}”: your cart has as many as you can order.`] : [];
  });
}

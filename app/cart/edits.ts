// Edits of the cart that only its own page makes.
import type { CartItem, CartStore } from "../lib/cart";

/** Above 0 sets the quantity (up to what may be ordered), exactly 0 removes, anything else is ignored. */
export function setQuantity(
  cart: Pick<CartStore, "change" | "removeItem">,
  id: string,
  qty: number,
): void {
  if (qty === 0) cart.removeItem(id);
  if (!Number.isSafeInteger(qty) || qty <= 0) return;
  cart.change(
    (items) => {
      const item = items.find((each) => each.id === id);
      if (!item) return items;
      const changed = { ...item, qty: Math.min(qty, item.max_quantity || 1) };
      return changed.qty === item.qty
        ? items
        : items.map((each) => (each === item ? changed : each));
    },
    "quantity",
    id,
  );
}

/** Takes over what may be ordered of each item now. */
export function setLimits(
  cart: Pick<CartStore, "change">,
  lines: readonly Pick<CartItem, "id" | "max_quantity">[],
): void {
  const limits = new Map(lines.map(({ id, max_quantity }) => [id, max_quantity]));
  cart.change((items) => {
    const changed = items.map((item) => {
      const max_quantity = limits.get(item.id) ?? item.max_quantity;
      return max_quantity === item.max_quantity ? item : { ...item, max_quantity };
    });
    return changed.every((item, at) => item === items[at]) ? items : changed;
  });
}

import { removeItem } from "../lib/cart";
import type { Quote } from "../lib/types";

/** Removes the items that cannot be shipped to the address, so that the others can. */
export function ShipRest({ quote }: { quote: Quote }) {
  const { held_up_by, lines } = quote;
  if (held_up_by.length === 0) return null;
  const names = lines.filter(({ id }) => held_up_by.includes(id)).map(({ title }) => title);
  return (
    <button
      type="button"
      className="link needs-scripts"
      onClick={() => held_up_by.forEach(removeItem)}
    >
      {`Remove ${names.length === 1 ? `“${names[0]}”` : `these ${names.length} items`} and ship the rest`}
    </button>
  );
}

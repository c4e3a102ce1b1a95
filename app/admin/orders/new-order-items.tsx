import type { Quote } from "../../lib/types";
import { staffCall } from "../call";
import { dollars } from "../parts/cents";
import { Combobox } from "../parts/combobox";
import { type NewOrder, withItem } from "./new-order-state";

export interface PanelProps {
  order: NewOrder;
  change: (part: Partial<NewOrder>) => void;
  about: (field: string) => string | undefined;
}

/** The ordered items with their quantities; items are added by name or SKU. */
export function ItemsPanel({ order, change, about, quote }: PanelProps & { quote: Quote | null }) {
  const { lines } = order;
  const setQuantity = (sku: string, quantity: number) =>
    change({ lines: lines.map((line) => (line.sku === sku ? { ...line, quantity } : line)) });
  const problem = about("lines");
  return (
    <section className="panel admin-form" aria-labelledby="new-goods">
      <h2 id="new-goods">Items</h2>
      {lines.length > 0 && (
        <ul className="order-goods draft-goods new-goods">
          {lines.map(({ sku, title, variant, price, quantity }, at) => {
            const field = `lines[${at}].qty`;
            const lineProblem = about(field);
            const described = lineProblem && `line-${at}-problem`;
            return (
              <li key={sku}>
                <div>
                  {title}
                  <small>{[variant, sku].filter(Boolean).join(", ")}</small>
                </div>
                <input
                  className="input"
                  type="number"
                  name={field}
                  min={1}
                  max={10}
                  aria-label={`Quantity of ${title}${variant ? `, ${variant}` : ""}`}
                  aria-invalid={lineProblem !== undefined}
                  aria-describedby={described}
                  // Empty while a new number is typed.
                  value={quantity || ""}
                  onChange={({ target }) => setQuantity(sku, Math.floor(Number(target.value)))}
                  onBlur={() => quantity < 1 && setQuantity(sku, 1)}
                />
                <span className="order-goods-price">
                  {dollars(priceOf(quote, sku, price) * quantity)}
                </span>
                <button
                  type="button"
                  className="link"
                  onClick={() => change({ lines: lines.filter((line) => line.sku !== sku) })}
                >
                  Remove<span className="visually-hidden">{` ${title}`}</span>
                </button>
                {lineProblem && (
                  <p id={described} className="field-error" role="alert">
                    {lineProblem}
                  </p>
                )}
              </li>
            );
          })}
        </ul>
      )}
      <Combobox
        label="Add items"
        hint="Name or SKU. You can also scan a barcode."
        fetchMatches={async (query, signal) =>
          (await staffCall(`/api/admin/orders/goods?${query}`, { signal })).variants
        }
        id={({ sku }) => sku}
        show={({ sku, title, variant, price, available, class: kind }) => (
          <>
            <span>{[title, variant].filter(Boolean).join(", ")}</span>
            <span className="find-end">{dollars(price)}</span>
            <small>{`${sku} · ${available > 0 ? `${available} available` : "sold out"} · ${kind}`}</small>
          </>
        )}
        onChoose={(found) => change({ lines: withItem(lines, found) })}
      />
      {problem && (
        <p className="field-error" role="alert">
          {problem}
        </p>
      )}
    </section>
  );
}

/** The price in the last quote, or the price when the item was added. */
function priceOf(quote: Quote | null, sku: string, price: number): number {
  return quote?.lines.find((line) => line.sku === sku)?.price ?? price;
}

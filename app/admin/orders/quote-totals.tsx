import type { Quote } from "../../lib/types";
import { dollars } from "../parts/cents";
import { taxRows } from "./amounts";

/** The totals of a quote, and its problems. */
export function QuoteTotals({ quote }: { quote: Quote }) {
  const { problems, changes, subtotal, discount, promo, shipping, total } = quote;
  const rows: [label: string, amount: number | null][] = [
    ["Items", subtotal],
    ...(discount > 0 ? [[promo?.code ?? "Discount", -discount] as [string, number]] : []),
    ["Shipping", shipping],
    ...taxRows(quote),
  ];
  const messages = [...new Set(problems.map(({ message }) => message))];
  return (
    <>
      <dl className="order-sums">
        {rows.map(([label, amount]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{amount === null ? "To be calculated" : dollars(amount)}</dd>
          </div>
        ))}
        <div data-strong>
          <dt>Total</dt>
          <dd>{total === null ? "To be calculated" : dollars(total)}</dd>
        </div>
      </dl>
      {quote.adult_signature && <p className="field-hint">Adult signature (21+) required.</p>}
      {changes.length > 0 && problems.length === 0 && (
        <ul className="order-some">
          {changes.map(({ id, message }) => (
            <li key={id}>{message}</li>
          ))}
        </ul>
      )}
      {messages.length > 0 && (
        <ul className="order-problem">
          {messages.map((message) => (
            <li key={message}>{message}</li>
          ))}
        </ul>
      )}
    </>
  );
}

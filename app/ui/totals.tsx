import { formatMoney } from "../lib/format";

interface Props {
  currency: string;
  /** Label, and either minor units or a text if there is no amount yet. */
  rows: (readonly [label: string, amount: number | string])[];
  total: readonly [label: string, amount: number | string];
  /** Rows below the total, such as payments and refunds. */
  after?: Props["rows"];
}

export function Totals({ currency, rows, total, after = [] }: Props) {
  const amountText = (amount: number | string) =>
    typeof amount === "string" ? amount : formatMoney({ amount, currency });
  const list = (listed: Props["rows"]) =>
    listed.map(([label, amount]) => (
      <div key={label}>
        <dt>{label}</dt>
        <dd>{amountText(amount)}</dd>
      </div>
    ));
  return (
    <dl className="totals" aria-live="polite">
      {list(rows)}
      <div className="cart-total">
        <dt>{total[0]}</dt>
        <dd>{amountText(total[1])}</dd>
      </div>
      {list(after)}
    </dl>
  );
}

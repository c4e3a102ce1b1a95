import { formatMoney } from "../lib/format";

interface Props {
  currency: string;
  /** Label and minor units, or words where there is no amount yet. */
  rows: (readonly [label: string, amount: number | string])[];
  total: readonly [label: string, amount: number | string];
}

export function Totals({ currency, rows, total }: Props) {
  const say = (amount: number | string) =>
    typeof amount === "string" ? amount : formatMoney({ amount, currency });
  return (
    <dl className="totals" aria-live="polite">
      {rows.map(([label, amount]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{say(amount)}</dd>
        </div>
      ))}
      <div className="cart-total">
        <dt>{total[0]}</dt>
        <dd>{say(total[1])}</dd>
      </div>
    </dl>
  );
}

import type { InvoicePage as Props } from "../../lib/types";
import { dollars } from "../parts/cents";
import { taxRows } from "./amounts";
import { PrintLayout, PrintPage } from "./print-layout";

export default function InvoicePage({ order }: Props) {
  const { lines, totals, shipping_name, attempts, status } = order;
  const paid = attempts.find(({ status }) => status === "captured");
  const unpaid =
    totals.total === 0
      ? "Nothing to pay"
      : status === "canceled"
        ? "Canceled, nothing to pay"
        : "Not paid yet";
  return (
    <PrintPage title="Invoice" order={order}>
      <table className="sheet-table">
        <thead>
          <tr>
            <th scope="col">Items</th>
            <th scope="col" className="is-number">
              Price
            </th>
            <th scope="col" className="is-number">
              Quantity
            </th>
            <th scope="col" className="is-number">
              Discount
            </th>
            <th scope="col" className="is-number">
              Tax
            </th>
            <th scope="col" className="is-number">
              Total
            </th>
          </tr>
        </thead>
        <tbody>
          {lines.map((line) => (
            <tr key={line.id}>
              <td>
                {line.title}
                <small>
                  {[line.variant, line.sku, line.canceled > 0 && `${line.canceled} canceled`]
                    .filter(Boolean)
                    .join(", ")}
                </small>
              </td>
              <td className="is-number">{dollars(line.unit_price)}</td>
              <td className="is-number">{line.quantity}</td>
              <td className="is-number">{line.discount > 0 ? dollars(-line.discount) : ""}</td>
              <td className="is-number">{dollars(line.tax)}</td>
              <td className="is-number">{dollars(line.total)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <dl className="order-sums sheet-sums">
        <Sum label="Items" amount={totals.subtotal} />
        {totals.discount > 0 && (
          <Sum label={`Discount ${totals.promo_code ?? ""}`} amount={-totals.discount} />
        )}
        <Sum label={shipping_name} amount={totals.shipping} />
        {taxRows(totals).map(([label, amount]) => (
          <Sum key={label} label={label} amount={amount} />
        ))}
        <Sum label="Total" amount={totals.total} strong />
        {totals.refunded > 0 && <Sum label="Refunded" amount={-totals.refunded} />}
      </dl>
      <p>{paid ? `Paid: ${paid.with}` : unpaid}</p>
    </PrintPage>
  );
}

InvoicePage.Layout = PrintLayout;

function Sum(props: { label: string; amount: number; strong?: boolean }) {
  const { label, amount, strong } = props;
  return (
    <div data-strong={strong}>
      <dt>{label}</dt>
      <dd>{dollars(amount)}</dd>
    </div>
  );
}

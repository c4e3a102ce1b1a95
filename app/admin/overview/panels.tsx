import type { Hands, LowStock, NewOrder } from "../../lib/types";
import { money, whole } from "../reports/words";

const KINDS: Record<string, string> = {
  attention: "Orders to look at",
  stuck_payments: "Payments without an outcome",
  paid_without_order: "Paid, but no order",
  dead_jobs: "Jobs that gave up",
  endpoints: "Webhooks that do not get through",
  returns: "Returns",
};

const WORDS: Record<string, string> = {
  unknown: "Nobody knows yet whether the money was taken.",
  voiding: "Held money is on its way back.",
  draft: "Money was taken for an order that is not placed.",
  requested: "Somebody wants to send something back.",
  received: "The goods are here, the money is not given back.",
  canceled: "Money was taken for an order that is canceled.",
  unreached: "Its endpoint does not take what it is told.",
  failing: "Nothing got through for three days: it was switched off.",
  gone: "It answered that it is gone: it was switched off.",
};

/** What needs a hand, the newest of each kind. */
export function HandsPanel({ hands }: { hands: Hands[] }) {
  const some = hands.filter(({ total }) => total > 0);
  return (
    <section className="panel">
      <h2>Needs a hand</h2>
      {some.length === 0 && <p className="report-note">Nothing. All is well.</p>}
      {some.map(({ kind, total, items }) => (
        <div key={kind} className="hands">
          <h3>
            {KINDS[kind] ?? kind}
            <span className="tag" data-tone="bad">
              {whole(total)}
            </span>
          </h3>
          <ul>
            {items.map(({ label, why, href, at }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: two may read alike.
              <li key={`${label} ${at} ${index}`}>
                {href ? <a href={href}>{label}</a> : <b>{label}</b>}
                <small>{WORDS[why] ?? why}</small>
              </li>
            ))}
          </ul>
          {total > items.length && (
            <p className="report-note">{`and ${whole(total - items.length)} more`}</p>
          )}
        </div>
      ))}
    </section>
  );
}

export function LowStockPanel({ stock: { total, items } }: { stock: LowStock }) {
  return (
    <section className="panel report-tall">
      <h2>Low stock</h2>
      {total === 0 ? (
        <p className="report-note">Enough of everything.</p>
      ) : (
        <table className="report-table">
          <caption className="visually-hidden">Variants of which few are left</caption>
          <thead>
            <tr>
              <th scope="col">Product</th>
              <th scope="col" className="is-number">
                Left
              </th>
            </tr>
          </thead>
          <tbody>
            {items.map(({ title, variant, sku, href, available }) => (
              <tr key={sku}>
                <th scope="row">
                  <a href={href}>{title}</a>
                  <small>{[variant, sku].filter(Boolean).join(" · ")}</small>
                </th>
                <td className="is-number">
                  {available > 0 ? (
                    whole(available)
                  ) : (
                    <span className="tag" data-tone="bad">
                      None
                    </span>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {total > items.length && (
        <p className="report-note">{`and ${whole(total - items.length)} more`}</p>
      )}
    </section>
  );
}

export function NewestPanel({
  orders,
  time,
}: {
  orders: NewOrder[];
  time: (iso: string) => string;
}) {
  return (
    <section className="panel report-wide">
      <h2>Newest orders</h2>
      {orders.length === 0 ? (
        <p className="report-note">Nobody has ordered yet.</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
        <section className="report-scroll" tabIndex={0} aria-label="Newest orders">
          <table className="report-table">
            <thead>
              <tr>
                <th scope="col">Order</th>
                <th scope="col">Placed</th>
                <th scope="col">Payment</th>
                <th scope="col">Fulfillment</th>
                <th scope="col" className="is-number">
                  Total
                </th>
              </tr>
            </thead>
            <tbody>
              {orders.map((order) => (
                <tr key={order.number}>
                  <th scope="row">
                    <a href={order.href}>{order.number}</a>
                  </th>
                  <td>{time(order.placed_at)}</td>
                  <td>{words(order.payment_status)}</td>
                  <td>{words(order.fulfillment_status)}</td>
                  <td className="is-number">{money(order.total)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
    </section>
  );
}

/** `Partially refunded` of `partially_refunded`. */
function words(status: string): string {
  const text = status.replaceAll("_", " ");
  return text.charAt(0).toUpperCase() + text.slice(1);
}

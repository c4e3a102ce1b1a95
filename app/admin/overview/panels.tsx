import type { Hands, LowStock, NewOrder } from "../../lib/types";
import { FULFILLMENT, PAYMENT } from "../orders/status-labels";
import { Tag } from "../parts/tag";
import { money, whole } from "../reports/format";
import { keyed } from "../reports/keyed";

const HEADINGS: Record<string, string> = {
  attention: "Orders that need attention",
  unsent: "Orders to ship",
  to_pick_up: "Orders to be picked up",
  stuck_payments: "Payments with no outcome",
  paid_without_order: "Paid, no order",
  dead_jobs: "Dead jobs",
  endpoints: "Failing webhooks",
  returns: "Returns",
};

const REASONS: Record<string, string> = {
  unfulfilled: "Paid, but not shipped yet.",
  partially_fulfilled: "Some of it hasn’t shipped yet.",
  to_pick_up: "Make it ready, or hand it over.",
  unknown: "We don’t know yet whether the payment went through.",
  voiding: "The authorized amount is being released.",
  draft: "Payment was captured for an order that wasn’t placed.",
  requested: "A customer requested a return.",
  received: "The items are back but haven’t been refunded.",
  canceled: "Payment was captured for a canceled order.",
  unreached: "The endpoint isn’t accepting events.",
  failing: "Nothing was delivered for three days, so it was turned off.",
  gone: "The endpoint said it’s gone, so it was turned off.",
};

/** Everyday work, with which nothing is wrong. */
const WORK = ["unsent", "to_pick_up"];

/** The server counts no further. */
const COUNTED = 1_000;

const counted = (count: number, total: number) => whole(count) + (total < COUNTED ? "" : "+");

const textOf = ({ label, at }: Hands["items"][number]) => `${label} ${at}`;

/** Everything that needs attention: the newest of each kind. */
export function AttentionPanel({ hands }: { hands: Hands[] }) {
  const kinds = hands.filter(({ total }) => total > 0);
  return (
    <section className="panel">
      <h2>Needs attention</h2>
      {kinds.length === 0 && <p className="report-note">Nothing needs attention.</p>}
      {kinds.map(({ kind, total, items, href: all }) => (
        <div key={kind} className="hands">
          <h3>
            {HEADINGS[kind] ?? kind}
            <Tag of={[counted(total, total), WORK.includes(kind) ? "info" : "bad"]} />
          </h3>
          <ul>
            {keyed(items, textOf).map(([key, { label, why, href }]) => (
              <li key={key}>
                {href ? <a href={href}>{label}</a> : <b>{label}</b>}
                <small>{REASONS[why] ?? why}</small>
              </li>
            ))}
          </ul>
          {total > items.length && (
            <p className="report-note">
              {all ? (
                <a href={all}>{`See all ${counted(total, total)}`}</a>
              ) : (
                `and ${counted(total - items.length, total)} more`
              )}
            </p>
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
        <p className="report-note">Everything is well stocked.</p>
      ) : (
        <table className="report-table">
          <caption className="visually-hidden">Variants low in stock</caption>
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
      {total > 0 && (
        <p className="report-note">
          <a href="/admin/products?status=active&stock=low_stock">All products with low stock</a>
        </p>
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
      <h2>Latest orders</h2>
      {orders.length === 0 ? (
        <p className="report-note">No orders yet.</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable areas must be reachable by keyboard.
        <section className="report-scroll" tabIndex={0} aria-label="Latest orders">
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
                  <td>
                    <Tag of={PAYMENT[order.payment_status]} />
                  </td>
                  <td>
                    <Tag of={FULFILLMENT[order.fulfillment_status]} />
                  </td>
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

import { formatTime } from "../../lib/format";
import type { AdminOrder } from "../../lib/types";
import { dollars } from "../parts/cents";
import { Tag } from "../parts/tag";
import { taxRows } from "./amounts";
import { GoodsList } from "./goods-list";
import { ATTEMPT, REFUND } from "./status-labels";

interface PaymentProps {
  order: AdminOrder;
  onUndo: () => void;
}

export function PaymentPanel({
  order: { totals, attempts, refunds, shipping_name, acts },
  onUndo,
}: PaymentProps) {
  const rows: (readonly [label: string, amount: number])[] = [
    ["Items", totals.subtotal],
    ...(totals.discount > 0
      ? [[`Discount ${totals.promo_code ?? ""}`.trim(), -totals.discount] as const]
      : []),
    [shipping_name, totals.shipping],
    ...taxRows(totals),
  ];
  return (
    <section className="panel" aria-labelledby="money">
      <h2 id="money">Payment</h2>
      <dl className="order-sums">
        {rows.map(([label, amount]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{dollars(amount)}</dd>
          </div>
        ))}
        <div data-strong>
          <dt>Total</dt>
          <dd>{dollars(totals.total)}</dd>
        </div>
        <div>
          <dt>Paid</dt>
          <dd>{dollars(totals.taken)}</dd>
        </div>
        {totals.refunded > 0 && (
          <div>
            <dt>Refunded</dt>
            <dd>{dollars(-totals.refunded)}</dd>
          </div>
        )}
        {totals.reclaimed > 0 && (
          <div>
            <dt>Taken back by the bank</dt>
            <dd>{dollars(-totals.reclaimed)}</dd>
          </div>
        )}
      </dl>
      {attempts.length > 0 && <h3>Attempts</h3>}
      <ul className="order-entries">
        {attempts.map((attempt) => (
          <li key={attempt.number}>
            <p className="order-entry-head">
              <b>{`${dollars(attempt.amount)}, ${attempt.with}`}</b>
              <Tag of={ATTEMPT[attempt.status]} />
            </p>
            <small>
              {[formatTime(attempt.at), attempt.decline?.toLowerCase().replaceAll("_", " ")]
                .filter(Boolean)
                .join(" · ")}
            </small>
          </li>
        ))}
      </ul>
      {acts.undo_payment && (
        <button type="button" className="link" onClick={onUndo}>
          Undo payment
        </button>
      )}
      {refunds.length > 0 && <h3>Refunds</h3>}
      <ul className="order-entries">
        {refunds.map((refund) => (
          <li key={refund.id}>
            <p className="order-entry-head">
              <b>{dollars(refund.amount)}</b>
              <Tag of={REFUND[refund.status]} />
            </p>
            <small>
              {[
                formatTime(refund.at),
                refund.given_as && (refund.given_as === "cash" ? "in cash" : "at the terminal"),
                refund.shipping > 0 && `shipping ${dollars(refund.shipping)}`,
                refund.extra > 0 && `additional ${dollars(refund.extra)}`,
                refund.reason,
              ]
                .filter(Boolean)
                .join(" · ")}
            </small>
            <GoodsList goods={refund.goods} />
          </li>
        ))}
      </ul>
    </section>
  );
}

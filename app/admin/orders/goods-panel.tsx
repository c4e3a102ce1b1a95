import { formatTime } from "../../lib/format";
import type { AdminLine, AdminOrder, ParcelView, ReturnView, SomeGoods } from "../../lib/types";
import { Picture } from "../../ui/picture";
import { Tag } from "../parts/tag";
import { dollars } from "./amounts";
import { RETURN } from "./words";

export function LinesPanel({ lines }: { lines: AdminLine[] }) {
  return (
    <section className="panel" aria-labelledby="goods">
      <h2 id="goods">Items</h2>
      <ul className="order-goods">
        {lines.map((line) => (
          <li key={line.id}>
            <Picture picture={{ ...line.picture, alt: "" }} sizes="3rem" />
            <div>
              <a href={line.href}>{line.title}</a>
              <small>{[line.variant, line.sku].filter(Boolean).join(", ")}</small>
              <small>{progressOf(line)}</small>
            </div>
            <span className="order-goods-price">
              {`${line.quantity} × ${dollars(line.unit_price)}`}
              {line.discount > 0 && <small>{`less ${dollars(line.discount)}`}</small>}
            </span>
            <span className="order-goods-price">{dollars(line.total - line.tax)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function progressOf({ open, left, canceled, refunded }: AdminLine): string {
  const parts: [count: number, words: string][] = [
    [open, "unfulfilled"],
    [left, "fulfilled"],
    [canceled, "canceled"],
    [refunded, "refunded"],
  ];
  return parts
    .filter(([count]) => count > 0)
    .map(([count, words]) => `${count} ${words}`)
    .join(" · ");
}

interface ParcelsProps {
  parcels: ParcelView[];
  mayDeliver: boolean;
  onDelivered: (parcel: ParcelView) => void;
}

export function ParcelsPanel({ parcels, mayDeliver, onDelivered }: ParcelsProps) {
  return (
    <section className="panel" aria-labelledby="parcels">
      <h2 id="parcels">Packages</h2>
      {parcels.length === 0 && <p className="order-none">Nothing has shipped yet.</p>}
      <ul className="order-entries">
        {parcels.map((parcel) => (
          <li key={parcel.id}>
            <p className="order-entry-head">
              <b>{parcel.kind === "handover" ? "Picked up in store" : parcel.carrier}</b>
              <Tag of={stateOf(parcel)} />
            </p>
            <p>
              {parcel.tracking_url ? (
                <a href={parcel.tracking_url} rel="noreferrer">
                  {parcel.tracking_number}
                </a>
              ) : (
                parcel.tracking_number
              )}
            </p>
            <small>
              {[
                formatTime(parcel.at),
                parcel.adult_signature && "adult signature",
                parcel.label && "marked",
              ]
                .filter(Boolean)
                .join(" · ")}
            </small>
            <Some goods={parcel.goods} />
            {mayDeliver && parcel.kind === "parcel" && !parcel.delivered_at && (
              <button type="button" className="link" onClick={() => onDelivered(parcel)}>
                Mark as delivered
              </button>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

function stateOf({ kind, delivered_at }: ParcelView): readonly [string, "good" | "info"] {
  if (kind === "handover") return ["Picked up", "good"];
  return delivered_at ? ["Delivered", "good"] : ["On its way", "info"];
}

export function Some({ goods }: { goods: SomeGoods[] }) {
  return (
    <ul className="order-some">
      {goods.map(({ title, variant, sku, quantity }) => (
        <li key={sku}>{`${quantity} × ${[title, variant].filter(Boolean).join(", ")}`}</li>
      ))}
    </ul>
  );
}

interface ReturnsProps {
  order: AdminOrder;
  onStep: (step: "approve" | "reject" | "receive" | "refund", of: ReturnView) => void;
}

export function ReturnsPanel({ order: { returns, acts }, onStep }: ReturnsProps) {
  return (
    <section className="panel" aria-labelledby="returns">
      <h2 id="returns">Returns</h2>
      <ul className="order-entries">
        {returns.map((found) => (
          <li key={found.id}>
            <p className="order-entry-head">
              <b>{formatTime(found.at)}</b>
              <Tag of={RETURN[found.status]} />
            </p>
            <p>{found.reason}</p>
            {found.message && <p>{`Message to the customer: “${found.message}”`}</p>}
            <ul className="order-some">
              {found.lines.map(({ line_id, title, quantity, restocked, written_off }) => (
                <li key={line_id}>
                  {`${quantity} × ${title}`}
                  {restocked > 0 && `, ${restocked} restocked`}
                  {written_off > 0 && `, ${written_off} written off`}
                </li>
              ))}
            </ul>
            <p className="order-entry-acts">
              {acts.decide_return &&
                STEPS[found.status].map(([step, words]) => (
                  <button
                    key={step}
                    type="button"
                    className="link"
                    onClick={() => onStep(step, found)}
                  >
                    {words}
                  </button>
                ))}
              {found.status === "received" && acts.refund && (
                <button type="button" className="link" onClick={() => onStep("refund", found)}>
                  Refund return
                </button>
              )}
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}

type Steps = (readonly [step: "approve" | "reject" | "receive", words: string])[];

const STEPS: Record<ReturnView["status"], Steps> = {
  requested: [
    ["approve", "Approve"],
    ["reject", "Reject"],
  ],
  approved: [
    ["receive", "Mark as received"],
    ["reject", "Never arrived"],
  ],
  received: [],
  rejected: [],
  refunded: [],
};

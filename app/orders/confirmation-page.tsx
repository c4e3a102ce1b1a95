import { useEffect } from "react";
import { formatDate, formatMoney } from "../lib/format";
import { useShared } from "../lib/shared";
import { session } from "../lib/storage";
import type {
  OrderLineView,
  OrderParcel,
  OrderView,
  ConfirmationPage as Props,
} from "../lib/types";
import { Picture } from "../ui/picture";
import { Totals } from "../ui/totals";
import { endCheckout } from "./end-checkout";
import { ExpiredLink } from "./expired-link";
import { statusTexts } from "./status-texts";

/** The order's current state: the confirmation page, and the page to which emails and the account link. */
export default function ConfirmationPage({ number, order, store_address }: Props) {
  useEffect(() => endCheckout(session), []);
  return order ? (
    <Order order={order} store_address={store_address} />
  ) : (
    <ExpiredLink number={number} />
  );
}

function Order({ order, store_address }: { order: OrderView; store_address: string }) {
  const { currency } = useShared();
  const { number, lines, placed_on, parcels } = order;
  const { heading, lede, steps } = statusTexts(order, currency);
  return (
    <div className="order-page wrap">
      <header className="order-head">
        <p className="label">
          {`Order ${number}`}
          {placed_on !== null && `, ${formatDate(placed_on)}`}
        </p>
        <h1>{heading}</h1>
        <p className="lede">{lede}</p>
      </header>
      <div className="order-columns">
        <section aria-labelledby="goods">
          <h2 id="goods">What you ordered</h2>
          <ul className="bought">
            {lines.map((line) => (
              <Line key={line.sku} line={line} />
            ))}
          </ul>
          <Amounts order={order} />
        </section>
        <div className="order-side">
          {parcels.length > 0 && <Parcels parcels={parcels} />}
          {steps.length > 0 && (
            <section aria-labelledby="next">
              <h2 id="next">What happens next</h2>
              <ol className="order-steps">
                {steps.map((step) => (
                  <li key={step}>{step}</li>
                ))}
              </ol>
            </section>
          )}
          <section aria-labelledby="where">
            <h2 id="where" className="label">
              {order.picked_up ? "Pickup" : "Shipping to"}
            </h2>
            <Destination order={order} storeAddress={store_address} />
          </section>
          <section aria-labelledby="paid">
            <h2 id="paid" className="label">
              Payment
            </h2>
            <p>{order.paid_with ?? "Nothing to pay"}</p>
          </section>
          <section aria-labelledby="history">
            <h2 id="history" className="label">
              Order updates
            </h2>
            <ol className="timeline">
              {order.timeline.map(({ at, on, text }) => (
                <li key={`${at} ${text}`}>
                  <time dateTime={new Date(at).toISOString()}>{formatDate(on)}</time>
                  {text}
                </li>
              ))}
            </ol>
          </section>
        </div>
      </div>
      <p className="order-on">
        <a className="button button-quiet" href="/products">
          Continue shopping
        </a>
      </p>
    </div>
  );
}

function Line({ line }: { line: OrderLineView }) {
  const { currency } = useShared();
  const { title, variant, sku, href, picture, quantity, canceled, unit_price } = line;
  return (
    <li>
      <Picture picture={{ ...picture, alt: "" }} sizes="6rem" />
      <div>
        <a href={href}>{title}</a>
        <span>{[variant, sku].filter(Boolean).join(", ")}</span>
        <span>{`${quantity} × ${formatMoney({ amount: unit_price, currency })}`}</span>
        {canceled > 0 && <span className="line-note">{`${canceled} canceled`}</span>}
      </div>
      <span className="bought-total">
        {formatMoney({ amount: unit_price * quantity, currency })}
      </span>
    </li>
  );
}

function Parcels({ parcels }: { parcels: OrderParcel[] }) {
  return (
    <section aria-labelledby="parcels">
      <h2 id="parcels">{parcels.length === 1 ? "Your package" : "Your packages"}</h2>
      <ul className="order-parcels">
        {parcels.map(({ carrier, tracking_number, tracking_url, shipped_on, delivered_on }) => (
          <li key={`${carrier} ${tracking_number}`}>
            <b>{carrier}</b>
            {tracking_url ? (
              <a href={tracking_url} rel="noreferrer">
                {tracking_number}
                <span className="visually-hidden">{`, track it with ${carrier}`}</span>
              </a>
            ) : (
              <span>{tracking_number}</span>
            )}
            <span>
              {delivered_on === null
                ? `Shipped ${formatDate(shipped_on)}`
                : `Delivered ${formatDate(delivered_on)}`}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Amounts({ order }: { order: OrderView }) {
  const { currency } = useShared();
  const { subtotal, discount, promo_code, shipping, shipping_name, taxes, paid, refunded } = order;
  return (
    <Totals
      currency={currency}
      rows={[
        ["Subtotal", subtotal],
        ...(discount > 0
          ? [[`Discount${promo_code ? ` ${promo_code}` : ""}`, -discount] as const]
          : []),
        [shipping_name, shipping],
        ...(taxes[0]
          ? taxes.map(({ name, amount }) => [name, amount] as const)
          : [["Tax", 0] as const]),
      ]}
      total={["Total", order.total]}
      {...(refunded > 0 && {
        after: [
          ["Paid", paid],
          ["Refunded", -refunded],
          ["Net payment", paid - refunded],
        ],
      })}
    />
  );
}

function Destination({ order, storeAddress }: { order: OrderView; storeAddress: string }) {
  const { company } = useShared();
  const { address, adult_signature, status, fulfillment_status } = order;
  // An order that was canceled or has arrived is handed over to nobody any more; picked up, it is `fulfilled`.
  const isOver =
    status === "canceled" ||
    fulfillment_status === "delivered" ||
    (!address && fulfillment_status === "fulfilled");
  if (!address) {
    return (
      <>
        <address>
          <b>{company.name}</b>
          <br />
          {storeAddress}
        </address>
        {!isOver && <p className="field-hint">Bring a photo ID that shows you’re 21 or older.</p>}
      </>
    );
  }
  const { first_name, last_name, company: firm, line1, line2, city, state, postal_code } = address;
  return (
    <>
      <address>
        <b>{`${first_name} ${last_name}`}</b>
        {[firm, line1, line2, `${city}, ${state} ${postal_code}`].filter(Boolean).map((line) => (
          <span key={line}>{line}</span>
        ))}
      </address>
      {adult_signature && !isOver && (
        <p className="field-hint">An adult 21 or older must show ID and sign for the package.</p>
      )}
    </>
  );
}

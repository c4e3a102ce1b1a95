import { formatDate, formatMoney } from "../lib/format";
import { useShared } from "../lib/shared";
import type { OrderLineView, OrderView, ConfirmationPage as Props } from "../lib/types";
import { Picture } from "../ui/picture";
import { Totals } from "../ui/totals";

export default function ConfirmationPage({ order, store_address }: Props) {
  const { number, email, lines, placed_at, status } = order;
  const canceled = status === "canceled";
  return (
    <div className="order-page wrap">
      <header className="order-head">
        <p className="label">
          {`Order ${number}`}
          {placed_at !== null && `, ${day(placed_at)}`}
        </p>
        <h1>{canceled ? "This order was canceled" : "Thank you"}</h1>
        <p className="lede">
          {canceled
            ? "What was charged goes back to you."
            : `We have your order and write to ${email} about it. Keep this page's address: it shows how your order stands.`}
        </p>
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
          <section aria-labelledby="next">
            <h2 id="next">What happens next</h2>
            <ol className="order-steps">
              {stepsOf(order).map((step) => (
                <li key={step}>{step}</li>
              ))}
            </ol>
          </section>
          <section aria-labelledby="where">
            <h2 id="where" className="label">
              {order.picked_up ? "Pickup" : "Shipping to"}
            </h2>
            <Where order={order} storeAddress={store_address} />
          </section>
          <section aria-labelledby="paid">
            <h2 id="paid" className="label">
              Payment
            </h2>
            <p>{order.paid_with ?? "Nothing to pay"}</p>
          </section>
          <section aria-labelledby="history">
            <h2 id="history" className="label">
              So far
            </h2>
            <ol className="timeline">
              {order.timeline.map(({ at, text }) => (
                <li key={`${at} ${text}`}>
                  <time dateTime={new Date(at).toISOString()}>{day(at)}</time>
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

/** The day, in UTC. */
const day = (ms: number) => formatDate(new Date(ms).toISOString());

function Line({ line }: { line: OrderLineView }) {
  const { currency } = useShared();
  const { title, variant, sku, href, picture, quantity, unit_price } = line;
  return (
    <li>
      <Picture picture={{ ...picture, alt: "" }} sizes="6rem" />
      <div>
        <a href={href}>{title}</a>
        <span>{[variant, sku].filter(Boolean).join(", ")}</span>
        <span>{`${quantity} × ${formatMoney({ amount: unit_price, currency })}`}</span>
      </div>
      <span className="bought-total">
        {formatMoney({ amount: unit_price * quantity, currency })}
      </span>
    </li>
  );
}

function Amounts({ order }: { order: OrderView }) {
  const { currency } = useShared();
  const { subtotal, discount, promo_code, shipping, shipping_name, taxes, refunded } = order;
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
        ...(refunded > 0 ? [["Refunded", -refunded] as const] : []),
      ]}
      total={["Total", order.total]}
    />
  );
}

function Where({ order, storeAddress }: { order: OrderView; storeAddress: string }) {
  const { company } = useShared();
  const { address, adult_signature } = order;
  if (!address) {
    return (
      <>
        <address>
          <b>{company.name}</b>
          <br />
          {storeAddress}
        </address>
        <p className="field-hint">Bring a photo ID that shows you are 21 or older.</p>
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
      {adult_signature && (
        <p className="field-hint">
          An adult of 21 or older must sign for the parcel and show an ID.
        </p>
      )}
    </>
  );
}

function stepsOf({ status, picked_up, payment_status }: OrderView): string[] {
  if (status === "canceled") return ["Write to us if you have a question about it."];
  if (picked_up) {
    const pay = payment_status === "not_paid" ? " and pay" : "";
    return [
      "We gather your order, within one business day.",
      "We write to you when it is ready.",
      `You come to the store, show your ID${pay}, and take it with you.`,
    ];
  }
  return [
    "We pack your order, within one business day.",
    "Your card is charged now; the receipt comes by mail.",
    "We write to you with the tracking number when the parcel leaves.",
  ];
}

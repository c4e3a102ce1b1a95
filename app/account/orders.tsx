import { type FormEvent, useState } from "react";
import { ApiError, call } from "../lib/api";
import { formatDate, formatMoney } from "../lib/format";
import { navigate } from "../lib/navigation";
import { useShared } from "../lib/shared";
import { addToast } from "../lib/toast";
import type { AccountOrder, AccountPage } from "../lib/types";
import { Picture } from "../ui/picture";
import { AccountForm, FormErrors, refusalOf } from "./form";
import { addAgain } from "./order-again";

export function Orders(props: AccountPage) {
  const { orders, older_href, newest_href } = props;
  const refused = refusalOf(props, "order_again");
  if (orders.length === 0) {
    return (
      <p className="field-hint">No orders yet. Orders you place while signed in appear here.</p>
    );
  }
  return (
    <>
      <ul className="account-orders">
        {orders.map((order) => (
          <Order
            key={order.number}
            order={order}
            errors={refused?.typed.number === order.number ? refused.errors.number : undefined}
          />
        ))}
      </ul>
      {(newest_href || older_href) && (
        <div className="sheet-acts">
          {newest_href && (
            <a className="link" href={newest_href}>
              Newest orders
            </a>
          )}
          {older_href && (
            <a className="link" href={older_href}>
              Older orders
            </a>
          )}
        </div>
      )}
    </>
  );
}

interface OrderProps {
  order: AccountOrder;
  /** Why it could not be ordered again in full. */
  errors: string[] | undefined;
}

function Order({ order, errors }: OrderProps) {
  const { currency } = useShared();
  const { number, href, placed_on, lines, total, timeline } = order;
  const [busy, setBusy] = useState(false);

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    setBusy(true);
    await orderAgain(order);
    setBusy(false);
  }

  return (
    <li>
      <div className="account-order-head">
        <h3>
          <a href={href}>{`Order ${number}`}</a>
        </h3>
        <p>
          {placed_on !== null && `${formatDate(placed_on)}, `}
          {formatMoney({ amount: total, currency })}
        </p>
      </div>
      <ul className="account-order-goods">
        {lines.map(({ sku, title, picture, quantity, canceled }) => (
          <li key={sku}>
            <Picture picture={{ ...picture, alt: "" }} sizes="3.5rem" />
            <span>
              {quantity > 1 ? `${quantity} × ${title}` : title}
              {canceled > 0 && `, ${canceled} canceled`}
            </span>
          </li>
        ))}
      </ul>
      <ol className="timeline">
        {timeline.map(({ at, on, text }) => (
          <li key={`${at} ${text}`}>
            <time dateTime={new Date(at).toISOString()}>{formatDate(on)}</time>
            {text}
          </li>
        ))}
      </ol>
      <div className="sheet-acts">
        <a className="link" href={href}>
          View order<span className="visually-hidden">{` ${number}`}</span>
        </a>
        <AccountForm onSubmit={submit}>
          <input type="hidden" name="number" value={number} />
          <button type="submit" name="do" value="order_again" className="link" aria-disabled={busy}>
            Order again<span className="visually-hidden">{` ${number}`}</span>
          </button>
        </AccountForm>
      </div>
      <FormErrors messages={errors} />
      {errors && (
        <p>
          What’s still available is in <a href="/cart">your cart</a>.
        </p>
      )}
    </li>
  );
}

/** Adds what is still sold to the cart, at today's prices, and goes there, unless there is something to tell. */
async function orderAgain({ lines }: AccountOrder): Promise<void> {
  const items = lines.flatMap(({ variant_id, quantity, unit_price }) =>
    variant_id ? [{ id: variant_id, qty: quantity, price: unit_price }] : [],
  );
  try {
    const quote = await call("/api/checkout/quote", { method: "POST", body: { items } });
    const sold = quote.lines.filter(({ max_quantity }) => max_quantity > 0);
    // What is no longer sold was in no cart.
    const changes = quote.changes.filter(({ kind }) => kind !== "unavailable");
    const notes = [...changes.map(({ message }) => message), ...addAgain(sold)];
    const toCart = sold.length > 0;
    if (toCart && sold.length < lines.length) notes.push("Some items are no longer available.");
    if (toCart && notes.length === 0) return await navigate("/cart");
    const summary = toCart ? "Some items have changed" : "These items are no longer available";
    addToast({ severity: "warn", summary, detail: notes.join(" "), toCart });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    addToast({ severity: "error", summary: error.message });
  }
}

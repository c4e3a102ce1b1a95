import { useEffect, useRef, useState } from "react";
import { ApiError, call } from "../lib/api";
import { formatMoney } from "../lib/format";
import { loaded } from "../lib/load";
import { navigate } from "../lib/navigation";
import { useShared } from "../lib/shared";
import type { CheckoutStatus, PickupToConfirm, ConfirmPickupPage as Props } from "../lib/types";
import { Button } from "../ui/button";
import { Picture } from "../ui/picture";
import { Totals } from "../ui/totals";

/** The page that the email's confirmation link opens. Only the button places the order; loading the page does not. */
export default function ConfirmPickupPage({ pickup, order, store_address }: Props) {
  return (
    <div className="checkout wrap">
      {pickup ? (
        <ToConfirm pickup={pickup} storeAddress={store_address} />
      ) : order ? (
        <div className="nothing">
          <h1>Your order is confirmed</h1>
          <p className="lede">Thank you for your order.</p>
          <a className="button button-primary" href={order.href}>
            {`View order ${order.label}`}
          </a>
        </div>
      ) : (
        <div className="nothing">
          <h1>This link is no longer valid</h1>
          <p className="lede">
            It expired, was replaced, or was used before. If you ordered, we emailed you the number.
          </p>
          <a className="button button-primary" href="/cart">
            Go to your cart
          </a>
        </div>
      )}
    </div>
  );
}

function ToConfirm({ pickup, storeAddress }: { pickup: PickupToConfirm; storeAddress: string }) {
  const { currency } = useShared();
  const { link, lines, total, picked_up, is_of_cart } = pickup;
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const alert = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    if (problem) alert.current?.focus();
  }, [problem]);

  async function confirm(): Promise<void> {
    if (busy) return;
    setBusy(true);
    setProblem(null);
    try {
      const { href } = await confirmUntilPlaced(link);
      const order = href ?? "/";
      // Nobody else tells this browser's cart, unless the checkout is still open. The order is shown even if that fails.
      if (is_of_cart) await clearCart(lines, order).catch(() => {});
      void navigate(order, { replace: true });
    } catch (error) {
      setBusy(false);
      if (!(error instanceof ApiError)) throw error;
      setProblem(error.message);
    }
  }

  return (
    <div className="confirm-pickup">
      <h1>Confirm your order</h1>
      <p className="lede">
        {picked_up
          ? `Pick up these items in our store${total > 0 ? " and pay there by card or cash" : ""}.`
          : "We’ll ship these items to the address given with the order."}
      </p>
      <ul className="bought">
        {lines.map(({ id, title, variant, quantity, unit_price, picture }) => (
          <li key={id}>
            <Picture picture={{ ...picture, alt: "" }} sizes="4rem" />
            <div>
              <b>{title}</b>
              <span>{[variant, `Quantity ${quantity}`].filter(Boolean).join(", ")}</span>
            </div>
            <span className="bought-total">
              {formatMoney({ amount: unit_price * quantity, currency })}
            </span>
          </li>
        ))}
      </ul>
      <Totals
        currency={currency}
        rows={[]}
        total={[picked_up ? "Total at pickup, with tax" : "Total", total]}
      />
      <p className="checkout-note">
        {picked_up
          ? `Pick up at ${storeAddress}. Bring a photo ID: you must be 21 or older.`
          : "You must be 21 or older."}
      </p>
      <p className="field-error" role="alert" tabIndex={-1} ref={alert}>
        {problem}
      </p>
      <form
        method="post"
        action="/checkout/confirm"
        onSubmit={(event) => {
          event.preventDefault();
          void confirm();
        }}
      >
        <input type="hidden" name="link" value={link} />
        <Button type="submit" aria-disabled={busy}>
          {busy ? "One moment…" : "Confirm order"}
        </Button>
      </form>
    </div>
  );
}

async function clearCart(lines: PickupToConfirm["lines"], order: string): Promise<void> {
  const { removeBought } = await loaded(import("./pay"));
  const bought = lines.map(({ variant_id, quantity }) => ({ id: variant_id ?? "", qty: quantity }));
  removeBought(bought, order);
}

/** Repeats the call until the order is placed: another tab may be confirming the same link. */
async function confirmUntilPlaced(link: string): Promise<CheckoutStatus> {
  for (;;) {
    const body = { link };
    const answer = await call("/api/checkout/confirm", {
      method: "POST",
      body,
      timeout: 40_000,
    });
    if (answer.status === "placed") return answer;
    await new Promise((resolve) => setTimeout(resolve, 2_000));
  }
}

import { useEffect, useRef, useState } from "react";
import { call } from "../lib/api";
import { useCart } from "../lib/cart";
import { reportError } from "../lib/errors";
import { formatMoney } from "../lib/format";
import { usePromoCode } from "../lib/promo";
import { useQuote, wanted } from "../lib/quote";
import { useShared } from "../lib/shared";
import type { CheckoutPage as Props, ProviderName, QuoteRequest } from "../lib/types";
import type { CardForm } from "./card";
import { Contact } from "./contact";
import { Delivery } from "./delivery";
import { addressOf, hasDestination, useForm } from "./form-state";
import { Mailed } from "./mailed";
import { prepareOrder } from "./order";
import { Payment } from "./payment";
import { Summary } from "./summary";
import { usePayment } from "./use-payment";

/** One page from the cart to the order. Every amount on it is the server's. */
export function Checkout({ square, states, store_address, draft }: Props) {
  const { user, currency } = useShared();
  const cart = wanted(useCart().items);
  const items = draft?.items ?? cart;
  const ownCode = usePromoCode();
  // What staff have put together has its own code, which the server knows.
  const promo_code = draft ? null : ownCode;
  const { form, change } = useForm(user?.email ?? "", draft);
  const card = useRef<CardForm | null>(null);
  const element = useRef<HTMLFormElement>(null);
  const [saveAddress, setSaveAddress] = useState(false);

  const { flow, state } = usePayment(draft, async () => {
    if (user && saveAddress && form.delivery === "ship") await keepAddress(addressOf(form));
  });
  const busy = state.step !== "editing";
  const refusal = state.step === "editing" ? state.refusal : null;

  const ships = form.delivery === "ship";
  const knows = ships && hasDestination(form);
  const shipping_method = ships ? form.method : "pickup";
  const request: QuoteRequest = {
    checkout_id: flow.checkoutId(),
    items,
    promo_code,
    email: promo_code || draft ? form.email.trim() : null,
    state: knows ? form.state : null,
    postal_code: knows ? form.postal_code.trim() : null,
    shipping_method: shipping_method || null,
  };
  const quoted = useQuote(items.length > 0 && !busy ? request : null);
  const { quote, fresh, again } = quoted;
  const total = quote?.total ?? null;

  // The first way of shipping is chosen until the shopper chooses; one that is gone is dropped.
  const ways = quote?.shipping_options.filter(({ pickup }) => !pickup) ?? [];
  const method = ways.some(({ code }) => code === form.method)
    ? form.method
    : (ways[0]?.code ?? "");
  useEffect(() => {
    if (ships && fresh && method !== form.method) change({ method });
  });

  const methods = (quote?.payment_methods ?? []).filter((name) => name !== "square" || square);
  const payment: ProviderName | "" =
    methods.find((name) => name === form.payment) ?? methods[0] ?? "";

  // Errors leave their fields when these are changed.
  const [fixed, setFixed] = useState<readonly string[]>([]);
  const about = (field: string) =>
    fixed.includes(field) ? undefined : refusal?.fields[field] || undefined;
  useEffect(() => {
    setFixed([]);
    if (!refusal) return;
    if (refusal.kind === "changed") again();
    const wrong = element.current?.querySelector<HTMLElement>("[aria-invalid=true]");
    (wrong ?? document.getElementById("refusal"))?.focus();
  }, [refusal, again]);

  if (items.length === 0 && !busy) return <Empty />;
  if (state.step === "mailed") return <Mailed email={form.email.trim()} onEdit={flow.edit} />;

  function pay(): void {
    const order = { form, items, quoted, payment, promo_code, shipping_method, card: card.current };
    flow.pay(() => prepareOrder(order)).catch((error: unknown) => reportError(error, "promise"));
  }

  const section = { form, about, states, busy };
  return (
    <form
      ref={element}
      className="checkout-columns"
      noValidate
      aria-label="Checkout"
      onSubmit={(event) => {
        event.preventDefault();
        pay();
      }}
      onChange={({ target }) => {
        if (target instanceof HTMLInputElement || target instanceof HTMLSelectElement) {
          const { name } = target;
          setFixed((before) => [...before, name]);
        }
      }}
    >
      {/* Where the summary stands below the form, a look at it and the way to it. */}
      <p className="checkout-peek">
        <a href="#summary">Your order</a>
        <span>{total === null ? "" : formatMoney({ amount: total, currency })}</span>
      </p>
      <div className="checkout-form">
        <Contact {...section} change={change} />
        <Delivery
          {...section}
          change={change}
          quote={quote}
          fresh={fresh}
          method={method}
          storeAddress={store_address}
          saveAddress={saveAddress}
          onSaveAddress={setSaveAddress}
        />
        <Payment
          square={square}
          card={card}
          methods={methods}
          payment={payment}
          known={total !== null}
          total={total}
          problem={about("source_id") ?? about("payment_method")}
          onChoose={(name) => change({ payment: name })}
        />
      </div>
      <Summary
        {...quoted}
        draft={draft}
        state={state}
        payment={payment}
        promoCode={promo_code}
        email={form.email}
      />
    </form>
  );
}

/** The order is placed already: an address that cannot be kept must not stand in its way. */
async function keepAddress(address: object): Promise<void> {
  const body = { ...address, is_default: false };
  await call("/api/me/addresses", { method: "POST", body, keepalive: true }).catch(
    (error: unknown) => console.warn("The address was not saved:", error),
  );
}

function Empty() {
  return (
    <div className="nothing">
      <p className="lede">There is nothing to pay for: your cart is empty.</p>
      <a className="button button-primary" href="/products">
        Browse the shop
      </a>
    </div>
  );
}

import { type FormEvent, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import { stateOf, useCart } from "../lib/cart";
import { mergeQuotedCart } from "../lib/cart-absorb";
import { formatMoney } from "../lib/format";
import { usePromoCode } from "../lib/promo";
import { quoteLines, useQuote } from "../lib/quote";
import { useShared } from "../lib/shared";
import type { CheckoutPage as Props, QuoteRequest } from "../lib/types";
import type { CardForm } from "./card";
import { CheckEmail } from "./check-email";
import { Contact } from "./contact";
import { Delivery } from "./delivery";
import { addressOf, type Form, hasDestination, useForm } from "./form-state";
import { Payment } from "./payment";
import { Summary } from "./summary";
import { usePayment } from "./use-payment";

/** The checkout on a single page. All amounts come from the server. Without scripts it is a plain form. */
export function Checkout(props: Props) {
  const { square, states, store_address, draft } = props;
  const { user, currency } = useShared();
  const known = useMemo(() => stateOf(props.quote?.lines ?? []), [props.quote]);
  const cart = quoteLines(useCart(known).items);
  // In a layout effect, so that the browser's cart is not shown before the merge.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once, with the document's cart.
  useLayoutEffect(() => {
    if (draft || !props.quote) return;
    mergeQuotedCart(user?.sub, props.quote.lines, props.promo_code);
  }, []);
  const items = draft?.items ?? cart;
  const ownCode = usePromoCode(props.promo_code);
  // A draft order has its own code, which the server knows.
  const promo_code = draft ? null : ownCode;
  const { form, change } = useForm(props, user);
  const card = useRef<CardForm | null>(null);
  const [saveAddress, setSaveAddress] = useState(false);

  const ships = form.delivery === "ship";
  const savesAddress = user && saveAddress && ships;
  const { pay, edit, state, refusal, checkoutId } = usePayment(
    props,
    savesAddress ? { ...addressOf(form), user_id: user.sub } : null,
  );
  const busy = state.step !== "editing";

  const hasAddress = ships && hasDestination(form);
  const shipping_method = ships ? form.method : "pickup";
  const request: QuoteRequest = {
    checkout_id: checkoutId,
    items,
    promo_code,
    email: promo_code || draft ? form.email.trim() : null,
    state: hasAddress ? form.state : null,
    postal_code: hasAddress ? form.postal_code.trim() : null,
    shipping_method: shipping_method || null,
  };
  const quoteState = useQuote(items.length > 0 && !busy ? request : null, props.quote, !user);
  const { quote, fresh, error, again } = quoteState;
  // With an error, a click leads to its message.
  const waits = busy || (!fresh && !error);
  const total = quote?.total ?? null;

  // The first shipping method is the default.
  const options = quote?.shipping_options.filter(({ pickup }) => !pickup) ?? [];
  const isChosen = ({ code }: { code: string }) => code === form.method;
  const method = (options.find(isChosen) ?? options[0])?.code ?? "";

  const methods = (quote?.payment_methods ?? []).filter((name) => name !== "square" || square);
  const payment = methods.find((name) => name === form.payment) ?? methods[0] ?? null;

  // A field's error is hidden while the field differs from what was refused, and what a quote held against the order once there
  // is another quote, until the next refusal.
  const [since, setSince] = useState({ refusal, quote, form });
  if (since.refusal !== refusal) setSince({ refusal, quote, form });
  const about = (field: string) => {
    const name = field.replace(/address\.|shipping_/, "") as keyof Form;
    return (
      (form[name] === since.form[name] && refusal?.fields[field]) ||
      quote?.problems.find(({ code }) => code === field)?.message
    );
  };
  // A chosen method that is no longer offered is replaced. While the destination is incomplete none is offered, and none refused.
  const isOver = method || about("shipping_method");
  useEffect(() => {
    if (ships && fresh && isOver && method !== form.method) change({ method });
  });
  useEffect(() => {
    if (!refusal) return;
    if (refusal.kind === "changed") again();
    // A refused promo code, which is in the summary, prevents no order.
    const wrong = document.querySelector<HTMLElement>(".checkout-form [aria-invalid=true]");
    (wrong ?? document.getElementById("refusal"))?.focus();
  }, [refusal, again]);

  if (items.length === 0 && !busy)
    return <Empty problem={(refusal?.kind === "age" || !props.quote) && refusal?.message} />;
  if (state.step === "mailed") return <CheckEmail email={form.email.trim()} onEdit={edit} />;

  function submit(event: FormEvent): void {
    event.preventDefault();
    void pay({
      form,
      address: addressOf(form),
      items,
      quoteState,
      payment,
      promo_code,
      shipping_method,
      user_id: user?.sub,
      card: card.current,
    });
  }

  // Only as the document was rendered: in fields that are shown later it would move the focus.
  const refused = since.form === form && props.refusal !== null;
  const section = { form, about, change, states, busy, refused };
  const hidden = {
    checkout_id: checkoutId,
    click_id: props.click_id,
    user_id: user?.sub,
    expected_total: total,
    expected_subtotal: quote?.subtotal,
    expected_units: quote?.units,
    // While there are no radio buttons for it.
    shipping_method: ships && method ? null : form.method,
  };
  return (
    <form
      method="post"
      // Without it the next document would have this one's fragment, which keeps browsers from focusing what is wrong.
      action={props.url}
      data-replay
      className="checkout-columns"
      noValidate
      aria-label="Checkout"
      onSubmit={submit}
    >
      {/* Enter clicks this button. Without scripts that requests a quote, with scripts it places the order. */}
      <button type="submit" name="do" value="quote" hidden aria-disabled={waits} />
      {Object.entries(hidden).map(
        ([name, value]) =>
          value != null && <input key={name} type="hidden" name={name} value={value} />,
      )}
      {/* On narrow screens, where the summary is below the form: the total and a link to the summary. */}
      <p className="checkout-peek">
        <a href="#summary">Your order</a>
        <span>
          {total !== null
            ? formatMoney({ amount: total, currency })
            : quote && `Subtotal ${formatMoney({ amount: quote.subtotal, currency })}`}
        </span>
      </p>
      <div className="checkout-form">
        <Contact {...section} here={props.url} />
        <Delivery
          {...section}
          quote={quote}
          fresh={fresh}
          options={options}
          method={method}
          addresses={props.addresses}
          storeAddress={store_address}
          saveAddress={saveAddress}
          onSaveAddress={setSaveAddress}
        />
        <Payment
          square={square}
          card={card}
          methods={methods}
          payment={payment}
          total={total}
          problem={about("source_id") ?? about("payment_method")}
          onChoose={(name) => change({ payment: name })}
        />
      </div>
      <Summary
        {...quoteState}
        draft={draft}
        state={state}
        refusal={since.quote !== quote && refusal?.kind === "quote" ? null : refusal}
        waits={waits}
        payment={payment}
        promoCode={promo_code}
      />
    </form>
  );
}

/** With the end of a sign-in, of which `problem` tells, the account's cart leaves the page. Other refusals concerned its items. */
function Empty({ problem }: { problem: string | false | undefined }) {
  return (
    <div className="nothing">
      <p className="lede">{problem} Your cart is empty.</p>
      <a className="button button-primary" href="/products">
        Start shopping
      </a>
    </div>
  );
}

import { removeItem } from "../lib/cart";
import { formatDate, formatMoney } from "../lib/format";
import { QuoteError, type QuoteState } from "../lib/quote";
import { useShared } from "../lib/shared";
import type { CartLine, DraftCheckout, ProviderName, Quote } from "../lib/types";
import { Button } from "../ui/button";
import { Picture } from "../ui/picture";
import { PromoField } from "../ui/promo-field";
import { Totals } from "../ui/totals";
import type { PayState, Refusal } from "./payment-flow";

interface Props extends QuoteState {
  /** A draft order made by staff; its items cannot be changed here. */
  draft: DraftCheckout | null;
  state: PayState;
  /** Why the last attempt was refused, unless the reason is gone. */
  refusal: Refusal | null;
  /** Whether the order cannot be placed at the moment. */
  waits: boolean;
  payment: ProviderName | null;
  promoCode: string | null;
  again: () => void;
}

/** The items and totals of the quote, and the button that places the order. */
export function Summary(props: Props) {
  const { quote, waits, state, promoCode, draft } = props;
  const busy = state.step !== "editing";
  return (
    <section className="cart-summary checkout-summary" aria-labelledby="summary">
      <div className="checkout-summary-head">
        <h2 id="summary" className="label">
          Your order
        </h2>
        {!busy && !draft && (
          <a className="link" href="/cart">
            Edit cart
          </a>
        )}
      </div>
      {draft && (
        <p className="field-hint">
          {`Prepared for you as ${draft.number}. Prices are good until ${formatDate(draft.good_until)}.`}
        </p>
      )}
      {quote ? (
        <QuoteDetails {...props} quote={quote} busy={busy} />
      ) : (
        <div className="skeleton-lines" aria-hidden="true" />
      )}
      <QuoteError {...props} />
      {!draft && <PromoField {...props} code={promoCode} disabled={busy} />}
      <Progress {...props} />
      <Button type="submit" name="do" value="order" aria-disabled={waits}>
        {labelOf(props, useShared().currency)}
      </Button>
      <p className="field-hint">
        By placing your order, you agree to our{" "}
        <a href="/content/legal/terms-of-service">terms of service</a> and{" "}
        <a href="/content/legal/refund-return-policy">return policy</a>.
      </p>
    </section>
  );
}

function labelOf({ quote, state, payment }: Props, currency: string): string {
  if (state.step === "placed") return "Thank you";
  if (state.step !== "editing") return "One moment…";
  const total = quote?.total;
  if (!total) return "Place order";
  const amount = formatMoney({ amount: total, currency });
  return payment === "pickup" ? `Place order, pay ${amount} at pickup` : `Pay ${amount}`;
}

function QuoteDetails({ quote, busy, payment, draft }: Props & { quote: Quote; busy: boolean }) {
  const { currency } = useShared();
  const { lines, subtotal, discount, promo, shipping, taxes, tax_name, tax, total } = quote;
  const shown = new Set(lines.map(({ id }) => id));
  // Messages about no current line. Promo codes and restrictions have their messages at their own fields.
  const others = [
    ...quote.changes.filter(({ id }) => !shown.has(id)).map(({ message }) => message),
    ...quote.problems
      .filter(({ id, code }) => (id === null || !shown.has(id)) && !isElsewhere(code, draft))
      .map(({ message }) => message),
  ];
  return (
    <>
      <div className="checkout-note" role="status">
        {[...new Set(others)].map((message) => (
          <p key={message}>{message}</p>
        ))}
      </div>
      <ul className="bought">
        {lines.map((line) => (
          <Line
            key={line.id}
            line={line}
            notes={notesOf(quote, line.id)}
            busy={busy}
            isFixed={draft !== null}
          />
        ))}
      </ul>
      <Totals
        currency={currency}
        rows={[
          ["Subtotal", subtotal],
          ...(promo && discount > 0 ? [[`Discount ${promo.code}`, -discount] as const] : []),
          ["Shipping", shipping ?? "To be calculated"],
          ...(taxes[0]
            ? taxes.map(({ name, amount }) => [name, amount] as const)
            : [[tax_name ?? "Tax", tax ?? "To be calculated"] as const]),
        ]}
        total={[payment === "pickup" ? "Total at pickup" : "Total", total ?? "To be calculated"]}
      />
    </>
  );
}

/** Whether the message is shown elsewhere on the page. A draft order has no promo code field. */
function isElsewhere(code: string, draft: DraftCheckout | null): boolean {
  return /^(address|restrict|not_|shipping|empty)/.test(code) || (code === "promo_code" && !draft);
}

function notesOf({ changes, problems }: Quote, id: string): string[] {
  // A sold-out line is both a change and a problem; only the problem says what to do.
  const lineProblems = problems.filter((each) => each.id === id && each.code !== "restricted");
  const lineChanges = changes.filter((each) => each.id === id && each.kind !== "sold_out");
  return [...lineProblems, ...lineChanges].map(({ message }) => message);
}

interface LineProps {
  line: CartLine;
  notes: string[];
  busy: boolean;
  isFixed: boolean;
}

function Line({ line, notes, busy, isFixed }: LineProps) {
  const { currency } = useShared();
  const { id, title, variant, qty, price, picture, max_quantity } = line;
  return (
    <li>
      <Picture picture={{ ...picture, alt: "" }} sizes="4rem" />
      <div>
        <b>{title}</b>
        <span>{[variant, `Quantity ${qty}`].filter(Boolean).join(", ")}</span>
        {/* Always there, so that a message is announced. */}
        <div role="status">
          {notes.map((note) => (
            <span key={note} className="line-note">
              {note}
            </span>
          ))}
        </div>
        {max_quantity === 0 && !isFixed && (
          <button
            type="button"
            className="link needs-scripts"
            disabled={busy}
            onClick={() => removeItem(id)}
          >
            Remove<span className="visually-hidden">{` ${title}`}</span>
          </button>
        )}
      </div>
      <span className="bought-total">
        {max_quantity === 0 ? "Sold out" : formatMoney({ amount: price * qty, currency })}
      </span>
    </li>
  );
}

/** The progress of the payment, or the refusal of the last attempt. */
function Progress({ state, refusal }: Props) {
  if (state.step === "editing") {
    return (
      <div
        id="refusal"
        role="alert"
        tabIndex={-1}
        // biome-ignore lint/a11y/noAutofocus: without scripts, nothing else leads from the top of the page to the refusal.
        autoFocus={refusal !== null}
      >
        {refusal && (
          <p className="field-error">
            {Object.keys(refusal.fields)[0]
              ? "Some details are missing or incorrect. They’re marked above."
              : refusal.message}
          </p>
        )}
      </div>
    );
  }
  return (
    <div className="checkout-note" role="status">
      <p>{STEP_TEXTS[state.step]}</p>
      {state.step === "checking" && (
        <p>
          {state.offline
            ? "You’re offline. We’ll continue as soon as you’re back online."
            : "This can take a minute. Keep this page open. You won’t be charged twice."}
        </p>
      )}
    </div>
  );
}

const STEP_TEXTS = {
  paying: "Your order is being placed.",
  checking: "We’re checking on your payment.",
  /** Then `CheckEmail` is shown instead. */
  mailed: "",
  placed: "Your order is placed.",
};

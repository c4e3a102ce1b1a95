import { type FormEvent, useRef, useState } from "react";
import { ApiError } from "../../lib/api";
import { navigate } from "../../lib/navigation";
import { addToast } from "../../lib/toast";
import type { NewOrderPage as Props, Quote, StaffOrderOutcome } from "../../lib/types";
import { Button } from "../../ui/button";
import { Field } from "../../ui/field";
import { staffCall } from "../call";
import { AdminLayout } from "../layout";
import { Head } from "../parts/head";
import { dollars } from "./amounts";

interface NewLine {
  key: number;
  sku: string;
  quantity: number;
}

/** An order that staff make for somebody, who pays when they pick it up. */
export default function NewOrderPage({ store_address }: Props) {
  // Made at the first press: isolates have no source of chance.
  const names = useRef<{ checkout_id: string; click_id: string }>(null);
  const [lines, setLines] = useState<NewLine[]>([{ key: 0, sku: "", quantity: 1 }]);
  const [quote, setQuote] = useState<Quote | null>(null);
  const [error, setError] = useState<ApiError | null>(null);
  const [busy, setBusy] = useState(false);
  const total = quote && quote.problems.length === 0 ? quote.total : null;

  function change(key: number, changed: Partial<NewLine>): void {
    setLines(lines.map((line) => (line.key === key ? { ...line, ...changed } : line)));
  }

  /** The first press asks what it comes to; the second, with nothing changed between, places it. */
  async function send(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    names.current ??= { checkout_id: crypto.randomUUID(), click_id: crypto.randomUUID() };
    setBusy(true);
    try {
      const body = {
        ...names.current,
        lines: lines
          .filter(({ sku }) => sku.trim())
          .map(({ sku, quantity }) => ({ sku, quantity })),
        email: form.get("email"),
        phone: form.get("phone"),
        first_name: form.get("first_name"),
        last_name: form.get("last_name"),
        promo_code: form.get("promo_code") || null,
        expected_total: total,
      };
      const outcome = await staffCall<StaffOrderOutcome>("/api/admin/orders", {
        method: "POST",
        body,
      });
      setError(null);
      setQuote(outcome.quote);
      if (!outcome.number) return;
      addToast({ severity: "success", summary: `Order ${outcome.number} is placed.`, life: 5_000 });
      await navigate(`/admin/orders/${outcome.number}`);
    } catch (cause) {
      if (!(cause instanceof ApiError)) throw cause;
      setError(cause);
      if (cause.status === 409) setQuote(null);
    } finally {
      setBusy(false);
    }
  }

  const about = (field: string) => error?.about(field);
  return (
    <>
      <Head title="New order" links={[{ label: "Orders", href: "/admin/orders" }]} />
      <form
        className="order-desk"
        onSubmit={(event) => void send(event)}
        onChange={() => setQuote(null)}
        noValidate
      >
        <div>
          <section className="panel admin-form" aria-labelledby="new-goods">
            <h2 id="new-goods">Goods</h2>
            {lines.map(({ key, sku, quantity }, at) => (
              <div key={key} className="order-new-line">
                <Field
                  name={`sku ${key}`}
                  label={`SKU ${at + 1}`}
                  value={sku}
                  autoComplete="off"
                  onChange={({ target }) => change(key, { sku: target.value })}
                  problem={undefined}
                />
                <Field
                  name={`quantity ${key}`}
                  label={`Quantity ${at + 1}`}
                  type="number"
                  min={1}
                  value={quantity}
                  onChange={({ target }) => change(key, { quantity: Number(target.value) })}
                  problem={undefined}
                />
                {lines.length > 1 && (
                  <button
                    type="button"
                    className="link"
                    aria-label={`Remove line ${at + 1}`}
                    onClick={() => {
                      setQuote(null);
                      setLines(lines.filter((line) => line.key !== key));
                    }}
                  >
                    Remove
                  </button>
                )}
              </div>
            ))}
            {(about("lines") ?? about("lines[0].quantity")) && (
              <p className="field-error" role="alert">
                {about("lines") ?? about("lines[0].quantity")}
              </p>
            )}
            <button
              type="button"
              className="button button-quiet"
              onClick={() => setLines([...lines, { key: Date.now(), sku: "", quantity: 1 }])}
            >
              Add a line
            </button>
          </section>
          <section className="panel admin-form" aria-labelledby="new-buyer">
            <h2 id="new-buyer">Buyer</h2>
            <div className="order-pair">
              <Field name="first_name" label="First name" problem={about("first_name")} />
              <Field name="last_name" label="Last name" problem={about("last_name")} />
              <Field name="email" label="Mail address" type="email" problem={about("email")} />
              <Field name="phone" label="Phone (optional)" type="tel" problem={about("phone")} />
            </div>
          </section>
        </div>
        <div>
          <section className="panel admin-form" aria-labelledby="new-price">
            <h2 id="new-price">Price</h2>
            <Field
              name="promo_code"
              label="Promo code (optional)"
              autoComplete="off"
              problem={undefined}
            />
            <div aria-live="polite">{quote && <Priced quote={quote} />}</div>
            {error && Object.keys(error.problem?.errors ?? {}).length === 0 && (
              <p className="order-problem" role="alert">
                {error.message}
              </p>
            )}
            <Button type="submit" disabled={busy}>
              {total === null ? "What does it come to?" : `Place it for ${dollars(total)}`}
            </Button>
            <p className="field-hint">{`Paid for and picked up at ${store_address}, where an ID is checked.`}</p>
          </section>
        </div>
      </form>
    </>
  );
}

NewOrderPage.Layout = AdminLayout;

function Priced({ quote }: { quote: Quote }) {
  const { lines, problems, subtotal, discount, tax, tax_name, total } = quote;
  return (
    <>
      <ul className="order-some">
        {lines.map(({ id, qty, title, variant, price }) => (
          <li key={id}>
            {`${qty} × ${[title, variant].filter(Boolean).join(", ")}, ${dollars(price)} each`}
          </li>
        ))}
      </ul>
      <dl className="order-sums">
        <div>
          <dt>Goods</dt>
          <dd>{dollars(subtotal)}</dd>
        </div>
        {discount > 0 && (
          <div>
            <dt>Discount</dt>
            <dd>{dollars(-discount)}</dd>
          </div>
        )}
        <div>
          <dt>{tax_name ?? "Tax"}</dt>
          <dd>{dollars(tax ?? 0)}</dd>
        </div>
        <div data-strong>
          <dt>Total</dt>
          <dd>{dollars(total ?? 0)}</dd>
        </div>
      </dl>
      {problems.length > 0 && (
        <ul className="order-problem" role="alert">
          {problems.map(({ code, id, message }) => (
            <li key={`${code} ${id}`}>{message}</li>
          ))}
        </ul>
      )}
    </>
  );
}

import { type FormEvent, useEffect, useRef, useState } from "react";
import { ApiError } from "../../lib/api";
import { navigate, refresh } from "../../lib/navigation";
import { addToast } from "../../lib/toast";
import type { NewOrderPage as Props } from "../../lib/types";
import { Button } from "../../ui/button";
import { Field } from "../../ui/field";
import { isConflict } from "../call";
import { AdminLayout } from "../layout";
import { useBaseVersion } from "../parts/base-version";
import { dollars } from "../parts/cents";
import { useIsMailOn } from "../parts/mail";
import { PageHeader } from "../parts/page-header";
import { type OrderIds, orderCall, quoteCall } from "./new-order-call";
import { CustomerPanel } from "./new-order-customer";
import { DeliveryPanel } from "./new-order-delivery";
import { ItemsPanel } from "./new-order-items";
import { type NewOrder, newOrder } from "./new-order-state";
import { QuoteTotals } from "./quote-totals";
import { useStaffQuote } from "./use-staff-quote";

/** The key resets the form for another draft. */
export default function NewOrderPage(props: Props) {
  return <OrderForm key={props.draft?.number ?? "new"} {...props} />;
}

NewOrderPage.Layout = AdminLayout;

/** The form in which staff create an order for a customer, who pays through a link or at pickup. */
function OrderForm({ store_address, takes_cards, draft: latest }: Props) {
  // Generated at the first submit: isolates have no random number generator.
  const ids = useRef<OrderIds>(null);
  const [version, moveToLatest] = useBaseVersion(latest?.version ?? 0, latest);
  const draft = latest && { ...latest, version };
  const isMailOn = useIsMailOn();
  const [order, setOrder] = useState<NewOrder>(() => newOrder(draft, isMailOn));
  const [error, setError] = useState<ApiError | null>(null);
  const [busy, setBusy] = useState(false);
  // A field's error is hidden once the field has changed.
  const [fixed, setFixed] = useState<readonly string[]>([]);
  const change = (part: Partial<NewOrder>) => {
    setOrder((before) => ({ ...before, ...part }));
    setFixed((before) => [...before, ...changedFields(order, part)]);
  };

  const byLink = order.paid === "link";
  const isComplete = order.lines.length > 0 && order.lines.every(({ quantity }) => quantity > 0);
  const quoteState = useStaffQuote(isComplete && !busy ? quoteCall(order, draft) : null);
  const { quote, fresh } = quoteState;
  const shippingOptions = quote?.shipping_options.filter(({ pickup }) => !pickup) ?? [];
  const ships = byLink && order.delivery === "ship";
  // The first shipping method is the default. A chosen method that is no longer offered is replaced by it.
  const method = shippingOptions.some(({ code }) => code === order.method)
    ? order.method
    : (shippingOptions[0]?.code ?? "");
  useEffect(() => {
    if (ships && fresh && method !== order.method) change({ method });
  });
  // A price of fewer items than asked for is none of this order.
  const isWhole = quote?.problems.length === 0 && quote.changes.length === 0;
  const total = fresh && isWhole ? quote.total : null;
  const about = (field: string) => {
    // `lines` for `lines[1].qty`, which another line may be by now.
    const [part = field] = field.split("[");
    return (
      (fixed.includes(part) ? undefined : error?.about(field)) ?? quoteState.error?.about(field)
    );
  };

  async function send(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    const form = event.currentTarget;
    ids.current ??= {
      checkout_id: crypto.randomUUID(),
      click_id: crypto.randomUUID(),
      draft_id: crypto.randomUUID(),
    };
    setBusy(true);
    try {
      // Without a total the server reports what is missing, by field.
      const { send } = orderCall({ ...order, method }, draft, ids.current, total ?? 0);
      const { number } = await send();
      setError(null);
      const done = byLink
        ? `Payment link for ${number} ${order.mail ? "sent" : "ready"}.`
        : `Order ${number} placed.`;
      addToast({ severity: "success", summary: done, life: 5_000 });
      // The draft's page may have been prefetched before the change.
      if (draft) await refresh();
      // Who has left in the meantime stays where they are, with what they have typed there.
      if (!form.isConnected) return;
      await navigate(byLink ? `/admin/orders/drafts/${number}` : `/admin/orders/${number}`);
    } catch (cause) {
      if (!(cause instanceof ApiError)) throw cause;
      if (!form.isConnected) {
        addToast({ severity: "error", summary: label, detail: cause.message });
        return;
      }
      // The same click would be answered with the payment that has ended.
      if (cause.problem?.code === "payment_ended" && ids.current) {
        ids.current.click_id = crypto.randomUUID();
      }
      setError(cause);
      setFixed([]);
      quoteState.again();
      const field = [...form.elements].find((each) => cause.about(each.getAttribute("name") ?? ""));
      if (field instanceof HTMLElement) field.focus();
    } finally {
      setBusy(false);
    }
  }

  const submit = total === null ? "" : ` · ${dollars(total)}`;
  const label = byLink
    ? `${draft ? "Save" : "Create order"}${order.mail ? " and email the link" : ""}${submit}`
    : total === null
      ? "Place order"
      : `Place order for ${dollars(total)}`;
  const panelProps = { order, change, about };
  return (
    <>
      <PageHeader
        title={draft ? `Change draft order ${draft.number}` : "New order"}
        links={[
          { label: "Orders", href: "/admin/orders" },
          ...(draft ? [{ label: draft.number, href: `/admin/orders/drafts/${draft.number}` }] : []),
        ]}
      />
      <form method="post" className="order-desk" onSubmit={(event) => void send(event)} noValidate>
        <div>
          <ItemsPanel {...panelProps} quote={quote} />
          <CustomerPanel {...panelProps} />
          <DeliveryPanel
            {...panelProps}
            shippingOptions={shippingOptions}
            method={method}
            isDraft={draft !== null}
            takesCards={takes_cards}
            storeAddress={store_address}
            isMailOn={isMailOn}
          />
        </div>
        <div className="new-order-price">
          <section className="panel admin-form" aria-labelledby="new-price">
            <h2 id="new-price">Price</h2>
            <Field
              name="promo_code"
              label="Promo code (optional)"
              autoComplete="off"
              value={order.promo_code}
              onChange={({ target }) => change({ promo_code: target.value })}
              problem={undefined}
            />
            <div aria-live="polite" aria-busy={!fresh && order.lines.length > 0}>
              {quote ? (
                <QuoteTotals quote={quote} />
              ) : (
                <p className="order-none">Add items to see the price.</p>
              )}
            </div>
            {error && Object.keys(error.problem?.errors ?? {}).length === 0 && (
              <RefusalNote
                error={error}
                number={draft?.number}
                onReloaded={() => {
                  moveToLatest();
                  setError(null);
                }}
              />
            )}
            <Button type="submit" aria-disabled={busy}>
              {label}
            </Button>
            <p className="field-hint">
              {byLink
                ? "Stock isn’t reserved and nothing is charged until the customer pays. Prices are good for seven days."
                : `Paid for and picked up at ${store_address}, with an ID check.`}
            </p>
          </section>
        </div>
      </form>
    </>
  );
}

/** The changed fields under the names that the API calls use. */
function changedFields({ address }: NewOrder, part: Partial<NewOrder>): string[] {
  const after = part.address ?? address;
  const changedAddress = (Object.keys(after) as (keyof typeof after)[]).filter(
    (name) => after[name] !== address[name],
  );
  return [
    ...Object.keys(part),
    ...changedAddress,
    ...changedAddress.map((name) => `address.${name}`),
  ];
}

interface RefusalProps {
  error: ApiError;
  number: string | undefined;
  onReloaded: () => void;
}

function RefusalNote({ error, number, onReloaded }: RefusalProps) {
  return (
    <div className="order-problem" role="alert">
      <p>{error.message}</p>
      {number && isConflict(error) && (
        <>
          <a href={`/admin/orders/drafts/${number}`} target="_blank" rel="noreferrer">
            View the current version
          </a>
          <button
            type="button"
            className="button button-quiet"
            onClick={() => void refresh().then(onReloaded)}
          >
            Keep my changes
          </button>
        </>
      )}
    </div>
  );
}

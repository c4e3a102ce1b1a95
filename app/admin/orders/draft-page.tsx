import { useState } from "react";
import { formatDate, formatTime } from "../../lib/format";
import { addToast } from "../../lib/toast";
import type { DraftView, DraftPage as Props } from "../../lib/types";
import { AdminLayout } from "../layout";
import { AddressLines } from "../parts/address-lines";
import { dollars } from "../parts/cents";
import { useIsMailOn } from "../parts/mail";
import { mailto } from "../parts/mailto";
import { PageHeader } from "../parts/page-header";
import { Tag } from "../parts/tag";
import { DraftDialog } from "./draft-dialog";
import { QuoteTotals } from "./quote-totals";
import { DRAFT, PAYMENT } from "./status-labels";

/** An order that staff prepared, to be paid through a link. The key resets the state for another one. */
export default function DraftPage(props: Props) {
  return <Draft key={props.draft.number} {...props} />;
}

DraftPage.Layout = AdminLayout;

function Draft({ draft }: Props) {
  const [dialog, setDialog] = useState<"send" | "withdraw" | null>(null);
  const isMailOn = useIsMailOn();
  const { number, state, order, link, quote, may_change, mailed } = draft;
  return (
    <>
      <PageHeader
        title={`Draft order ${number}`}
        links={[
          { label: "Orders", href: "/admin/orders" },
          { label: "Draft orders", href: "/admin/orders/drafts" },
        ]}
        note={<Tag of={DRAFT[state]} />}
      >
        {may_change && (
          <>
            <a className="button button-quiet" href={`/admin/orders/drafts/${number}/edit`}>
              {state === "expired" ? "Renew" : "Change"}
            </a>
            <button
              type="button"
              className="button button-quiet needs-scripts"
              onClick={() => setDialog("withdraw")}
            >
              Withdraw
            </button>
          </>
        )}
        {link && isMailOn && (
          <button
            type="button"
            className="button button-primary needs-scripts"
            onClick={() => setDialog("send")}
          >
            {mailed ? "Resend payment link" : "Email payment link"}
          </button>
        )}
      </PageHeader>
      <p className="order-placed">{summaryOf(draft)}</p>
      <div className="order-desk">
        <div>
          {order && (
            <section className="panel" aria-labelledby="order">
              <h2 id="order">Order</h2>
              <p className="draft-order">
                <a href={`/admin/orders/${order.number}`}>{`Order ${order.number}`}</a>
                <Tag of={PAYMENT[order.payment_status]} />
              </p>
            </section>
          )}
          {link && <LinkPanel link={link} draft={draft} />}
          <ItemsPanel draft={draft} />
          {draft.message && (
            <section className="panel" aria-labelledby="message">
              <h2 id="message">Message</h2>
              <p className="draft-message">{draft.message}</p>
            </section>
          )}
        </div>
        <div>
          <section className="panel" aria-labelledby="price">
            <h2 id="price">{quote ? "Customer total" : "Price"}</h2>
            {quote ? (
              <QuoteTotals quote={quote} />
            ) : (
              <dl className="order-sums">
                <div data-strong>
                  <dt>Total</dt>
                  <dd>{dollars(draft.total)}</dd>
                </div>
              </dl>
            )}
          </section>
          <CustomerPanel draft={draft} />
        </div>
      </div>
      {dialog && <DraftDialog act={dialog} draft={draft} onClose={() => setDialog(null)} />}
    </>
  );
}

function summaryOf({ made, made_by, mailed, state, expires }: DraftView): string {
  const until = formatDate(expires);
  const parts = [
    `Created ${formatTime(made)}${made_by ? ` by ${made_by}` : ""}`,
    mailed ? `link emailed ${formatTime(mailed)}` : "link not emailed",
    ...(state === "open" ? [`prices good until ${until}`] : []),
    ...(state === "expired" ? [`expired ${until}`] : []),
  ];
  return parts.join(" · ");
}

function LinkPanel({ link, draft: { expires } }: { link: string; draft: DraftView }) {
  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(link);
      addToast({ severity: "success", summary: "Link copied.", life: 5_000 });
    } catch {
      addToast({
        severity: "error",
        summary: "The browser couldn’t copy the link. Select it and copy it yourself.",
      });
    }
  }
  return (
    <section className="panel" aria-labelledby="link">
      <h2 id="link">Payment link</h2>
      <div className="draft-link">
        <input
          className="input"
          readOnly
          value={link}
          aria-label="Link"
          onFocus={({ target }) => target.select()}
        />
        <button
          type="button"
          className="button button-quiet needs-scripts"
          onClick={() => void copy()}
        >
          Copy
        </button>
      </div>
      <p className="field-hint">
        {`Good until ${formatDate(expires)} or until it’s paid. Share it only with the customer: it shows their contact details.`}
      </p>
    </section>
  );
}

function ItemsPanel({ draft: { lines } }: { draft: DraftView }) {
  return (
    <section className="panel" aria-labelledby="goods">
      <h2 id="goods">Items</h2>
      <ul className="order-goods draft-goods">
        {lines.map(({ sku, title, variant, quantity, unit_price, price }) => (
          <li key={sku}>
            <div>
              {title}
              <small>{[variant, sku].filter(Boolean).join(", ")}</small>
              {price !== unit_price && <small>{`Now ${dollars(price)} in the shop`}</small>}
            </div>
            <span className="order-goods-price">{`${quantity} × ${dollars(unit_price)}`}</span>
            <span className="order-goods-price">{dollars(unit_price * quantity)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function CustomerPanel({ draft }: { draft: DraftView }) {
  const { user_id, name, email, phone, address, delivery } = draft;
  return (
    <section className="panel" aria-labelledby="customer">
      <h2 id="customer">Customer and delivery</h2>
      <p>
        {user_id ? <a href={`/admin/users/${user_id}`}>{name || email}</a> : name}
        <small>{user_id ? "Has an account" : "Guest"}</small>
      </p>
      <p>
        <a href={mailto(email)}>{email}</a>
        {phone && <small>{phone}</small>}
      </p>
      <p>{delivery}</p>
      {address && (
        <address>
          <AddressLines address={address} />
        </address>
      )}
    </section>
  );
}

import { formatTime } from "../../lib/format";
import type { UnfinishedCheckout } from "../../lib/types";

/** Why the checkout was not finished, what that means, and the message that the customer saw. */
export function UnfinishedPanel({ checkout }: { checkout: UnfinishedCheckout }) {
  const { started, is_open, obstacles, later } = checkout;
  return (
    <section className="panel" aria-labelledby="unfinished">
      <h2 id="unfinished">Why it was not finished</h2>
      <p className="order-none">
        {`Started ${formatTime(started)}. `}
        {is_open
          ? "Its buyer can still finish it: it then becomes an order with this number."
          : "It is over: nothing is held, and its buyer would start again from the cart."}
      </p>
      {later && (
        <p>
          The same goods were bought later:{" "}
          <a href={`/admin/orders/${later.number}`}>{`order ${later.number}`}</a>
          {`, ${formatTime(later.placed)}`}
        </p>
      )}
      <ol className="order-entries">
        {obstacles.map(({ at, why, means, buyer_saw, code }, nth) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two attempts may have the same text.
          <li key={nth}>
            <p className="order-entry-head">
              <b>{why}</b>
              {at && <time dateTime={at}>{formatTime(at)}</time>}
            </p>
            <p>{means}</p>
            <p>{buyer_saw}</p>
            {code && (
              <small>
                The card provider’s word: <code>{code}</code>
              </small>
            )}
          </li>
        ))}
      </ol>
    </section>
  );
}

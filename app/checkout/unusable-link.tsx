import { useShared } from "../lib/shared";
import type { OverLink } from "../lib/types";

const HEADINGS = {
  expired: "This link has expired",
  withdrawn: "This link is no longer valid",
  placed: "This order has been placed",
  open: "This link doesn’t work",
};

/** Shown for a payment link that cannot be used: expired, withdrawn, already paid, or unknown. */
export function UnusableLink({ link: { state, order } }: { link: OverLink }) {
  const { email, phone } = useShared().company;
  return (
    <div className="checkout wrap">
      <div className="nothing">
        <h1>{HEADINGS[state ?? "open"]}</h1>
        {state === "placed" ? (
          <p className="lede">There’s nothing left to pay here, and you won’t be charged twice.</p>
        ) : (
          <p className="lede">
            {state
              ? "Nothing was charged."
              : "Check that you copied the whole link from the email."}{" "}
            Write to <a href={`mailto:${email}`}>{email}</a> or call {phone}, and we’ll send you a
            new one.
          </p>
        )}
        <a className="button button-primary" href={order?.href ?? "/"}>
          {order ? `View order ${order.label}` : "Go to the shop"}
        </a>
      </div>
    </div>
  );
}

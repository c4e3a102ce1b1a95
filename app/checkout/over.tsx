import { useShared } from "../lib/shared";
import type { OverLink } from "../lib/types";

const SAID = {
  expired: "This link has expired",
  withdrawn: "This link is no longer valid",
  placed: "This order is placed",
  open: "This link leads nowhere",
};

/** Where a link leads that opens nothing to pay. */
export function Over({ link: { state, order } }: { link: OverLink }) {
  const { email, phone } = useShared().company;
  return (
    <div className="checkout wrap">
      <div className="nothing">
        <h1>{SAID[state ?? "open"]}</h1>
        {state === "placed" ? (
          <p className="lede">Nothing is left to pay here, and nobody pays it twice.</p>
        ) : (
          <p className="lede">
            {state ? "Nothing was charged." : "Check that it is whole, as the letter has it."} Write
            to <a href={`mailto:${email}`}>{email}</a> or call {phone}, and we send you another one.
          </p>
        )}
        {order ? (
          <a className="button button-primary" href={order.href}>
            {`See order ${order.label}`}
          </a>
        ) : (
          <a className="button button-primary" href="/">
            To the shop
          </a>
        )}
      </div>
    </div>
  );
}

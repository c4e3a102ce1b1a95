import { Notes } from "../lib/cart-notes";
import type { CheckoutPage as Props } from "../lib/types";
import { Checkout } from "./checkout";
import { UnusableLink } from "./unusable-link";

export default function CheckoutPage(props: Props) {
  if (props.over) return <UnusableLink link={props.over} />;
  return (
    <div className="checkout wrap">
      <h1>Checkout</h1>
      {!props.draft && <Notes />}
      <Checkout {...props} />
    </div>
  );
}

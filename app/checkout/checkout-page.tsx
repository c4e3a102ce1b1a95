import { useCart } from "../lib/cart";
import type { CheckoutPage as Props } from "../lib/types";
import { Checkout } from "./checkout";
import { Over } from "./over";

/** What is bought is known in the browser alone, so the page begins there. */
export default function CheckoutPage(props: Props) {
  const { ready } = useCart();
  if (props.over) return <Over link={props.over} />;
  return (
    <div className="checkout wrap">
      <h1>Checkout</h1>
      <noscript>
        <p className="lede">
          Checkout needs JavaScript, which this browser does not run. You can also order by
          telephone or in our store.
        </p>
      </noscript>
      {ready ? <Checkout {...props} /> : <Skeleton />}
    </div>
  );
}

function Skeleton() {
  return (
    <div className="checkout-columns needs-scripts" aria-hidden="true">
      <div className="checkout-form">
        <div className="skeleton" />
        <div className="skeleton" />
      </div>
      <div className="cart-summary skeleton" />
    </div>
  );
}

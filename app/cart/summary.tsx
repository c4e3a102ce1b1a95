import type { CartItem } from "../lib/cart";
import { QuoteError, type useQuote } from "../lib/quote";
import { useShared } from "../lib/shared";
import { PromoField } from "../ui/promo-field";
import { Totals } from "../ui/totals";

interface Props {
  items: readonly CartItem[];
  count: number;
  promoCode: string | null;
  quoteState: ReturnType<typeof useQuote>;
}

/** The totals: the server's once there is a quote, until then the browser's own. */
export function Summary({ items, count, promoCode, quoteState }: Props) {
  const { quote, fresh } = quoteState;
  const { currency } = useShared();
  const localSubtotal = items.reduce((sum, { price, qty }) => sum + price * qty, 0);
  const subtotal = fresh && quote ? quote.subtotal : localSubtotal;
  const discount = fresh && quote ? quote.discount : 0;
  return (
    <section className="cart-summary" aria-labelledby="summary">
      <h2 id="summary" className="label">
        Summary
      </h2>
      <Totals
        currency={currency}
        rows={[
          ["Items", String(count)],
          ...(discount > 0
            ? ([
                ["Merchandise", subtotal],
                ["Discount", -discount],
              ] as const)
            : []),
        ]}
        total={["Subtotal", subtotal - discount]}
      />
      <QuoteError {...quoteState} />
      <form method="post" action="/cart">
        <PromoField {...quoteState} code={promoCode} />
      </form>
      <p>Shipping and tax are calculated at checkout.</p>
      <a className="button button-primary" href="/checkout" data-feature="checkout">
        Checkout
      </a>
      <a className="button button-quiet" href="/products">
        Continue shopping
      </a>
    </section>
  );
}

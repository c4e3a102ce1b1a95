import { type RefObject, useEffect, useRef, useState } from "react";
import { addItem, type CartItem, removeItem, setQuantity, useCart } from "../lib/cart";
import { formatMoney } from "../lib/format";
import { useShared } from "../lib/shared";
import { CartLine } from "./cart-line";

export default function CartPage() {
  const { items, count, ready } = useCart();
  const [removed, setRemoved] = useState<CartItem | null>(null);
  const notice = useRef<HTMLDivElement>(null);

  function remove(item: CartItem): void {
    setRemoved(item);
    removeItem(item.id);
  }

  return (
    <div className="cart wrap">
      <h1>Your cart</h1>
      <noscript>
        <p className="lede">
          The cart is kept in your browser and needs JavaScript, which this browser does not run.
        </p>
      </noscript>
      {removed && (
        <Removed
          key={removed.id}
          item={removed}
          area={notice}
          onUndo={() => {
            const { qty, ...item } = removed;
            addItem(item, qty);
            setRemoved(null);
          }}
        />
      )}
      {!ready && <Skeleton />}
      {ready && items.length === 0 && <Empty />}
      {ready && items.length > 0 && (
        <div className="cart-columns">
          <ul className="cart-lines">
            {items.map((item) => (
              <CartLine
                key={item.id}
                item={item}
                onQuantity={(qty) => (qty === 0 ? remove(item) : setQuantity(item.id, qty))}
                onRemove={() => remove(item)}
              />
            ))}
          </ul>
          <Summary items={items} count={count} />
        </div>
      )}
    </div>
  );
}

function Summary({ items, count }: { items: readonly CartItem[]; count: number }) {
  const { currency } = useShared();
  const amount = items.reduce((sum, { price, qty }) => sum + price * qty, 0);
  return (
    <section className="cart-summary" aria-labelledby="summary">
      <h2 id="summary" className="label">
        Summary
      </h2>
      <dl aria-live="polite">
        <div>
          <dt>Pieces</dt>
          <dd>{count}</dd>
        </div>
        <div className="cart-total">
          <dt>Subtotal</dt>
          <dd>{formatMoney({ amount, currency })}</dd>
        </div>
      </dl>
      <p>Shipping and tax are computed at checkout.</p>
      <a className="button button-quiet" href="/products">
        Continue shopping
      </a>
    </section>
  );
}

interface RemovedProps {
  item: CartItem;
  area: RefObject<HTMLDivElement | null>;
  onUndo: () => void;
}

/** Takes the focus of the line that has gone, and offers to bring the line back. */
function Removed({ item, area, onUndo }: RemovedProps) {
  useEffect(() => area.current?.focus(), [area]);
  return (
    <div ref={area} className="cart-removed" tabIndex={-1} role="status">
      <p>{`“${item.title}” was removed.`}</p>
      <button type="button" className="link" onClick={onUndo}>
        Undo
      </button>
    </div>
  );
}

function Empty() {
  const { menu } = useShared();
  return (
    <div className="nothing">
      <p className="lede">It is empty. What you add stays here for seven days.</p>
      <a className="button button-primary" href="/products">
        Browse the shop
      </a>
      <ul className="ways">
        {menu.map(({ label, href }) => (
          <li key={href}>
            <a href={href}>{label}</a>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** What stands here until the browser's cart is known. */
function Skeleton() {
  return (
    <div className="cart-columns needs-scripts" aria-hidden="true">
      <ul className="cart-lines">
        <li className="cart-line skeleton" />
        <li className="cart-line skeleton" />
      </ul>
      <div className="cart-summary skeleton" />
    </div>
  );
}

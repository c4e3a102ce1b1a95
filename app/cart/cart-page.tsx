import { type RefObject, useEffect, useRef, useState } from "react";
import { addItem, type CartItem, removeItem, setQuantity, useCart } from "../lib/cart";
import { usePromoCode } from "../lib/promo";
import { type QuoteState, useQuote, wanted } from "../lib/quote";
import { useShared } from "../lib/shared";
import type { Quote } from "../lib/types";
import { CartLine } from "./cart-line";
import { Notes } from "./notes-area";
import { putAside, SavedItems } from "./saved-items";
import { Summary } from "./summary";

export default function CartPage() {
  const { items, count, ready } = useCart();
  const promo_code = usePromoCode();
  const [removed, setRemoved] = useState<CartItem | null>(null);
  const notice = useRef<HTMLDivElement>(null);
  const buying = items.filter(({ saved }) => !saved);
  const saved = items.filter((item) => item.saved);
  const quoted = useQuote(buying.length > 0 ? { items: wanted(buying), promo_code } : null);

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
      <Notes />
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
      {ready && buying.length === 0 && <Empty />}
      {ready && buying.length > 0 && (
        <div className="cart-columns">
          <ul className="cart-lines">
            {buying.map((item) => (
              <CartLine
                key={item.id}
                item={asQuoted(item, quoted)}
                notes={notesOf(quoted.quote, item.id)}
                onQuantity={(qty) => (qty === 0 ? remove(item) : setQuantity(item.id, qty))}
                onRemove={() => remove(item)}
                onPutAside={() => putAside(item.id, true)}
              />
            ))}
          </ul>
          <Summary items={buying} count={count} promoCode={promo_code} quoted={quoted} />
        </div>
      )}
      {ready && saved.length > 0 && <SavedItems items={saved} onRemove={remove} />}
    </div>
  );
}

/** The line as it stands in the shop at this moment, once that is known; the notes tell how it differs. */
function asQuoted(item: CartItem, { quote, fresh }: QuoteState): CartItem {
  const line = fresh ? quote?.lines.find(({ id }) => id === item.id) : undefined;
  if (!line) return item;
  const { qty, price, compare_at_price, max_quantity } = line;
  return { ...item, qty, price, compare_at_price, max_quantity };
}

/** What the server says about a line. */
function notesOf(quote: Quote | null, id: string): string[] {
  return quote?.changes.filter((each) => each.id === id).map(({ message }) => message) ?? [];
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

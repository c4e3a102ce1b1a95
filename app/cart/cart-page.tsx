import { type RefObject, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import { type CartItem, cart, changeCart, removeItem, stateOf, useCart } from "../lib/cart";
import { mergeServerCart } from "../lib/cart-absorb";
import { addNotes, Notes } from "../lib/cart-notes";
import { usePromoCode } from "../lib/promo";
import { quoteLines, useQuote } from "../lib/quote";
import { useShared } from "../lib/shared";
import type { CartPage as Props, Quote } from "../lib/types";
import { CategoryLinks } from "../ui/category-links";
import { ProductGrid } from "../ui/product-grid";
import { CartLine } from "./cart-line";
import { setLimits, setQuantity } from "./edits";
import { SavedItems, setSaved } from "./saved-items";
import { Summary } from "./summary";

/** The second click of a double click comes sooner, on what has taken the place of the line. */
const DOUBLE_CLICK_MS = 400;

/** Shows the server's cart first, then the browser's, which is kept in sync with it. */
export default function CartPage(page: Props) {
  const { user } = useShared();
  const known = useMemo(() => [...(page.quote?.lines ?? []), ...page.saved], [page]);
  const { items } = useCart(useMemo(() => stateOf(known), [known]));
  const promo_code = usePromoCode(page.promo_code);
  // In a layout effect, so that the browser's cart is not shown before the merge.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once, with the document's cart.
  useLayoutEffect(() => mergeServerCart(user?.sub, known, page.promo_code), []);
  const [removed, setRemoved] = useState<{ item: CartItem; at: number } | null>(null);
  const leftAt = useRef(Number.NEGATIVE_INFINITY);
  const notice = useRef<HTMLDivElement>(null);
  const buyItems = items.filter(({ saved }) => !saved);
  const saved = items.filter((item) => item.saved).map((item) => withLine(item, page.saved));
  const quoteState = useQuote(
    buyItems.length > 0 ? { items: quoteLines(buyItems), promo_code } : null,
    page.quote,
  );
  const current = quoteState.fresh ? quoteState.quote : null;
  const shown = buyItems.map((item) => withLine(item, quoteState.quote?.lines ?? []));
  useEffect(
    () => setLimits(cart, [...page.saved, ...(current?.lines ?? [])]),
    [page.saved, current],
  );
  // A guest's cart hears of this only here, and would keep the line beside a subtotal without it.
  useEffect(() => {
    const unavailable = unavailableOf(current);
    const gone = items.filter((item) => unavailable.some(({ id }) => id === item.id));
    if (gone.length === 0) return;
    addNotes(gone.map(({ title }) => `“${title}” is no longer available and was removed.`));
    changeCart((now) => now.filter(({ id }) => !gone.some((each) => each.id === id)));
  }, [current, items]);

  /** Takes a line away, which changes what is under the pointer. */
  function takeAway(act: () => void): void {
    const now = performance.now();
    if (now - leftAt.current < DOUBLE_CLICK_MS) return;
    leftAt.current = now;
    act();
  }

  const remove = ({ id }: CartItem) =>
    takeAway(() => {
      const item = items.find((each) => each.id === id);
      if (item) setRemoved({ item, at: items.indexOf(item) });
      removeItem(id);
    });

  return (
    <div className="cart wrap">
      <h1>Your cart</h1>
      {page.problems.length > 0 && (
        <div className="cart-removed" role="status">
          <ul>
            {page.problems.map((problem) => (
              <li key={problem}>{problem}</li>
            ))}
          </ul>
        </div>
      )}
      {/* With scripts the effect above tells of them. */}
      {unavailableOf(page.quote).map(({ id, message }) => (
        <div key={id} className="needs-no-scripts">
          <p className="cart-removed">{message}</p>
        </div>
      ))}
      <Notes lines={buyItems.flatMap(({ id }) => notesOf(quoteState.quote, id))} />
      {removed && (
        <Removed
          key={removed.item.id}
          item={removed.item}
          area={notice}
          onUndo={() => {
            const { item, at } = removed;
            changeCart((now) => now.filter(({ id }) => id !== item.id).toSpliced(at, 0, item));
            setRemoved(null);
          }}
        />
      )}
      {buyItems.length === 0 && <Empty />}
      {buyItems.length > 0 && (
        <div className="cart-columns">
          <ul className="cart-lines">
            {shown.map((item) => (
              <CartLine
                key={item.id}
                item={item}
                notes={notesOf(quoteState.quote, item.id)}
                onQuantity={(qty) => (qty === 0 ? remove(item) : setQuantity(cart, item.id, qty))}
                onRemove={() => remove(item)}
                onSaveForLater={() => takeAway(() => setSaved(item.id, true))}
              />
            ))}
          </ul>
          <Summary
            {...stateOf(shown.filter(({ max_quantity }) => max_quantity > 0))}
            promoCode={promo_code}
            quoteState={quoteState}
          />
        </div>
      )}
      {saved.length > 0 && <SavedItems items={saved} onRemove={remove} />}
      {buyItems.length === 0 && page.popular.length > 0 && (
        <section className="nothing-popular" aria-labelledby="popular">
          <h2 id="popular">Popular right now</h2>
          <ProductGrid items={page.popular} />
        </section>
      )}
    </div>
  );
}

/** The item with the shop's last known values; the notes describe the differences. */
function withLine(item: CartItem, lines: Props["saved"]): CartItem {
  const line = lines.find(({ id }) => id === item.id);
  // The quantity may have changed since, but no more can be ordered than there is.
  return line ? { ...item, ...line, qty: Math.min(item.qty, line.max_quantity || item.qty) } : item;
}

/** The changes that have taken a line away. */
function unavailableOf(quote: Quote | null): Quote["changes"] {
  return quote?.changes.filter(({ kind }) => kind === "unavailable") ?? [];
}

/** The server's messages about a line that stays. */
function notesOf(quote: Quote | null, id: string): string[] {
  return (
    quote?.changes
      .filter((each) => each.id === id && each.kind !== "unavailable")
      .map(({ message }) => message) ?? []
  );
}

interface RemovedProps {
  item: CartItem;
  area: RefObject<HTMLDivElement | null>;
  onUndo: () => void;
}

/** Takes the focus after a line was removed, and offers to undo the removal. */
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
  const { user } = useShared();
  return (
    <div className="nothing">
      <p className="lede">
        {`Your cart is empty. Items you add stay ${user ? "in your account" : "here for seven days"}.`}
      </p>
      <a className="button button-primary" href="/products">
        Start shopping
      </a>
      <CategoryLinks />
    </div>
  );
}

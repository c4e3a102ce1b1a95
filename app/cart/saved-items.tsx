import { type CartItem, changeCart } from "../lib/cart";
import { formatMoney } from "../lib/format";
import { useShared } from "../lib/shared";
import { Picture } from "../ui/picture";

export function setSaved(id: string, saved: boolean): void {
  changeCart((items) => items.map((item) => (item.id === id ? { ...item, saved } : item)));
}

interface Props {
  items: readonly CartItem[];
  onRemove: (item: CartItem) => void;
}

/** The items that are saved for later. */
export function SavedItems({ items, onRemove }: Props) {
  const { currency } = useShared();
  return (
    <section className="cart-saved" aria-labelledby="saved">
      <h2 id="saved">Saved for later</h2>
      <ul className="bought">
        {items.map((item) => (
          <li key={item.id}>
            <Picture picture={{ ...item.picture, alt: "" }} sizes="4rem" />
            <div>
              <a href={item.href}>{item.title}</a>
              <span>{item.variant}</span>
              <form
                method="post"
                action="/cart"
                className="saved-actions"
                onSubmit={(event) => {
                  event.preventDefault();
                  const { submitter } = event.nativeEvent as SubmitEvent;
                  if (submitter?.getAttribute("value") === "remove") onRemove(item);
                  else setSaved(item.id, false);
                }}
              >
                <input type="hidden" name="id" value={item.id} />
                {item.max_quantity > 0 ? (
                  <button type="submit" name="do" value="move" className="link">
                    Move to cart<span className="visually-hidden">{` ${item.title}`}</span>
                  </button>
                ) : (
                  <span>Sold out</span>
                )}
                <button type="submit" name="do" value="remove" className="link">
                  Remove<span className="visually-hidden">{` ${item.title}`}</span>
                </button>
              </form>
            </div>
            <span className="bought-total">{formatMoney({ amount: item.price, currency })}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

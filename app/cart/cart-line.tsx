import type { CartItem } from "../lib/cart";
import { formatMoney } from "../lib/format";
import { useShared } from "../lib/shared";
import { Picture } from "../ui/picture";
import { Price } from "../ui/price";
import { Quantity } from "../ui/quantity";

interface Props {
  item: CartItem;
  /** What the server says has changed about it. */
  notes: readonly string[];
  onQuantity: (quantity: number) => void;
  onRemove: () => void;
  onPutAside: () => void;
}

export function CartLine({ item, notes, onQuantity, onRemove, onPutAside }: Props) {
  const { currency } = useShared();
  const money = (amount: number) => ({ amount, currency });
  const { title, variant, sku, href, picture, price, compare_at_price, qty, max_quantity } = item;
  return (
    <li className="cart-line">
      <Picture picture={{ ...picture, alt: "" }} sizes="(min-width: 40rem) 9rem, 6rem" />
      <div className="cart-line-text">
        <h2>
          <a href={href}>{title}</a>
        </h2>
        <p>{variant}</p>
        <p className="cart-line-sku">{sku}</p>
        <Price
          price={money(price)}
          compareAt={compare_at_price === null ? null : money(compare_at_price)}
        />
        {notes.map((note) => (
          <p key={note} className="line-note">
            {note}
          </p>
        ))}
      </div>
      <div className="cart-line-actions">
        {max_quantity > 0 ? (
          <Quantity
            value={qty}
            max={max_quantity}
            label={`How many of ${title}`}
            onChange={onQuantity}
          />
        ) : (
          <p>Sold out</p>
        )}
        <button type="button" className="link" onClick={onPutAside}>
          Save for later<span className="visually-hidden">{` ${title}`}</span>
        </button>
        <button type="button" className="link" onClick={onRemove}>
          Remove<span className="visually-hidden">{` ${title}`}</span>
        </button>
      </div>
      <p className="cart-line-total">{formatMoney(money(price * qty))}</p>
    </li>
  );
}

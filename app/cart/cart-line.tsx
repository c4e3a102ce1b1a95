import type { CartItem } from "../lib/cart";
import { formatMoney } from "../lib/format";
import { useShared } from "../lib/shared";
import { Picture } from "../ui/picture";
import { Price } from "../ui/price";
import { Quantity } from "../ui/quantity";

interface Props {
  item: CartItem;
  onQuantity: (quantity: number) => void;
  onRemove: () => void;
}

export function CartLine({ item, onQuantity, onRemove }: Props) {
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
      </div>
      <div className="cart-line-actions">
        <Quantity
          value={qty}
          max={max_quantity}
          label={`How many of ${title}`}
          onChange={onQuantity}
        />
        <button type="button" className="link" onClick={onRemove}>
          Remove<span className="visually-hidden">{` ${title}`}</span>
        </button>
      </div>
      <p className="cart-line-total">{formatMoney(money(price * qty))}</p>
    </li>
  );
}

import type { FormEvent } from "react";
import type { CartItem } from "../lib/cart";
import { formatMoney } from "../lib/format";
import { useShared } from "../lib/shared";
import { Picture } from "../ui/picture";
import { Price } from "../ui/price";
import { Quantity } from "../ui/quantity";

interface Props {
  item: CartItem;
  /** The server's messages about changes to it. */
  notes: readonly string[];
  onQuantity: (quantity: number) => void;
  onRemove: () => void;
  onSaveForLater: () => void;
}

export function CartLine({ item, notes, onQuantity, onRemove, onSaveForLater }: Props) {
  const { currency } = useShared();
  const money = (amount: number) => ({ amount, currency });
  const { id, title, variant, sku, href, picture, price, compare_at_price, qty, max_quantity } =
    item;

  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    const { submitter } = event.nativeEvent as SubmitEvent;
    const [action, to] = (submitter?.getAttribute("value") ?? "set").split(":");
    if (action === "save") onSaveForLater();
    else if (action === "remove") onRemove();
    else if (to) onQuantity(Number(to));
  }

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
      <form method="post" action="/cart" className="cart-line-actions" onSubmit={submit}>
        <input type="hidden" name="id" value={id} />
        {max_quantity > 0 ? (
          <Quantity
            value={qty}
            max={max_quantity}
            label={`Quantity of ${title}`}
            submits
            onChange={onQuantity}
          />
        ) : (
          <p>Sold out</p>
        )}
        <button type="submit" name="do" value="save" className="link">
          Save for later<span className="visually-hidden">{` ${title}`}</span>
        </button>
        <button type="submit" name="do" value="remove" className="link">
          Remove<span className="visually-hidden">{` ${title}`}</span>
        </button>
      </form>
      <p className="cart-line-total">{max_quantity > 0 && formatMoney(money(price * qty))}</p>
    </li>
  );
}

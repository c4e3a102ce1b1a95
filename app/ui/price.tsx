import { formatMoney } from "../lib/format";
import type { Money } from "../lib/types";

interface Props {
  price: Money;
  compareAt: Money | null;
  /** The price is the lowest of several. */
  varies?: boolean;
}

/** A price, with the original price if it is reduced. */
export function Price({ price, compareAt, varies = false }: Props) {
  const now = varies ? `From ${formatMoney(price)}` : formatMoney(price);
  if (!compareAt) return <p className="price">{now}</p>;
  return (
    <p className="price">
      <b>{now}</b>
      <s>
        <span className="visually-hidden">Before: </span>
        {formatMoney(compareAt)}
      </s>
    </p>
  );
}

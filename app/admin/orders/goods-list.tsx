import type { SomeGoods } from "../../lib/types";

export function GoodsList({ goods }: { goods: SomeGoods[] }) {
  return (
    <ul className="order-some">
      {goods.map(({ title, variant, sku, quantity }) => (
        <li key={sku}>{`${quantity} × ${[title, variant].filter(Boolean).join(", ")}`}</li>
      ))}
    </ul>
  );
}

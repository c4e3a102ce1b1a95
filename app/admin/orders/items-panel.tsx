import type { AdminLine } from "../../lib/types";
import { Picture } from "../../ui/picture";
import { dollars } from "../parts/cents";

export function ItemsPanel({ lines }: { lines: AdminLine[] }) {
  return (
    <section className="panel" aria-labelledby="goods">
      <h2 id="goods">Items</h2>
      <ul className="order-goods">
        {lines.map((line) => (
          <li key={line.id}>
            <Picture picture={{ ...line.picture, alt: "" }} sizes="3rem" />
            <div>
              <a href={line.href}>{line.title}</a>
              <small>{[line.variant, line.sku].filter(Boolean).join(", ")}</small>
              <small>{progressText(line)}</small>
            </div>
            <span className="order-goods-price">
              {`${line.quantity} × ${dollars(line.unit_price)}`}
              {line.discount > 0 && <small>{`less ${dollars(line.discount)}`}</small>}
            </span>
            <span className="order-goods-price">{dollars(line.total - line.tax)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function progressText({ open, shipped, canceled, refunded }: AdminLine): string {
  const parts: [count: number, words: string][] = [
    [open, "unfulfilled"],
    [shipped, "fulfilled"],
    [canceled, "canceled"],
    [refunded, "refunded"],
  ];
  return parts
    .filter(([count]) => count > 0)
    .map(([count, words]) => `${count} ${words}`)
    .join(" · ");
}

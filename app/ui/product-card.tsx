import type { ProductCard as Card, Color } from "../lib/types";
import { Picture } from "./picture";
import { Price } from "./price";

/** The server preloads a list's first picture with the same `sizes`. */
const SIZES = "(min-width:64em)22vw,(min-width:40em)30vw,46vw";
/** No card is wider than 331 px (a quarter of the widest row). A list names 48 pictures in each of these widths. */
const WIDTHS = [320, 480, 640];
const MAX_SWATCHES = 5;

/**
 * A product in a grid. A list has 48 of them, so it uses few elements. It has no state and reads no context, so the same
 * product always renders the same HTML.
 */
export function ProductCard(card: Card) {
  const { title, href, category, price, compare_at_price, picture } = card;
  const { price_varies = false, colors = [], in_view = false } = card;
  const badge = badgeOf(card);
  return (
    <li className="card">
      <Picture picture={picture} sizes={SIZES} widths={WIDTHS} priority={in_view} />
      {badge && <p className={`badge badge-${badge.kind}`}>{badge.label}</p>}
      <h3>
        <a href={href}>{title}</a>
      </h3>
      <p className="category">{category}</p>
      <Price
        price={usDollars(price)}
        compareAt={compare_at_price == null ? null : usDollars(compare_at_price)}
        varies={price_varies}
      />
      {colors.length > 1 && <Swatches colors={colors} />}
    </li>
  );
}

const usDollars = (amount: number) => ({ amount, currency: "USD" });

function Swatches({ colors }: { colors: Color[] }) {
  const shown = colors.slice(0, MAX_SWATCHES);
  const rest = colors.length - shown.length;
  return (
    <p
      className="swatches"
      role="img"
      aria-label={`Colors: ${colors.map(({ label }) => label).join(", ")}`}
    >
      {shown.map(({ label, hex, reduced }) => (
        <i key={label} style={{ background: hex }} data-reduced={reduced || undefined} />
      ))}
      {rest > 0 && `+${rest}`}
    </p>
  );
}

function badgeOf({ availability, badge }: Card): { kind: string; label: string } | null {
  if (availability === "out_of_stock") return { kind: "out", label: "Sold out" };
  if (badge === "sale") return { kind: "sale", label: "Sale" };
  if (badge === "new") return { kind: "new", label: "New" };
  return availability === "low_stock" ? { kind: "low", label: "Low stock" } : null;
}

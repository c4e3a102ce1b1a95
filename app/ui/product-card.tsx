import type { ProductCard as Card } from "../lib/types";
import { Picture } from "./picture";
import { Price } from "./price";

/** The server preloads a list's first picture with the same `sizes`. */
const SIZES = "(min-width: 64rem) 22vw, (min-width: 40rem) 30vw, 46vw";
const MAX_SWATCHES = 5;

interface Props {
  card: Card;
  priority?: boolean;
}

/**
 * A product in a grid. A list has 48 of them, so it uses few elements. It has no state and reads no context, so the same
 * product always renders the same HTML.
 */
export function ProductCard({ card, priority = false }: Props) {
  const { title, href, category, price, compare_at_price, price_varies, picture, colors } = card;
  const badge = badgeOf(card);
  return (
    <li className="card">
      <Picture picture={picture} sizes={SIZES} priority={priority} />
      {badge && <p className={`badge badge-${badge.kind}`}>{badge.label}</p>}
      <h3>
        <a href={href}>{title}</a>
      </h3>
      <p className="card-category">{category}</p>
      <Price price={price} compareAt={compare_at_price} varies={price_varies} />
      {colors.length > 1 && <Swatches colors={colors} />}
    </li>
  );
}

function Swatches({ colors }: { colors: Card["colors"] }) {
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

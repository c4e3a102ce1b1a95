import type { ProductCard as Card } from "../lib/types";
import { ProductCard } from "./product-card";

interface Props {
  cards: Card[];
  /** How many of the first cards are visible without scrolling. */
  priority?: number;
}

export function ProductGrid({ cards, priority = 0 }: Props) {
  return (
    <ul className="grid">
      {cards.map((card, index) => (
        <ProductCard key={card.id} card={card} priority={index < priority} />
      ))}
    </ul>
  );
}

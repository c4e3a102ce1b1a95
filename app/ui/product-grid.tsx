import { reusableList } from "../../ssr-runtime/js/reusable";
import { ProductCard } from "./product-card";

/** The server renders each card once for all lists. */
export const ProductGrid = reusableList(ProductCard, {
  as: "ul",
  attributes: () => ({ className: "grid" }),
  key: (card) => card.href,
});

import type { ProductVariant } from "../lib/types";

export function Stock({ variant }: { variant: ProductVariant }) {
  const { availability, left } = variant;
  const text =
    availability === "out_of_stock"
      ? "Sold out"
      : availability === "in_stock"
        ? "In stock"
        : left === null
          ? "Only a few left"
          : `Only ${left} left`;
  return <p className={`stock stock-${availability}`}>{text}</p>;
}

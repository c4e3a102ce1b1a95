import { isPlain } from "../lib/click";
import type { ProductOption, ProductVariant } from "../lib/types";

interface Props {
  options: ProductOption[];
  variants: ProductVariant[];
  selected: ProductVariant;
  onChoose: (variant: ProductVariant) => void;
}

/** The choice of a variant. Each value links to the variant that differs only in it, or else to the nearest one. */
export function Options({ options, variants, selected, onChoose }: Props) {
  return options.map(({ name, values }, position) => (
    <div className="picker" key={name}>
      <h2 className="picker-name" id={`option-${position}`}>
        {name} <span>{selected.options[position]}</span>
      </h2>
      <ul aria-labelledby={`option-${position}`}>
        {values.map(({ value, hex }) => {
          const variant = nearest(variants, selected, position, value);
          if (!variant) return null;
          const combines = differsOnlyIn(position, variant, selected);
          const state = !combines
            ? "Not available in this combination"
            : variant.availability === "out_of_stock"
              ? "Sold out"
              : "";
          return (
            <li key={value}>
              <a
                className={`choice${hex ? " choice-color" : ""}${state ? " choice-off" : variant.compare_at_price ? " choice-sale" : ""}`}
                href={variant.href}
                aria-current={variant === selected || undefined}
                title={hex ? value : undefined}
                data-keep-position=""
                onClick={(event) => {
                  if (!isPlain(event.nativeEvent)) return;
                  event.preventDefault();
                  onChoose(variant);
                }}
              >
                {hex && <i style={{ background: hex }} />}
                <span className={hex ? "visually-hidden" : undefined}>{value}</span>
                {state && <span className="visually-hidden">{`, ${state}`}</span>}
              </a>
            </li>
          );
        })}
      </ul>
    </div>
  ));
}

/** Of the variants with this value, the one that shares the most other values. */
function nearest(
  variants: ProductVariant[],
  from: ProductVariant,
  position: number,
  value: string,
) {
  const shared = (variant: ProductVariant) =>
    variant.options.filter((each, at) => each === from.options[at]).length;
  return variants
    .filter((variant) => variant.options[position] === value)
    .reduce<ProductVariant | undefined>(
      (best, each) => (best && shared(best) >= shared(each) ? best : each),
      undefined,
    );
}

function differsOnlyIn(position: number, variant: ProductVariant, from: ProductVariant): boolean {
  return variant.options.every((value, at) => at === position || value === from.options[at]);
}

// Changes of a product's options that also change its variants. All of them return the changed fields.
import type { OptionValue, ProductContent, ProductOption, VariantContent } from "../../lib/types";
import { allCombinations } from "./product-content";

type Changed = Pick<ProductContent, "options" | "variants">;

/** Replaces an option. Variants follow a renamed value; one that is still there has only moved. */
export function withOption(content: ProductContent, at: number, replaced: ProductOption): Changed {
  const { options, variants } = content;
  const values = options[at]?.values ?? [];
  const next = { ...replaced, values: distinctValues(values, replaced.values) };
  const remaining = new Set(next.values.map(({ value }) => value));
  const renamed = new Map(
    values.length === next.values.length
      ? values
          .map(({ value }, nth) => [value, next.values[nth]?.value ?? value] as const)
          .filter(([value]) => !remaining.has(value))
      : [],
  );
  const changed = {
    options: options.map((each, nth) => (nth === at ? next : each)),
    variants: variants.map((variant) => ({
      ...variant,
      options: variant.options.map((value, nth) =>
        nth === at ? (renamed.get(value) ?? value) : value,
      ),
    })),
  };
  // For an unsaved product, each new value immediately creates its variants.
  const isNew = variants.every(({ id }) => id === null);
  const grows = isNew && next.values.length > values.length;
  return grows ? { ...changed, variants: allCombinations({ ...content, ...changed }) } : changed;
}

/** A value that was renamed to another one keeps its name: the variants of both would be the same. */
function distinctValues(before: OptionValue[], next: OptionValue[]): OptionValue[] {
  if (before.length !== next.length) return next;
  const isRepeated = (text: string) => next.filter(({ value }) => value === text).length > 1;
  return next.map((each, nth) => ({
    ...each,
    value: isRepeated(each.value) ? (before[nth]?.value ?? each.value) : each.value,
  }));
}

/** Moves an option one position down. Variants that have no value of an option yet get a blank one, which keeps its place. */
export function withOptionMovedDown({ options, variants }: ProductContent, at: number): Changed {
  const filled = (values: string[]) => options.map((_, nth) => values[nth] ?? "");
  return {
    options: swapped(options, at),
    variants: variants.map((each) => ({ ...each, options: swapped(filled(each.options), at) })),
  };
}

/** Removes an option. Of the variants that differed only in it, the first stays. */
export function withoutOption({ options, variants }: ProductContent, at: number): Changed {
  const without = <T>(list: T[]) => list.filter((_, nth) => nth !== at);
  const seen = new Set<string>();
  const remaining = variants
    .map((each) => ({ ...each, options: without(each.options) }))
    .filter((each) => {
      const key = each.options.join("\n");
      return !seen.has(key) && seen.add(key);
    });
  return { options: without(options), variants: remaining };
}

/** Sets fields of all variants. The stock of saved variants is changed only in the stock dialog. */
export function withFields(
  variants: VariantContent[],
  { on_hand, ...rest }: Partial<VariantContent>,
): VariantContent[] {
  return variants.map((each) => ({
    ...each,
    ...rest,
    ...(each.id === null && { on_hand: on_hand ?? each.on_hand }),
  }));
}

/** Swaps an element with the next one. */
export function swapped<T>(list: T[], at: number): T[] {
  const [first, second] = [list[at], list[at + 1]];
  return list.map((each, nth) => (nth === at ? second : nth === at + 1 ? first : each)) as T[];
}

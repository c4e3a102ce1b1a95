import { useState } from "react";
import type { StockState, VariantContent } from "../../lib/types";
import type { Editing } from "./editing";
import { PRODUCT_LABELS } from "./field-labels";
import { FillAllFields } from "./fill-all-fields";
import { OptionFields } from "./option-fields";
import { allCombinations, countCombinations, MAX_VARIANTS } from "./product-content";
import { type StockChange, StockDialog } from "./stock-dialog";
import { withFields, withOption, withOptionMovedDown, withoutOption } from "./variant-changes";
import { VariantTable } from "./variant-table";

const MAX_OPTIONS = 3;

interface Props extends Editing {
  /** Stock levels of saved variants, by id. */
  stock: Record<string, StockState>;
  onStock: (moved: StockChange) => Promise<void>;
  onStaleStock: () => Promise<void>;
}

/** The options with their values, and the table of variants. */
export function VariantsPanel(props: Props) {
  const { content, set, about, readOnly, stock, onStock, onStaleStock } = props;
  const { options, variants } = content;
  const combinations = countCombinations(options);
  const [counted, setCounted] = useState<VariantContent | null>(null);
  return (
    <section className="panel variants" aria-labelledby="variants">
      <h2 id="variants">{PRODUCT_LABELS.variants}</h2>
      {options.map((option, at) => (
        <OptionFields
          // biome-ignore lint/suspicious/noArrayIndexKey: an option is identified by its position.
          key={at}
          option={option}
          at={at}
          about={about}
          readOnly={readOnly}
          isLast={at === options.length - 1}
          onChange={(next) => set(withOption(content, at, next))}
          onMove={() => set(withOptionMovedDown(content, at))}
          onRemove={() => set(withoutOption(content, at))}
        />
      ))}
      {about("options") && <p className="field-error">{about("options")}</p>}
      {!readOnly && (
        <p className="variant-acts">
          {options.length < MAX_OPTIONS && (
            <button
              type="button"
              className="button button-quiet"
              onClick={() => set({ options: [...options, { name: "", values: [] }] })}
            >
              Add an option
            </button>
          )}
          <button
            type="button"
            className="button button-quiet"
            aria-disabled={combinations > MAX_VARIANTS}
            onClick={() => set({ variants: allCombinations(content) })}
          >
            {options.length === 0 ? "Create variant" : "Create all combinations"}
          </button>
        </p>
      )}
      {combinations > MAX_VARIANTS && (
        <p className="field-error" role="status">
          {`The values have ${combinations} combinations. A product can have at most ${MAX_VARIANTS} variants: remove some values.`}
        </p>
      )}
      {about("variants") && <p className="field-error">{about("variants")}</p>}
      {variants.length > 1 && !readOnly && (
        <FillAllFields
          onFill={(fields) => set({ variants: withFields(variants, fields) })}
          hasNew={variants.some(({ id }) => id === null)}
        />
      )}
      {variants.length > 0 && (
        <VariantTable
          content={content}
          set={set}
          about={about}
          readOnly={readOnly}
          stock={stock}
          onCount={setCounted}
        />
      )}
      <StockDialog
        variant={counted}
        level={counted?.id ? stock[counted.id] : undefined}
        onClose={() => setCounted(null)}
        onChanged={onStock}
        onStale={onStaleStock}
      />
    </section>
  );
}

import type { VariantContent } from "../../lib/types";
import { parseWeight } from "../../lib/weight";
import { toCents } from "../parts/cents";
import { digits } from "./product-content";

interface Props {
  onFill: (fields: Partial<VariantContent>) => void;
  /** Whether there are unsaved variants, whose stock can be entered. */
  hasNew: boolean;
}

/** Fields that set a value for all variants, on blur or Enter. */
export function FillAllFields({ onFill, hasNew }: Props) {
  const fields: [label: string, read: (text: string) => Partial<VariantContent> | null][] = [
    ["Price of all, $", (text) => withNumber("price", toCents(text))],
    ["Weight of all, oz", (text) => withNumber("weight_grams", weight(text))],
    ...(hasNew
      ? [
          [
            "On hand of all new ones",
            (text: string) => withNumber("on_hand", digits(text)),
          ] as (typeof fields)[number],
        ]
      : []),
  ];
  return (
    <fieldset className="variant-fill">
      <legend className="label">The same for all</legend>
      {fields.map(([label, read]) => {
        const fill = (input: HTMLInputElement) => {
          const values = input.value.trim() === "" ? null : read(input.value);
          if (!values) return;
          onFill(values);
          input.value = "";
        };
        return (
          <label key={label}>
            {label}
            <input
              className="input is-amount"
              inputMode="decimal"
              autoComplete="off"
              onBlur={({ currentTarget }) => fill(currentTarget)}
              onKeyDown={(event) => {
                if (event.key === "Enter") fill(event.currentTarget);
              }}
            />
          </label>
        );
      })}
    </fieldset>
  );
}

function withNumber(field: keyof VariantContent, value: number | null) {
  return value === null ? null : { [field]: value };
}

/** Null if it is not a weight, so that nothing is changed. */
function weight(text: string): number | null {
  const grams = parseWeight(text);
  return grams < 0 ? null : grams;
}

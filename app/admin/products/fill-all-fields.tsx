import { useId, useState } from "react";
import type { VariantContent } from "../../lib/types";
import { parseWeight } from "../../lib/weight";
import { toCents } from "../parts/cents";
import { pieces } from "./product-content";

interface Props {
  onFill: (fields: Partial<VariantContent>) => void;
  /** Whether there are unsaved variants, whose stock can be entered. */
  hasNew: boolean;
}

/** Fields that set a value for all variants, on blur or Enter. */
export function FillAllFields({ onFill, hasNew }: Props) {
  return (
    <fieldset className="variant-fill">
      <legend className="label">The same for all</legend>
      <FillField
        label="Price of all, $"
        hint="Enter a price such as 49.90."
        read={toCents}
        onFill={(price) => onFill({ price })}
      />
      <FillField
        label="Weight of all, oz"
        hint="Enter a weight such as 12 oz or 1 lb 4 oz."
        read={weight}
        onFill={(weight_grams) => onFill({ weight_grams })}
      />
      {hasNew && (
        <FillField
          label="On hand of all new ones"
          hint="Enter a number."
          read={pieces}
          onFill={(on_hand) => onFill({ on_hand })}
        />
      )}
    </fieldset>
  );
}

interface FieldProps {
  label: string;
  /** Shown for a text that cannot be read. */
  hint: string;
  /** Null if the text has no such value. */
  read: (text: string) => number | null;
  onFill: (value: number) => void;
}

function FillField({ label, hint, read, onFill }: FieldProps) {
  const id = useId();
  const [invalid, setInvalid] = useState(false);
  const fill = (input: HTMLInputElement) => {
    const isEmpty = input.value.trim() === "";
    const value = isEmpty ? null : read(input.value);
    setInvalid(!isEmpty && value === null);
    if (value === null) return;
    onFill(value);
    input.value = "";
  };
  return (
    <div>
      <label>
        {label}
        <input
          className="input is-amount"
          inputMode="decimal"
          autoComplete="off"
          aria-invalid={invalid}
          aria-describedby={invalid ? id : undefined}
          onBlur={({ currentTarget }) => fill(currentTarget)}
          onKeyDown={(event) => {
            if (event.key === "Enter") fill(event.currentTarget);
          }}
        />
      </label>
      {invalid && (
        <p id={id} className="field-error" role="alert">
          {hint}
        </p>
      )}
    </div>
  );
}

function weight(text: string): number | null {
  const grams = parseWeight(text);
  return grams < 0 ? null : grams;
}

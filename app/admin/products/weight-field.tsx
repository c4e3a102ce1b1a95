import { useState } from "react";
import { formatWeight, parseWeight } from "../../lib/weight";

interface Props {
  label: string;
  grams: number;
  /** Called with -1 if the text is not a weight. */
  onChange: (grams: number) => void;
  readOnly: boolean;
  invalid: boolean;
  describedBy: string | undefined;
}

/** A field for a weight, in ounces unless another unit is typed. Keeps the text as typed. */
export function WeightField({ label, grams, onChange, readOnly, invalid, describedBy }: Props) {
  const [text, setText] = useState(formatWeight(grams));
  const shown = parseWeight(text) === grams ? text : formatWeight(grams);
  return (
    <input
      className="input is-amount"
      aria-label={label}
      aria-invalid={invalid}
      aria-describedby={describedBy}
      value={shown}
      readOnly={readOnly}
      onChange={({ target }) => {
        setText(target.value);
        onChange(parseWeight(target.value));
      }}
    />
  );
}

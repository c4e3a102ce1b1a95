import { useState } from "react";
import { formatWeight, parseWeight } from "../../lib/weight";

interface Props {
  label: string;
  grams: number;
  /** -1 for what is no weight. */
  onChange: (grams: number) => void;
  readOnly: boolean;
  invalid: boolean;
  describedBy: string | undefined;
}

/** A weight as people write it, in ounces unless they name another unit; the text stays as it is typed. */
export function Weight({ label, grams, onChange, readOnly, invalid, describedBy }: Props) {
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

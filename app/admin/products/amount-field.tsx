import { useState } from "react";
import { centsOrInvalid, fromCents } from "../parts/cents";

interface Props {
  label: string;
  value: number | null;
  /** Called with null if the field is empty, and with -1 if it is not an amount. */
  onChange: (value: number | null) => void;
  readOnly?: boolean;
  invalid?: boolean;
  describedBy?: string | undefined;
}

/** A field for an amount of money, which keeps the text as typed. */
export function AmountField({ label, value, onChange, readOnly, invalid, describedBy }: Props) {
  const [text, setText] = useState(fromCents(value));
  const amount = amountIn(text);
  const shown = amount === value || (value === -1 && amount === null) ? text : fromCents(value);
  return (
    <input
      className="input is-amount"
      inputMode="decimal"
      aria-label={label}
      aria-invalid={invalid}
      aria-describedby={describedBy}
      value={shown}
      readOnly={readOnly}
      onChange={({ target }) => {
        setText(target.value);
        onChange(amountIn(target.value));
      }}
    />
  );
}

/** Null if it is empty, and -1 if it is not an amount. */
const amountIn = (text: string): number | null =>
  text.trim() === "" ? null : centsOrInvalid(text);

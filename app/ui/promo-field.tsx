import { useRef, useState } from "react";
import { setPromoCode } from "../lib/promo";
import type { Quote } from "../lib/types";
import { Labeled } from "./field";

interface Props {
  /** The code that the shopper entered. */
  code: string | null;
  quote: Quote | null;
  /** Whether the quote is about this code. An older one may be about another. */
  fresh: boolean;
  /** Why there is no newer quote. */
  error: string | null;
  disabled?: boolean;
}

/**
 * The promo code in the form of the cart or the checkout: an input with its error message, or the code with a remove button,
 * and what it takes off once a quote says so.
 */
export function PromoField({ code, quote, fresh, error, disabled }: Props) {
  const [typed, setTyped] = useState("");
  const [open, setOpen] = useState(Boolean(code));
  const input = useRef<HTMLInputElement>(null);
  const problem =
    code && fresh ? quote?.problems.find((each) => each.code === "promo_code")?.message : undefined;
  const promo = quote?.promo;
  // Or not refused yet.
  const isAccepted = Boolean(code) && !problem;
  // A typed code stays in its field until the first answer: if it is refused, the field has not lost the focus.
  if (isAccepted && typed && (fresh || error)) setTyped("");
  if (isAccepted && !typed) {
    return (
      <p className="promo" role="status">
        <span>
          <b>{code}</b>
          {promo?.code === code ? ` ${promo.label}` : " not checked yet"}
        </span>
        <button
          type="submit"
          name="do"
          value="drop"
          data-replay
          className="link"
          data-heir
          disabled={disabled}
          onClick={(event) => {
            event.preventDefault();
            setPromoCode(null);
          }}
        >
          Remove<span className="visually-hidden"> promo code {code}</span>
        </button>
      </p>
    );
  }
  function apply(): void {
    if (typed.trim()) setPromoCode(typed);
    input.current?.focus();
  }
  return (
    <details
      className="promo-entry"
      open={open || Boolean(problem)}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary className="link">Add a promo code</summary>
      <div className="promo-field">
        <Labeled label="Promo code" problem={problem}>
          {(control) => (
            <input
              {...control}
              ref={input}
              className="input"
              name="code"
              autoComplete="off"
              autoCapitalize="characters"
              spellCheck={false}
              maxLength={40}
              disabled={disabled}
              value={typed || code || ""}
              onChange={({ target }) => {
                setTyped(target.value);
                // It was opened before the scripts ran, perhaps, and must not close with the error.
                setOpen(true);
                // Clears the previous code and its error.
                setPromoCode(null);
              }}
              onKeyDown={(event) => {
                if (event.key !== "Enter") return;
                // Enter must not submit the surrounding form, which pays.
                event.preventDefault();
                apply();
              }}
            />
          )}
        </Labeled>
        <button
          type="submit"
          name="do"
          value="apply"
          data-replay
          className="button button-quiet"
          disabled={disabled}
          onClick={(event) => {
            event.preventDefault();
            apply();
          }}
        >
          Apply
        </button>
      </div>
    </details>
  );
}

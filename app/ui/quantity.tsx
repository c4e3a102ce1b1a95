import { addToast } from "../lib/toast";
import { Icon } from "./icon";

interface Props {
  value: number;
  max: number;
  /** What is counted, for those who do not see it. */
  label: string;
  /** In a form that sets it at once: the buttons submit, and one more does without scripts. */
  submits?: boolean;
  onChange: (value: number) => void;
}

/** How many: typed, or one up and down. */
export function Quantity({ value, max, label, submits = false, onChange }: Props) {
  /** One that submits says so in its value, which the form reads. */
  const step = (to: number) =>
    submits
      ? ({ type: "submit", name: "do", value: `set:${Math.max(to, 1)}` } as const)
      : ({ type: "button", onClick: () => onChange(to) } as const);

  function take(input: HTMLInputElement): void {
    const typed = Number(input.value.trim() || Number.NaN);
    input.value = String(value);
    if (!Number.isInteger(typed) || typed < 0 || typed === value) return;
    if (typed > max)
      addToast({ severity: "info", summary: `You can order up to ${max}.`, life: 5_000 });
    onChange(Math.min(typed, max));
  }

  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be laid out as this row in every browser.
    <div className="quantity" role="group" aria-label={label}>
      {/* The first of the form is what Enter presses. */}
      {submits && <button type="submit" name="do" value="set" hidden />}
      <button
        aria-label="Decrease quantity"
        className={submits ? undefined : "needs-scripts"}
        aria-disabled={value <= 1}
        {...step(value - 1)}
      >
        <Icon name="minus" />
      </button>
      <input
        key={value}
        type="text"
        name="qty"
        inputMode="numeric"
        aria-label="Quantity"
        autoComplete="off"
        defaultValue={value}
        onFocus={(event) => event.currentTarget.select()}
        onKeyDown={(event) => {
          if (event.key !== "Enter") return;
          // Setting it is all that Enter does here.
          event.preventDefault();
          take(event.currentTarget);
        }}
        onBlur={({ currentTarget }) => take(currentTarget)}
      />
      <button
        aria-label="Increase quantity"
        className={submits ? undefined : "needs-scripts"}
        aria-disabled={value >= max}
        {...step(value + 1)}
      >
        <Icon name="plus" />
      </button>
      {submits && (
        <button type="submit" name="do" value="set" className="quantity-set link needs-no-scripts">
          Update
        </button>
      )}
    </div>
  );
}

import { addToast } from "../lib/toast";
import { Icon } from "./icon";

interface Props {
  value: number;
  max: number;
  /** Accessible name. */
  label: string;
  /** The buttons submit the surrounding form; without scripts there is also an Update button. */
  submits?: boolean;
  onChange: (value: number) => void;
}

/** A quantity field with buttons to decrease and increase it. */
export function Quantity({ value, max, label, submits = false, onChange }: Props) {
  /** A submit button carries the new quantity in its value, which the form reads. */
  const step = (to: number) =>
    submits
      ? ({ type: "submit", name: "do", value: `set:${Math.max(to, 1)}` } as const)
      : ({ type: "button", onClick: () => onChange(to) } as const);

  function commit(input: HTMLInputElement): void {
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
      {/* Enter activates the first submit button of the form. */}
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
          // Enter only sets the quantity; it must not submit the form.
          event.preventDefault();
          commit(event.currentTarget);
        }}
        onBlur={({ currentTarget }) => commit(currentTarget)}
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

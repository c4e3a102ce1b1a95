import { Icon } from "./icon";

interface Props {
  value: number;
  max: number;
  /** What is counted, for those who do not see it. */
  label: string;
  onChange: (value: number) => void;
}

/** How many: typed, or one up and down. */
export function Quantity({ value, max, label, onChange }: Props) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be laid out as this row in every browser.
    <div className="quantity" role="group" aria-label={label}>
      <button
        type="button"
        aria-label="One fewer"
        disabled={value <= 1}
        onClick={() => onChange(value - 1)}
      >
        <Icon name="minus" />
      </button>
      <input
        key={value}
        type="text"
        inputMode="numeric"
        aria-label="Quantity"
        autoComplete="off"
        defaultValue={value}
        onFocus={(event) => event.currentTarget.select()}
        onKeyDown={(event) => {
          if (event.key === "Enter") event.currentTarget.blur();
        }}
        onBlur={(event) => {
          const typed = Number(event.currentTarget.value.trim() || Number.NaN);
          if (Number.isInteger(typed) && typed >= 0 && typed !== value)
            onChange(Math.min(typed, max));
          else event.currentTarget.value = String(value);
        }}
      />
      <button
        type="button"
        aria-label="One more"
        disabled={value >= max}
        onClick={() => onChange(value + 1)}
      >
        <Icon name="plus" />
      </button>
    </div>
  );
}

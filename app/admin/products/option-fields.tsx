import { useState } from "react";
import type { OptionValue, ProductOption } from "../../lib/types";
import type { Editing } from "./editing";
import { swapped } from "./variant-changes";

interface Props extends Pick<Editing, "about" | "readOnly"> {
  option: ProductOption;
  at: number;
  isLast: boolean;
  onChange: (option: ProductOption) => void;
  onMove: () => void;
  onRemove: () => void;
}

/** The fields of one option: its name and its values. */
export function OptionFields(props: Props) {
  const { option, at, isLast, about, readOnly, onChange, onMove, onRemove } = props;
  const { name, values } = option;
  const setValue = (nth: number, fields: Partial<OptionValue>) =>
    onChange({
      ...option,
      values: values.map((each, n) => (n === nth ? { ...each, ...fields } : each)),
    });
  const problem = about(`options[${at}].name`) ?? about(`options[${at}].values`);
  const title = name || `option ${at + 1}`;
  return (
    <fieldset className="product-option">
      <legend className="visually-hidden">{`Option ${at + 1}`}</legend>
      <input
        className="input"
        aria-label={`Option ${at + 1} name`}
        placeholder="For example, Color"
        aria-invalid={problem !== undefined}
        aria-describedby={problem && `option-${at}-problem`}
        value={name}
        readOnly={readOnly}
        onChange={({ target }) => onChange({ ...option, name: target.value })}
      />
      <ul>
        {values.map(({ value, hex }, nth) => {
          const valueProblem = about(`options[${at}].values[${nth}]`);
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: a value is identified by its position.
            <li key={nth}>
              <input
                type="color"
                aria-label={`Color of ${value || `value ${nth + 1}`}`}
                data-unset={hex === null || undefined}
                // Choosing the color that is shown changes nothing: for none, it is one that nobody chooses.
                value={hex ?? "#fefefe"}
                disabled={readOnly}
                onChange={({ target }) => setValue(nth, { hex: target.value })}
              />
              <ValueName
                label={`Value ${nth + 1} of ${title}`}
                describedBy={valueProblem && `option-${at}-value-${nth}-problem`}
                value={value}
                readOnly={readOnly}
                onRename={(next) => setValue(nth, { value: next })}
              />
              {!readOnly && (
                <>
                  {hex && (
                    <button
                      type="button"
                      className="link"
                      aria-label={`No color for ${value}`}
                      onClick={() => setValue(nth, { hex: null })}
                    >
                      No color
                    </button>
                  )}
                  <button
                    type="button"
                    id={`option-${at}-value-${nth}-up`}
                    className="link"
                    aria-label={`Move ${value || `value ${nth + 1}`} up`}
                    aria-disabled={nth === 0}
                    onClick={() => {
                      onChange({ ...option, values: swapped(values, nth - 1) });
                      focusMoved(`option-${at}-value-${nth - 1}-up`);
                    }}
                  >
                    Up
                  </button>
                  <button
                    type="button"
                    className="link"
                    aria-label={`Remove ${value || `value ${nth + 1}`}`}
                    onClick={() =>
                      onChange({ ...option, values: values.filter((_, n) => n !== nth) })
                    }
                  >
                    Remove
                  </button>
                </>
              )}
              {valueProblem && (
                <p id={`option-${at}-value-${nth}-problem`} className="field-error">
                  {valueProblem}
                </p>
              )}
            </li>
          );
        })}
      </ul>
      {problem && (
        <p id={`option-${at}-problem`} className="field-error">
          {problem}
        </p>
      )}
      {!readOnly && (
        <p className="option-acts">
          <NewValues
            title={title}
            onAdd={(added) => {
              const known = new Set(values.map(({ value }) => value));
              const fresh = added.filter((value) => !known.has(value));
              onChange({
                ...option,
                values: [...values, ...fresh.map((value) => ({ value, hex: null }))],
              });
            }}
          />
          {(at > 0 || !isLast) && (
            <button
              type="button"
              id={`option-${at}-down`}
              className="link"
              aria-disabled={isLast}
              onClick={() => {
                onMove();
                focusMoved(`option-${at + 1}-down`);
              }}
            >
              {`Move ${title} down`}
            </button>
          )}
          <button type="button" className="link" onClick={onRemove}>
            {`Remove ${title}`}
          </button>
        </p>
      )}
    </fieldset>
  );
}

/** The focus follows what was moved: at its former place, the next press would move something else. */
function focusMoved(button: string): void {
  document.getElementById(button)?.focus();
}

interface NameProps {
  label: string;
  describedBy: string | undefined;
  value: string;
  readOnly: boolean;
  onRename: (value: string) => void;
}

/** Renames a value on blur or Enter: what is typed before may be the name of another value. */
function ValueName({ label, describedBy, value, readOnly, onRename }: NameProps) {
  const [typed, setTyped] = useState<string | null>(null);
  const rename = () => {
    if (typed !== null && typed !== value) onRename(typed.trim());
    setTyped(null);
  };
  return (
    <input
      className="input"
      aria-label={label}
      aria-invalid={describedBy !== undefined}
      aria-describedby={describedBy}
      value={typed ?? value}
      readOnly={readOnly}
      onChange={({ target }) => setTyped(target.value)}
      onBlur={rename}
      onKeyDown={({ key }) => {
        if (key === "Enter") rename();
      }}
    />
  );
}

/** A field that adds one or more values, separated by commas, on blur or Enter. */
function NewValues({ title, onAdd }: { title: string; onAdd: (values: string[]) => void }) {
  const add = (input: HTMLInputElement) => {
    const typed = input.value.split(",").map((value) => value.trim());
    const values = [...new Set(typed.filter(Boolean))];
    if (values.length === 0) return;
    onAdd(values);
    input.value = "";
  };
  return (
    <input
      className="input"
      aria-label={`New values of ${title}, separated by commas`}
      placeholder="Black, Brown"
      autoComplete="off"
      onBlur={({ currentTarget }) => add(currentTarget)}
      onKeyDown={(event) => {
        if (event.key === "Enter") add(event.currentTarget);
      }}
    />
  );
}

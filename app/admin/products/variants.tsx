import { useState } from "react";
import type { OptionValue, ProductOption, StockState, VariantContent } from "../../lib/types";
import { parseWeight } from "../../lib/weight";
import { combined, toCents } from "./draft";
import { type MovedStock, StockDialog } from "./stock";
import { Amount, type Editing } from "./texts";
import { Weight } from "./weight";

const MAX_OPTIONS = 3;

/** The options with their values, and the table of variants. */
export function Variants({
  content,
  set,
  about,
  readOnly,
  stock,
  onStock,
}: Editing & {
  /** Stock levels of saved variants, by id. */
  stock: Record<string, StockState>;
  onStock: (moved: MovedStock) => void;
}) {
  const { options, variants, pictures } = content;
  const [counted, setCounted] = useState<VariantContent | null>(null);
  const change = (at: number, fields: Partial<VariantContent>) =>
    set({ variants: variants.map((each, nth) => (nth === at ? { ...each, ...fields } : each)) });

  return (
    <section className="panel variants" aria-labelledby="variants">
      <h2 id="variants">Variants</h2>
      {options.map((option, at) => (
        <Option
          // biome-ignore lint/suspicious/noArrayIndexKey: an option is identified by its position.
          key={at}
          option={option}
          at={at}
          about={about}
          readOnly={readOnly}
          isLast={at === options.length - 1}
          onChange={(next) => {
            // Variants follow a renamed value.
            const renamed = new Map(
              option.values.length === next.values.length
                ? option.values.map(({ value }, nth) => [value, next.values[nth]?.value ?? value])
                : [],
            );
            const changed = {
              options: options.map((each, nth) => (nth === at ? next : each)),
              variants: variants.map((variant) => ({
                ...variant,
                options: variant.options.map((value, nth) =>
                  nth === at ? (renamed.get(value) ?? value) : value,
                ),
              })),
            };
            // For an unsaved product, each new value immediately creates its variants.
            const isNew = variants.every(({ id }) => id === null);
            const grows = isNew && next.values.length > option.values.length;
            set(grows ? { ...changed, variants: combined({ ...content, ...changed }) } : changed);
          }}
          onMove={() => {
            const swap = <T,>(list: T[]) =>
              list.map((each, nth) =>
                nth === at ? list[at + 1] : nth === at + 1 ? list[at] : each,
              ) as T[];
            set({
              options: swap(options),
              variants: variants.map((each) => ({ ...each, options: swap(each.options) })),
            });
          }}
          onRemove={() => {
            const without = <T,>(list: T[]) => list.filter((_, nth) => nth !== at);
            const seen = new Set<string>();
            const left = variants
              .map((each) => ({ ...each, options: without(each.options) }))
              .filter((each) => {
                const key = each.options.join("\n");
                return !seen.has(key) && seen.add(key);
              });
            set({ options: without(options), variants: left });
          }}
        />
      ))}
      {about("options") && <p className="field-error">{about("options")}</p>}
      {!readOnly && (
        <p className="variant-acts">
          {options.length < MAX_OPTIONS && (
            <button
              type="button"
              className="button button-quiet"
              onClick={() => set({ options: [...options, { name: "", values: [] }] })}
            >
              Add an option
            </button>
          )}
          <button
            type="button"
            className="button button-quiet"
            onClick={() => set({ variants: combined(content) })}
          >
            {options.length === 0 ? "Create variant" : "Create all combinations"}
          </button>
        </p>
      )}
      {about("variants") && <p className="field-error">{about("variants")}</p>}
      {variants.length > 1 && !readOnly && (
        <FillAll
          onFill={(fields) =>
            set({
              variants: variants.map((each) => {
                const { on_hand, ...rest } = fields;
                // The stock of saved variants is changed only in the stock dialog.
                return {
                  ...each,
                  ...rest,
                  ...(each.id === null && { on_hand: on_hand ?? each.on_hand }),
                };
              }),
            })
          }
          hasNew={variants.some(({ id }) => id === null)}
        />
      )}
      {variants.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable areas must be reachable by keyboard.
        <section className="admin-list-scroll" aria-label="Variant table" tabIndex={0}>
          <table className="admin-list matrix">
            <thead>
              <tr>
                <th scope="col">Variant</th>
                <th scope="col">SKU</th>
                <th scope="col">Price, $</th>
                <th scope="col">Compare at, $</th>
                <th scope="col">Weight</th>
                <th scope="col">Image</th>
                <th scope="col">On hand</th>
                <th scope="col">
                  <span className="visually-hidden">Actions</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {variants.map((variant, at) => {
                const name = variant.options.join(", ") || "Default";
                const field = (each: string) => about(`variants[${at}].${each}`);
                const problems = [
                  "sku",
                  "price",
                  "compare_at_price",
                  "weight_grams",
                  "picture",
                  "on_hand",
                  "options",
                  "id",
                ];
                const said = problems.map(field).filter((message) => message !== undefined);
                const level = variant.id ? stock[variant.id] : undefined;
                const described = said.length > 0 ? `variant-${at}-problem` : undefined;
                return (
                  <tr key={variant.id ?? at} data-tone={said.length > 0 ? "warn" : undefined}>
                    <th scope="row">
                      {name}
                      {variant.weight_grams === 0 && (
                        <small className="variant-note">
                          No weight yet: shipping is priced as if it weighed nothing.
                        </small>
                      )}
                      {described && (
                        <p id={described} className="field-error">
                          {said.join(" ")}
                        </p>
                      )}
                    </th>
                    <td>
                      <input
                        className="input"
                        aria-label={`SKU of ${name}`}
                        aria-invalid={field("sku") !== undefined}
                        aria-describedby={described}
                        value={variant.sku}
                        readOnly={readOnly}
                        onChange={({ target }) => change(at, { sku: target.value })}
                      />
                    </td>
                    <td>
                      <Amount
                        label={`Price of ${name}`}
                        invalid={field("price") !== undefined}
                        describedBy={described}
                        value={variant.price}
                        readOnly={readOnly}
                        onChange={(price) => change(at, { price: price ?? -1 })}
                      />
                    </td>
                    <td>
                      <Amount
                        label={`Compare-at price of ${name}`}
                        invalid={field("compare_at_price") !== undefined}
                        describedBy={described}
                        value={variant.compare_at_price}
                        readOnly={readOnly}
                        onChange={(compare_at_price) => change(at, { compare_at_price })}
                      />
                    </td>
                    <td>
                      <Weight
                        label={`Weight of ${name}`}
                        invalid={field("weight_grams") !== undefined}
                        describedBy={described}
                        grams={variant.weight_grams}
                        readOnly={readOnly}
                        onChange={(weight_grams) => change(at, { weight_grams })}
                      />
                    </td>
                    <td>
                      <select
                        className="input"
                        aria-label={`Image of ${name}`}
                        value={variant.picture ?? ""}
                        disabled={readOnly}
                        onChange={({ target }) => change(at, { picture: target.value || null })}
                      >
                        <option value="">First image</option>
                        {pictures.map(({ key, alt }, nth) => (
                          <option key={key} value={key}>
                            {`${nth + 1}${alt ? `: ${alt}` : ""}`}
                          </option>
                        ))}
                      </select>
                    </td>
                    <td className="is-number">
                      {variant.id ? (
                        <button
                          type="button"
                          className="link"
                          aria-label={`Stock of ${name}: ${level?.on_hand ?? 0}`}
                          disabled={readOnly}
                          onClick={() => setCounted(variant)}
                        >
                          {level?.on_hand ?? 0}
                        </button>
                      ) : (
                        <input
                          className="input is-amount"
                          inputMode="numeric"
                          aria-label={`On hand of ${name}`}
                          value={variant.on_hand ?? 0}
                          onChange={({ target }) => change(at, { on_hand: digits(target.value) })}
                        />
                      )}
                      {level !== undefined && level.reserved > 0 && (
                        <small>{`${level.reserved} reserved`}</small>
                      )}
                    </td>
                    <td>
                      {!readOnly && (
                        <button
                          type="button"
                          className="link"
                          aria-label={`Remove ${name}`}
                          onClick={() => set({ variants: variants.filter((_, nth) => nth !== at) })}
                        >
                          Remove
                        </button>
                      )}
                    </td>
                  </tr>
                );
              })}
            </tbody>
          </table>
        </section>
      )}
      <StockDialog
        variant={counted}
        level={counted?.id ? stock[counted.id] : undefined}
        onClose={() => setCounted(null)}
        onMoved={onStock}
      />
    </section>
  );
}

interface FillAllProps {
  onFill: (fields: Partial<VariantContent>) => void;
  /** Whether there are unsaved variants, whose stock can be entered. */
  hasNew: boolean;
}

/** Fields that set a value for all variants, on blur or Enter. */
function FillAll({ onFill, hasNew }: FillAllProps) {
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
          const given = input.value.trim() === "" ? null : read(input.value);
          if (!given) return;
          onFill(given);
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

function digits(text: string): number {
  return Number(text.replace(/\D/g, "").slice(0, 7));
}

interface OptionProps extends Pick<Editing, "about" | "readOnly"> {
  option: ProductOption;
  at: number;
  isLast: boolean;
  onChange: (option: ProductOption) => void;
  onMove: () => void;
  onRemove: () => void;
}

function Option({ option, at, isLast, about, readOnly, onChange, onMove, onRemove }: OptionProps) {
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
          const said = about(`options[${at}].values[${nth}]`);
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: a value is identified by its position.
            <li key={nth}>
              <input
                type="color"
                aria-label={`Color of ${value || `value ${nth + 1}`}`}
                data-unset={hex === null || undefined}
                value={hex ?? "#ffffff"}
                disabled={readOnly}
                onChange={({ target }) => setValue(nth, { hex: target.value })}
              />
              <input
                className="input"
                aria-label={`Value ${nth + 1} of ${title}`}
                aria-invalid={said !== undefined}
                aria-describedby={said && `option-${at}-value-${nth}-problem`}
                value={value}
                readOnly={readOnly}
                onChange={({ target }) => setValue(nth, { value: target.value })}
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
                    className="link"
                    aria-label={`Move ${value || `value ${nth + 1}`} up`}
                    aria-disabled={nth === 0}
                    onClick={() => onChange({ ...option, values: swapped(values, nth - 1) })}
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
              {said && (
                <p id={`option-${at}-value-${nth}-problem`} className="field-error">
                  {said}
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
          {!isLast && (
            <button type="button" className="link" onClick={onMove}>
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

function swapped<T>(list: T[], at: number): T[] {
  const [first, second] = [list[at], list[at + 1]];
  return list.map((each, nth) => (nth === at ? second : nth === at + 1 ? first : each)) as T[];
}

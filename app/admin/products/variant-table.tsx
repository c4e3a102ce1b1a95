import type { StockState, VariantContent } from "../../lib/types";
import { ScrollArea } from "../parts/scroll-area";
import { AmountField } from "./amount-field";
import type { Editing } from "./editing";
import { pieces } from "./product-content";
import { WeightField } from "./weight-field";

interface Props extends Editing {
  /** Stock levels of saved variants, by id. */
  stock: Record<string, StockState>;
  /** Opens the stock dialog of a saved variant. */
  onCount: (variant: VariantContent) => void;
}

/** The table of variants, one per row. */
export function VariantTable({ content, set, about, readOnly, stock, onCount }: Props) {
  const { variants, pictures } = content;
  return (
    <ScrollArea label="Variant table">
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
          {variants.map((variant, at) => (
            <VariantRow
              key={variant.id ?? at}
              variant={variant}
              at={at}
              pictures={pictures}
              level={variant.id ? stock[variant.id] : undefined}
              about={about}
              readOnly={readOnly}
              onChange={(fields) =>
                set({
                  variants: variants.map((each, nth) =>
                    nth === at ? { ...each, ...fields } : each,
                  ),
                })
              }
              onCount={() => onCount(variant)}
              onRemove={() => set({ variants: variants.filter((_, nth) => nth !== at) })}
            />
          ))}
        </tbody>
      </table>
    </ScrollArea>
  );
}

/** The fields whose errors are shown in the row. */
const FIELDS = [
  "sku",
  "price",
  "compare_at_price",
  "weight_grams",
  "picture",
  "on_hand",
  "options",
  "id",
];

interface RowProps extends Pick<Editing, "about" | "readOnly"> {
  variant: VariantContent;
  at: number;
  pictures: Editing["content"]["pictures"];
  level: StockState | undefined;
  onChange: (fields: Partial<VariantContent>) => void;
  onCount: () => void;
  onRemove: () => void;
}

function VariantRow(props: RowProps) {
  const { variant, at, pictures, level, about, readOnly, onChange, onCount, onRemove } = props;
  const name = variant.options.filter(Boolean).join(", ") || "Default";
  const field = (each: string) => about(`variants[${at}].${each}`);
  const problems = FIELDS.map(field).filter((message) => message !== undefined);
  const described = problems.length > 0 ? `variant-${at}-problem` : undefined;
  return (
    <tr data-tone={problems.length > 0 ? "warn" : undefined}>
      <th scope="row">
        {name}
        {variant.weight_grams === 0 && (
          <small className="variant-note">
            No weight yet: shipping is priced as if it weighed nothing.
          </small>
        )}
        {described && (
          <p id={described} className="field-error">
            {problems.join(" ")}
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
          onChange={({ target }) => onChange({ sku: target.value })}
        />
      </td>
      <td>
        <AmountField
          label={`Price of ${name}`}
          invalid={field("price") !== undefined}
          describedBy={described}
          value={variant.price}
          readOnly={readOnly}
          onChange={(price) => onChange({ price: price ?? -1 })}
        />
      </td>
      <td>
        <AmountField
          label={`Compare-at price of ${name}`}
          invalid={field("compare_at_price") !== undefined}
          describedBy={described}
          value={variant.compare_at_price}
          readOnly={readOnly}
          onChange={(compare_at_price) => onChange({ compare_at_price })}
        />
      </td>
      <td>
        <WeightField
          label={`Weight of ${name}`}
          invalid={field("weight_grams") !== undefined}
          describedBy={described}
          grams={variant.weight_grams}
          readOnly={readOnly}
          onChange={(weight_grams) => onChange({ weight_grams })}
        />
      </td>
      <td>
        <select
          className="input"
          aria-label={`Image of ${name}`}
          aria-invalid={field("picture") !== undefined}
          aria-describedby={described}
          value={variant.picture ?? ""}
          disabled={readOnly}
          onChange={({ target }) => onChange({ picture: target.value || null })}
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
            onClick={onCount}
          >
            {level?.on_hand ?? 0}
          </button>
        ) : (
          <input
            className="input is-amount"
            inputMode="numeric"
            aria-label={`On hand of ${name}`}
            aria-invalid={field("on_hand") !== undefined}
            aria-describedby={described}
            value={variant.on_hand ?? ""}
            onChange={({ target }) => onChange({ on_hand: pieces(target.value) })}
          />
        )}
        {level !== undefined && level.reserved > 0 && <small>{`${level.reserved} reserved`}</small>}
      </td>
      <td>
        {!readOnly && (
          <button type="button" className="link" aria-label={`Remove ${name}`} onClick={onRemove}>
            Remove
          </button>
        )}
      </td>
    </tr>
  );
}

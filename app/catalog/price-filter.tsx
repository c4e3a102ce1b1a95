import type { ListPage } from "../lib/types";

/** A price range in whole dollars, sent together with the active filters. */
export function PriceFilter({ action, price }: ListPage) {
  const bounds = [
    { name: "min_price", label: "From", value: price.selected_min, hint: price.min },
    { name: "max_price", label: "To", value: price.selected_max, hint: price.max },
  ];
  return (
    <form method="get" className="facet price-filter" action={action} data-keep-position="">
      {price.filters.map(({ name, value }) => (
        <input key={`${name} ${value}`} type="hidden" name={name} value={value} />
      ))}
      <fieldset>
        <legend>Price</legend>
        {bounds.map(({ name, label, value, hint }) => (
          <label key={name}>
            <span className="visually-hidden">{`${label}, dollars`}</span>
            <input
              key={value}
              className="input"
              type="text"
              inputMode="numeric"
              pattern="\$?[0-9]*"
              autoComplete="off"
              name={name}
              placeholder={`$${hint}`}
              defaultValue={value ?? ""}
            />
          </label>
        ))}
        <button type="submit" className="button button-quiet">
          Apply
        </button>
      </fieldset>
    </form>
  );
}

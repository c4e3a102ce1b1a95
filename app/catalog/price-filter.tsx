import type { ListPage } from "../lib/types";

const CENTS = 100;

/** A price range in whole dollars, sent together with the active filters. */
export function PriceFilter({ action, query, sorts, facets, price }: ListPage) {
  const bounds = [
    {
      name: "min_price",
      label: "From",
      value: price.selected_min,
      hint: Math.floor(price.min / CENTS),
    },
    {
      name: "max_price",
      label: "To",
      value: price.selected_max,
      hint: Math.ceil(price.max / CENTS),
    },
  ];
  return (
    <form method="get" className="facet price-filter" action={action} data-keep-position="">
      {query.q && <input type="hidden" name="q" value={query.q} />}
      {facets.flatMap(({ key, options }) =>
        options
          .filter(({ selected }) => selected)
          .map(({ value }) => (
            <input key={`${key} ${value}`} type="hidden" name={key} value={value ?? ""} />
          )),
      )}
      {/* The first sort order is the default. */}
      {!sorts[0]?.selected && <input type="hidden" name="sort" value={query.sort} />}
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
              pattern="[0-9]*"
              autoComplete="off"
              name={name}
              placeholder={`$${hint}`}
              defaultValue={value === null ? "" : value / CENTS}
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

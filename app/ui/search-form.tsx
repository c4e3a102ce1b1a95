import { Icon } from "./icon";

/** A plain search form for pages without results. `id` must be unique on the page. */
export function SearchForm({ id, query = "" }: { id: string; query?: string }) {
  return (
    <search>
      <form method="get" className="search" action="/products">
        <label className="visually-hidden" htmlFor={id}>
          Search the shop
        </label>
        <input id={id} type="search" name="q" defaultValue={query} placeholder="Search the shop" />
        <button type="submit" aria-label="Search">
          <Icon name="search" />
        </button>
      </form>
    </search>
  );
}

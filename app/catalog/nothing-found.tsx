import { useShared } from "../lib/shared";
import type { ListPage } from "../lib/types";
import { SearchForm } from "../ui/search-form";

/** Ways out of an empty list. */
export function NothingFound({ active, clear_href, query }: ListPage) {
  const { menu } = useShared();
  return (
    <div className="nothing">
      <h3>Nothing on this shelf</h3>
      {active.length > 0 ? (
        <p>
          No product has all of these properties. Take a filter away, or{" "}
          <a href={clear_href}>start again without filters</a>.
        </p>
      ) : (
        <p>Try a shorter or a more general word, or look through a department.</p>
      )}
      <SearchForm id="search-again" query={query.q} />
      <ul className="ways">
        {menu.map(({ label, href }) => (
          <li key={href}>
            <a href={href}>{label}</a>
          </li>
        ))}
      </ul>
    </div>
  );
}

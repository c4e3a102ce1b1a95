import type { MouseEvent } from "react";
import { useFilters } from "../lib/navigation";
import type { ListPage } from "../lib/types";
import { Icon } from "../ui/icon";

/** Opens the filters on small screens. */
export function FilterButton({ active }: ListPage) {
  const { length } = useFilters(active);
  return (
    <button type="button" className="filter-button" popoverTarget="filters">
      <Icon name="filter" />
      {length > 0 ? `Filters (${length})` : "Filters"}
    </button>
  );
}

/** The second click of a double one meets what was beside the removed filter until then. */
function ignoreSecond(event: MouseEvent): void {
  if (event.detail > 1) event.preventDefault();
}

/** The chosen filters, each of which can be removed. */
export function Chips({ active, clear_href }: ListPage) {
  const chosen = useFilters(active);
  if (chosen.length === 0) return null;
  return (
    <ul className="chips" aria-label="Active filters">
      {chosen.map(({ label, href }) => (
        <li key={href}>
          <a className="chip" href={href} data-keep-position="" onClick={ignoreSecond}>
            <span className="visually-hidden">Remove filter </span>
            {label}
            <Icon name="close" />
          </a>
        </li>
      ))}
      <li>
        <a className="link" href={clear_href} data-keep-position="" onClick={ignoreSecond}>
          Clear all
        </a>
      </li>
    </ul>
  );
}

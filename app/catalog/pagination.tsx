import type { ListPage } from "../lib/types";
import { Icon } from "../ui/icon";

export function Pagination({ pages, prev_href, next_href }: ListPage) {
  if (pages.length < 2) return null;
  return (
    <nav className="pagination" aria-label="Pages">
      {prev_href && (
        <a href={prev_href} rel="prev">
          <Icon name="arrow" />
          Previous
        </a>
      )}
      <ol>
        {pages.map(({ label, href, current, after_gap }) => (
          <li key={label} className={after_gap ? "after-gap" : undefined}>
            <a href={href} aria-label={`Page ${label}`} aria-current={current ? "page" : undefined}>
              {label}
            </a>
          </li>
        ))}
      </ol>
      {next_href && (
        <a href={next_href} rel="next">
          Next
          <Icon name="arrow" />
        </a>
      )}
    </nav>
  );
}

import type { ListPage } from "../lib/types";
import { Icon } from "../ui/icon";

export function Pagination({ pages, prev_href, next_href, page_count }: ListPage) {
  if (page_count < 2) return null;
  return (
    <nav className="pagination" aria-label="Pages">
      {prev_href && (
        <a className="pagination-step" href={prev_href} rel="prev">
          <Icon name="arrow" />
          Previous
        </a>
      )}
      <ol>
        {pages.map(({ label, href, current }, index) => {
          const before = pages[index - 1];
          const gap = before !== undefined && Number(label) - Number(before.label) > 1;
          return (
            <li key={label} className={gap ? "after-gap" : undefined}>
              <a
                href={href}
                aria-label={`Page ${label}`}
                aria-current={current ? "page" : undefined}
              >
                {label}
              </a>
            </li>
          );
        })}
      </ol>
      {next_href && (
        <a className="pagination-step" href={next_href} rel="next">
          Next
          <Icon name="arrow" />
        </a>
      )}
    </nav>
  );
}

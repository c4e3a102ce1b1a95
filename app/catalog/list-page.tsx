import type { ListPage as Props } from "../lib/types";
import { Breadcrumbs } from "../ui/breadcrumbs";
import { Icon } from "../ui/icon";
import { ProductGrid } from "../ui/product-grid";
import { Facets } from "./facets";
import { NothingFound } from "./nothing-found";
import { Pagination } from "./pagination";
import { Sort } from "./sort";

export default function ListPage(props: Props) {
  const {
    heading,
    description,
    breadcrumbs,
    children,
    total,
    items,
    sorts,
    active,
    clear_href,
    did_you_mean,
  } = props;
  const count = total === 1 ? "1 product" : `${total} products`;
  // An empty list without active filters has nothing to filter.
  const canFilter = total !== 0 || active.length > 0;
  return (
    <div className={canFilter ? "list list-filtered wrap" : "list wrap"}>
      <header className="list-head">
        {breadcrumbs.length > 0 && <Breadcrumbs links={breadcrumbs} />}
        <h1>{heading}</h1>
        {description && <p className="lede">{description}</p>}
        {did_you_mean && (
          <p className="lede">
            Did you mean <a href={did_you_mean.href}>{did_you_mean.label}</a>?
          </p>
        )}
        {children.length > 0 && (
          <nav aria-label="Subcategories">
            <ul className="list-children">
              {children.map(({ name, href, count }) => (
                <li key={href}>
                  <a href={href}>
                    {name} <span>{count}</span>
                  </a>
                </li>
              ))}
            </ul>
          </nav>
        )}
      </header>
      {canFilter && <Facets {...props} />}
      <section className="list-results" aria-labelledby="results">
        <div className="list-bar">
          <h2 id="results" className="list-count" aria-live="polite">
            {count}
          </h2>
          {canFilter && (
            <>
              <button type="button" className="filter-button" popoverTarget="filters">
                <Icon name="filter" />
                {active.length > 0 ? `Filters (${active.length})` : "Filters"}
              </button>
              <Sort sorts={sorts} />
            </>
          )}
        </div>
        {active.length > 0 && (
          <ul className="chips" aria-label="Active filters">
            {active.map(({ label, href }) => (
              <li key={href}>
                <a className="chip" href={href} data-keep-position="">
                  <span className="visually-hidden">Remove filter </span>
                  {label}
                  <Icon name="close" />
                </a>
              </li>
            ))}
            <li>
              <a className="link" href={clear_href} data-keep-position="">
                Clear all
              </a>
            </li>
          </ul>
        )}
        {total !== 0 ? <ProductGrid items={items} /> : <NothingFound {...props} />}
        <Pagination {...props} />
      </section>
    </div>
  );
}

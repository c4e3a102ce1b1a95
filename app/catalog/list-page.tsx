import type { ListPage as Props } from "../lib/types";
import { Breadcrumbs } from "../ui/breadcrumbs";
import { ProductGrid } from "../ui/product-grid";
import { Chips, FilterButton } from "./chosen";
import { Facets } from "./facets";
import { NothingFound } from "./nothing-found";
import { Pagination } from "./pagination";
import { Sort } from "./sort";

export default function ListPage(props: Props) {
  const { heading, description, breadcrumbs, children, total, items, sorts, active, did_you_mean } =
    props;
  const count = total === 1 ? "1 product" : `${total} products`;
  const order = sorts.find(({ selected }) => selected);
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
            <ul className="ways list-children">
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
              <FilterButton {...props} />
              {/* The key closes the menu when another order is selected. */}
              <Sort key={order?.value} sorts={sorts} />
            </>
          )}
        </div>
        <Chips {...props} />
        {total !== 0 ? (
          // Another list has new cards: those that only moved would count as shifted.
          <ProductGrid key={order?.href} items={items} />
        ) : (
          <NothingFound {...props} />
        )}
        <Pagination {...props} />
      </section>
    </div>
  );
}

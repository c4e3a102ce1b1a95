import type { ListPage } from "../lib/types";
import { CategoryLinks } from "../ui/category-links";
import { ProductGrid } from "../ui/product-grid";
import { SearchForm } from "../ui/search-form";

/** What to try when a list is empty. */
export function NothingFound({ active, clear_href, q, popular }: ListPage) {
  return (
    <>
      <div className="nothing">
        <h3>No products found</h3>
        {active.length > 0 ? (
          <p>
            No products match all of these filters. Remove a filter, or{" "}
            <a href={clear_href}>clear all filters</a>.
          </p>
        ) : (
          <p>
            {q
              ? "Try a shorter or more general word, or browse a category."
              : "Nothing is here yet. Browse another category."}
          </p>
        )}
        <SearchForm id="search-again" query={q} />
        <CategoryLinks />
      </div>
      {popular.length > 0 && (
        <section className="nothing-popular" aria-labelledby="popular">
          <h3 id="popular">Popular right now</h3>
          <ProductGrid items={popular} />
        </section>
      )}
    </>
  );
}

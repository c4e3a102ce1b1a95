import type { HomePage as Props } from "../lib/types";
import { ProductGrid } from "../ui/product-grid";
import { Departments } from "./departments";
import { Hero } from "./hero";
import { HouseRules } from "./house-rules";

const ROW = 4;

export default function HomePage({ hero, categories, new_arrivals, on_sale, featured }: Props) {
  return (
    <>
      <Hero hero={hero} categories={categories} />
      <Departments categories={categories} />
      {new_arrivals.length > 0 && (
        <section className="section wrap" aria-labelledby="new">
          <header className="section-head">
            <h2 id="new">Just in</h2>
            <a className="link" href="/products?sort=newest">
              Shop all new arrivals
            </a>
          </header>
          <ProductGrid items={new_arrivals} />
        </section>
      )}
      {featured && (
        <section className="feature" aria-labelledby="featured">
          <div className="feature-inner wrap">
            <header>
              <p className="label">Shop the collection</p>
              <h2 id="featured">{featured.title}</h2>
              <p>{featured.description}</p>
            </header>
            <ProductGrid items={featured.items.slice(0, ROW)} />
          </div>
        </section>
      )}
      {on_sale.length > 0 && (
        <section className="section wrap" aria-labelledby="sale">
          <header className="section-head">
            <h2 id="sale">On sale</h2>
            <a className="link" href="/products?sale=1">
              Shop all sale items
            </a>
          </header>
          <ProductGrid items={on_sale.slice(0, ROW)} />
        </section>
      )}
      <HouseRules />
    </>
  );
}

import type { CategoryCard } from "../lib/types";
import { Picture } from "../ui/picture";

/** The categories, laid out like the table of contents of a catalog. */
export function Departments({ categories }: { categories: CategoryCard[] }) {
  return (
    <section className="section departments wrap" aria-labelledby="departments">
      <header className="section-head">
        <h2 id="departments">Shop by category</h2>
        <a className="link" href="/products">
          Shop all
        </a>
      </header>
      <ol>
        {categories.map(({ name, href, description, count, picture }) => (
          <li key={href}>
            {picture && (
              <Picture picture={{ ...picture, alt: "" }} sizes="(min-width: 40rem) 9rem, 6rem" />
            )}
            <h3>
              <a href={href}>{name}</a>
            </h3>
            <p>{description}</p>
            <span className="departments-count">
              {count}
              <span className="visually-hidden">{count === 1 ? " product" : " products"}</span>
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
}

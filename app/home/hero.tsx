import type { CategoryCard, HomePage } from "../lib/types";
import { Picture } from "../ui/picture";

/** The server preloads the picture with the same `sizes`. */
const SIZES = "(min-width: 64rem) 50vw, 100vw";

interface Props {
  hero: HomePage["hero"];
  categories: CategoryCard[];
}

export function Hero({ hero, categories }: Props) {
  const { picture, product } = hero;
  const itemCount = categories.reduce((sum, { count }) => sum + count, 0);
  return (
    <section className="hero" aria-labelledby="hero">
      <div className="hero-text">
        <p className="label">An Ohio tobacconist</p>
        <h1 id="hero">Slow pleasures, well made.</h1>
        <p className="lede">
          Pipes, humidors, cutters, and the small tools around them, chosen for how they age and how
          they feel in the hand.
        </p>
        <p className="hero-actions">
          <a className="button button-primary" href="/products">
            Browse the shop
          </a>
          <span className="label">
            {`${itemCount} ${itemCount === 1 ? "product" : "products"} in ${categories.length} ${categories.length === 1 ? "category" : "categories"}`}
          </span>
        </p>
      </div>
      {picture && (
        <figure className="hero-figure">
          <Picture picture={picture} sizes={SIZES} fallback={1280} priority />
          {product && (
            <figcaption>
              <span className="label">Pictured</span>
              <a href={product.href}>{product.label}</a>
            </figcaption>
          )}
        </figure>
      )}
    </section>
  );
}

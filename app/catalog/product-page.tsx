import { memo, useState } from "react";
import { addItem } from "../lib/cart";
import { formatMoney } from "../lib/format";
import { replaceUrl } from "../lib/navigation";
import { painted } from "../lib/paint";
import { addToast } from "../lib/toast";
import type { ProductVariant, ProductPage as Props } from "../lib/types";
import { Breadcrumbs } from "../ui/breadcrumbs";
import { Button } from "../ui/button";
import { Price } from "../ui/price";
import { ProductGrid } from "../ui/product-grid";
import { Quantity } from "../ui/quantity";
import { Gallery } from "./gallery";
import { Options } from "./options";
import { Stock } from "./stock";
import { About, Details, Highlights } from "./story";

const TOAST_MS = 5000;

/** Other variants and quantities do not change these. */
const Related = memo(ProductGrid);
const Path = memo(Breadcrumbs);

/** The key resets the state for another product. */
export default function ProductPage(props: Props) {
  return <Product key={props.id} {...props} />;
}

function Product(props: Props) {
  const { title, subtitle, breadcrumbs, gallery, options, variants, story, related } = props;
  // Not of these variants once the page is fetched again: then the address decides.
  const [chosen, setChosen] = useState<ProductVariant>();
  const [chosenQuantity, setChosenQuantity] = useState(1);
  const variant =
    variants.find((each) => each === chosen) ??
    variants.find(({ sku }) => sku === props.selected) ??
    variants[0];
  if (!variant) throw new Error("No variant");
  const quantity = Math.min(chosenQuantity, variant.max_quantity);
  const available = variant.max_quantity > 0;

  function choose(next: ProductVariant): void {
    setChosen(next);
    replaceUrl(next.href);
  }

  return (
    <>
      <div className="product wrap">
        <Path links={breadcrumbs} current={title} />
        <Gallery gallery={gallery} current={variant.picture} />
        <div className="product-info">
          <h1 data-long={title.length > 60 || undefined}>{title}</h1>
          {subtitle && <p className="product-subtitle">{subtitle}</p>}
          <div className="product-price" aria-live="polite">
            <Price price={variant.price} compareAt={variant.compare_at_price} />
            <Stock variant={variant} />
          </div>
          <Options options={options} variants={variants} selected={variant} onChoose={choose} />
          <form
            method="post"
            action="/cart"
            className="product-buy"
            data-replay
            onSubmit={(event) => {
              event.preventDefault();
              void addToCart(props, variant, quantityIn(event.currentTarget, variant.max_quantity));
            }}
          >
            <input type="hidden" name="do" value="add" />
            <input type="hidden" name="id" value={variant.id} />
            {available && (
              <Quantity
                value={quantity}
                max={variant.max_quantity}
                label="Quantity"
                onChange={(n) => setChosenQuantity(n || 1)}
              />
            )}
            <Button type="submit" disabled={!available}>
              {available
                ? `Add to cart · ${formatMoney({ ...variant.price, amount: variant.price.amount * quantity })}`
                : "Sold out"}
            </Button>
          </form>
          <p className="restriction">
            <span aria-hidden="true">21+</span>
            {props.restriction}
          </p>
          <Highlights story={story} />
        </div>
        <About story={story} />
        <Details story={story} sku={variant.sku} />
      </div>
      {related.length > 0 && (
        <section className="section wrap" aria-labelledby="related">
          <header className="section-head">
            <h2 id="related">Pairs well with</h2>
          </header>
          <Related items={related} />
        </section>
      )}
    </>
  );
}

/** Read from the form, because it may have been typed before the scripts ran. */
function quantityIn(form: HTMLFormElement, max: number): number {
  const typed = Math.trunc(Number(new FormData(form).get("qty")));
  return Math.min(Math.max(typed || 1, 1), max);
}

async function addToCart(
  { title, gallery: { pictures } }: Props,
  variant: ProductVariant,
  quantity: number,
): Promise<void> {
  const picture = pictures[variant.picture] ?? pictures[0];
  if (!picture) return;
  // The frame that answers the press has no more to do than to show that it was pressed.
  await painted();
  const added = addItem(
    {
      id: variant.id,
      price: variant.price.amount,
      title,
      variant: variant.title,
      sku: variant.sku,
      href: variant.href,
      picture,
      max_quantity: variant.max_quantity,
      compare_at_price: variant.compare_at_price?.amount ?? null,
    },
    quantity,
  );
  const [summary, detail] = added
    ? ["Added to cart", `${added} × ${title}`]
    : added === null
      ? ["Your cart is full", `Remove an item to add “${title}”.`]
      : ["Already in your cart", `“${title}”: as many as you can order.`];
  addToast({
    severity: added ? "success" : "info",
    summary,
    detail,
    toCart: true,
    life: TOAST_MS,
  });
}

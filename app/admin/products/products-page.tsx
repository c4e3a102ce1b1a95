import { formatMoney, formatTime } from "../../lib/format";
import type { ProductItem, ProductsPage as Props } from "../../lib/types";
import { AdminLayout } from "../layout";
import { count, List } from "../parts/list";
import { PageHeader } from "../parts/page-header";
import { usePermission } from "../parts/permission";
import { useSelection } from "../parts/selection";
import { Tag } from "../parts/tag";
import { BulkActions } from "./bulk-actions";
import { PRODUCT } from "./status-labels";

export default function ProductsPage({ list, products, categories, classes }: Props) {
  const mayEdit = usePermission("edit_catalog");
  const selection = useSelection(list.query, list.total);
  const bulk = (
    <BulkActions
      selection={selection}
      query={list.query}
      categories={categories}
      classes={classes}
    />
  );
  return (
    <>
      <PageHeader title="Products">
        <a className="button button-quiet" href="/admin/products/groups">
          Categories
        </a>
        {mayEdit && (
          <>
            <a className="button button-quiet" href="/admin/products/import">
              Import
            </a>
            <a className="button button-primary" href="/admin/products/new">
              New product
            </a>
          </>
        )}
      </PageHeader>
      <List
        label="Products"
        list={list}
        rows={products}
        id={({ id }) => id}
        rowName={({ title }) => title}
        cell={cell}
        csv="/api/admin/products.csv"
        searchLabel="Search by title, handle, or SKU"
        empty="No products yet."
        {...(mayEdit && { selection, bulk })}
      />
    </>
  );
}

ProductsPage.Layout = AdminLayout;

function cell(product: ProductItem, column: string) {
  switch (column) {
    case "title":
      return (
        <a className="product-cell" href={`/admin/products/${product.id}`}>
          {product.picture ? (
            <img
              src={`/images/${product.picture}-160.webp`}
              alt=""
              width={40}
              height={40}
              loading="lazy"
            />
          ) : (
            <span className="product-cell-empty" />
          )}
          {product.title}
        </a>
      );
    case "status":
      return (
        <>
          <Tag of={PRODUCT[product.status]} />
          {product.publish_at && <small>{`from ${formatTime(product.publish_at)}`}</small>}
        </>
      );
    case "category":
      return product.category;
    case "class":
      return product.class;
    case "price": {
      const { lowest, highest } = product;
      if (!lowest || !highest) return "";
      return lowest.amount === highest.amount
        ? formatMoney(lowest)
        : `${formatMoney(lowest)} – ${formatMoney(highest)}`;
    }
    case "on_hand":
      return count(product.on_hand);
    case "skus":
      return product.skus;
    default:
      return <time dateTime={product.updated_at}>{formatTime(product.updated_at)}</time>;
  }
}

import { useState } from "react";
import { refresh } from "../../lib/navigation";
import type { CategoryItem, CollectionItem, ProductGroupsPage as Props } from "../../lib/types";
import { runAction } from "../../lib/use-save";
import { isConflict, staffCall } from "../call";
import { AdminLayout } from "../layout";
import { Dialog } from "../parts/dialog";
import { count } from "../parts/list";
import { PageHeader } from "../parts/page-header";
import { usePermission } from "../parts/permission";
import { CategoryForm, CollectionForm, StoredCollectionForm } from "./group-forms";

/** The category tree and the collections. */
export default function ProductGroupsPage({ categories, collections }: Props) {
  const mayEdit = usePermission("edit_catalog");
  const [category, setCategory] = useState<CategoryItem | "new" | null>(null);
  /** The id of a stored one. */
  const [collection, setCollection] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);

  /** One at a time: each raises the version that the next one sends. After a conflict, the page shows the current one. */
  async function move(name: string, send: () => Promise<unknown>): Promise<void> {
    setBusy(true);
    const sendOrRefresh = () =>
      send().catch(async (cause: unknown) => {
        if (isConflict(cause)) await refresh();
        throw cause;
      });
    await runAction(sendOrRefresh, `${name} moved.`);
    setBusy(false);
  }

  return (
    <>
      <PageHeader
        title="Categories and collections"
        links={[{ label: "Products", href: "/admin/products" }]}
      />
      <section className="panel groups" aria-labelledby="categories">
        <h2 id="categories">Categories</h2>
        <table className="admin-list">
          <thead>
            <tr>
              <th scope="col">Name</th>
              <th scope="col" className="group-address">
                Address
              </th>
              <th scope="col" className="is-number">
                Products
              </th>
              <th scope="col">
                <span className="visually-hidden">Actions</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {categories.map((item) => (
              <tr key={item.id}>
                <th scope="row" data-depth={item.depth}>
                  {item.form.name}
                </th>
                <td className="group-address">{item.form.slug}</td>
                <td className="is-number">{item.products}</td>
                <td className="group-acts">
                  {mayEdit && (
                    <>
                      <button
                        type="button"
                        className="link"
                        aria-label={`Move ${item.form.name} up`}
                        aria-disabled={busy || item.place === 0}
                        onClick={() => void move(item.form.name, () => moveCategoryUp(item))}
                      >
                        Up
                      </button>
                      <button
                        type="button"
                        className="link"
                        aria-label={`Edit ${item.form.name}`}
                        onClick={() => setCategory(item)}
                      >
                        Edit
                      </button>
                    </>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
        {mayEdit && (
          <p>
            <button
              type="button"
              className="button button-quiet"
              onClick={() => setCategory("new")}
            >
              New category
            </button>
          </p>
        )}
      </section>
      <section className="panel groups" aria-labelledby="collections">
        <h2 id="collections">Collections</h2>
        {collections.length > 0 && (
          <table className="admin-list">
            <thead>
              <tr>
                <th scope="col">Title</th>
                <th scope="col">Products</th>
                <th scope="col">
                  <span className="visually-hidden">Actions</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {collections.map((item, place) => (
                <tr key={item.id}>
                  <th scope="row">{item.form.title}</th>
                  <td>{someTitles(item) || "None yet"}</td>
                  <td className="group-acts">
                    {mayEdit && (
                      <>
                        <button
                          type="button"
                          className="link"
                          aria-label={`Move ${item.form.title} up`}
                          aria-disabled={busy || place === 0}
                          onClick={() =>
                            void move(item.form.title, () => moveCollectionUp(item, place))
                          }
                        >
                          Up
                        </button>
                        <button
                          type="button"
                          className="link"
                          aria-label={`Edit ${item.form.title}`}
                          onClick={() => setCollection(item.id)}
                        >
                          Edit
                        </button>
                      </>
                    )}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
        {mayEdit && (
          <p>
            <button
              type="button"
              className="button button-quiet"
              onClick={() => setCollection("new")}
            >
              New collection
            </button>
          </p>
        )}
      </section>
      <Dialog
        title={category === "new" ? "New category" : "Category"}
        open={category !== null}
        onClose={() => setCategory(null)}
      >
        {category && (
          <CategoryForm
            item={category === "new" ? null : category}
            all={categories}
            onDone={() => setCategory(null)}
          />
        )}
      </Dialog>
      <Dialog
        title={collection === "new" ? "New collection" : "Collection"}
        open={collection !== null}
        onClose={() => setCollection(null)}
      >
        {collection === "new" && <CollectionForm id={null} onDone={() => setCollection(null)} />}
        {collection !== null && collection !== "new" && (
          <StoredCollectionForm id={collection} onDone={() => setCollection(null)} />
        )}
      </Dialog>
    </>
  );
}

ProductGroupsPage.Layout = AdminLayout;

function someTitles({ titles, products }: CollectionItem): string {
  const shown = titles.join(", ");
  const others = products - titles.length;
  return others > 0 ? `${shown}, and ${count(others)} more` : shown;
}

function moveCategoryUp({ id, form, place }: CategoryItem): Promise<unknown> {
  const body = { ...form, place: place - 1 };
  return staffCall(`/api/admin/categories/${id}`, { method: "PUT", body });
}

function moveCollectionUp({ id, form }: CollectionItem, place: number): Promise<unknown> {
  const body = { ...form, place: place - 1 };
  return staffCall(`/api/admin/collections/${id}`, { method: "PUT", body });
}

import { useState } from "react";
import { ApiError } from "../../lib/api";
import { text } from "../../lib/form";
import { refresh } from "../../lib/navigation";
import { addToast } from "../../lib/toast";
import type { CategoryItem, CollectionItem } from "../../lib/types";
import { Button } from "../../ui/button";
import { Field, Labeled } from "../../ui/field";
import { FormProblem } from "../../ui/form-problem";
import { staffCall } from "../call";
import { Combobox } from "../parts/combobox";
import { toHandle } from "./product-content";

/** Saves or deletes a category or collection. `remove` is null for a new one, which cannot be deleted. */
function useGroup(remove: (() => Promise<unknown>) | null, onDone: () => void) {
  const [error, setError] = useState<ApiError | null>(null);
  const [busy, setBusy] = useState(false);
  async function run(call: () => Promise<unknown>, summary: string): Promise<void> {
    setBusy(true);
    try {
      await call();
      await refresh();
      onDone();
      addToast({ severity: "success", summary, life: 5_000 });
    } catch (cause) {
      if (!(cause instanceof ApiError)) throw cause;
      setError(cause);
    } finally {
      setBusy(false);
    }
  }
  return {
    busy,
    about: (field: string) => error?.about(field),
    /** An error that is about no field. */
    problem: error && error.status !== 422 ? error.message : undefined,
    save: (send: () => Promise<unknown>) => run(send, "Saved."),
    remove: remove && (() => run(remove, "Deleted.")),
  };
}

interface CategoryFormProps {
  item: CategoryItem | null;
  all: CategoryItem[];
  onDone: () => void;
}

export function CategoryForm({ item, all, onDone }: CategoryFormProps) {
  const version = item?.form.version ?? 0;
  const group = useGroup(
    item &&
      (() =>
        staffCall(`/api/admin/categories/${item.id}?version=${version}`, { method: "DELETE" })),
    onDone,
  );
  const [slug, setSlug] = useState(item?.form.slug ?? "");
  return (
    <form
      method="post"
      className="admin-form"
      onSubmit={(event) => {
        event.preventDefault();
        const data = new FormData(event.currentTarget);
        const parent_id = String(data.get("parent_id")) || null;
        const stays = item !== null && parent_id === item.form.parent_id;
        const siblings = all.filter(({ form }) => form.parent_id === parent_id).length;
        const body = {
          version,
          name: text(data, "name"),
          slug,
          description: text(data, "description"),
          parent_id,
          place: stays ? item.form.place : siblings,
        };
        void group.save(() =>
          item
            ? staffCall(`/api/admin/categories/${item.id}`, { method: "PUT", body })
            : staffCall("/api/admin/categories", { method: "POST", body }),
        );
      }}
    >
      <Field
        name="name"
        label="Name"
        defaultValue={item?.form.name}
        required
        problem={group.about("name")}
        onChange={({ target }) => item === null && setSlug(toHandle(target.value))}
      />
      <Field
        name="slug"
        label="Address"
        hint={
          item
            ? "Links to the old address redirect to the new one."
            : "The last part of the page’s address."
        }
        value={slug}
        onChange={({ target }) => setSlug(target.value)}
        problem={group.about("slug")}
      />
      <Labeled label="Parent category" problem={group.about("parent_id")}>
        {(control) => (
          <select
            name="parent_id"
            className="input"
            defaultValue={item?.form.parent_id ?? ""}
            {...control}
          >
            <option value="">None (top level)</option>
            {all
              .filter(({ id }) => id !== item?.id)
              .map(({ id, form, depth }) => (
                <option key={id} value={id}>
                  {"– ".repeat(depth) + form.name}
                </option>
              ))}
          </select>
        )}
      </Labeled>
      <Labeled label="Description" problem={group.about("description")}>
        {(control) => (
          <textarea
            name="description"
            className="input"
            rows={3}
            defaultValue={item?.form.description}
            {...control}
          />
        )}
      </Labeled>
      <GroupActs group={group} />
    </form>
  );
}

function GroupActs({ group }: { group: ReturnType<typeof useGroup> }) {
  const { remove } = group;
  return (
    <>
      <FormProblem problem={group.problem ?? group.about("products")} />
      <div className="admin-dialog-acts">
        {remove && (
          <button
            type="button"
            className="button button-danger"
            aria-disabled={group.busy}
            onClick={() => void remove()}
          >
            Delete
          </button>
        )}
        <Button type="submit" aria-disabled={group.busy}>
          Save
        </Button>
      </div>
    </>
  );
}

interface CollectionFormProps {
  item: CollectionItem | null;
  place: number;
  onDone: () => void;
}

export function CollectionForm({ item, place, onDone }: CollectionFormProps) {
  const version = item?.form.version ?? 0;
  const group = useGroup(
    item &&
      (() =>
        staffCall(`/api/admin/collections/${item.id}?version=${version}`, { method: "DELETE" })),
    onDone,
  );
  const [handle, setHandle] = useState(item?.form.handle ?? "");
  const [members, setMembers] = useState(
    item?.form.products.map((id, at) => ({ id, title: item.titles[at] ?? "" })) ?? [],
  );
  return (
    <form
      method="post"
      className="admin-form"
      onSubmit={(event) => {
        event.preventDefault();
        const data = new FormData(event.currentTarget);
        const body = {
          version,
          title: text(data, "title"),
          handle,
          description: text(data, "description"),
          place: item?.form.place ?? place,
          products: members.map(({ id }) => id),
        };
        void group.save(() =>
          item
            ? staffCall(`/api/admin/collections/${item.id}`, { method: "PUT", body })
            : staffCall("/api/admin/collections", { method: "POST", body }),
        );
      }}
    >
      <Field
        name="title"
        label="Title"
        defaultValue={item?.form.title}
        required
        problem={group.about("title")}
        onChange={({ target }) => item === null && setHandle(toHandle(target.value))}
      />
      <Field
        name="handle"
        label="Handle"
        value={handle}
        onChange={({ target }) => setHandle(target.value)}
        problem={group.about("handle")}
      />
      <Labeled label="Description" problem={group.about("description")}>
        {(control) => (
          <textarea
            name="description"
            className="input"
            rows={3}
            defaultValue={item?.form.description}
            {...control}
          />
        )}
      </Labeled>
      <fieldset>
        <legend className="label">Products</legend>
        <ol className="group-members">
          {members.map(({ id, title }, at) => (
            <li key={id}>
              <span>{title}</span>
              <button
                type="button"
                className="link"
                aria-label={`Move ${title} up`}
                aria-disabled={at === 0}
                onClick={() =>
                  setMembers((all) => {
                    const rest = all.filter((each) => each.id !== id);
                    return [...rest.slice(0, at - 1), { id, title }, ...rest.slice(at - 1)];
                  })
                }
              >
                Up
              </button>
              <button
                type="button"
                className="link"
                aria-label={`Remove ${title}`}
                onClick={() => setMembers((all) => all.filter((each) => each.id !== id))}
              >
                Remove
              </button>
            </li>
          ))}
        </ol>
        <Combobox
          label="Add a product"
          fetchMatches={async (query, signal) =>
            (await staffCall(`/api/admin/search?${query}`, { signal })).products
          }
          id={({ href }) => href}
          show={({ label }) => label}
          onChoose={({ href, label }) => {
            const id = href.replace(/.*\//, "");
            setMembers((all) =>
              all.some((each) => each.id === id) ? all : [...all, { id, title: label }],
            );
          }}
        />
      </fieldset>
      <GroupActs group={group} />
    </form>
  );
}

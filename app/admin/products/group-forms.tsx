import { type FormEvent, useState } from "react";
import { ApiError } from "../../lib/api";
import { refresh } from "../../lib/navigation";
import { addToast } from "../../lib/toast";
import type {
  CategoryForm as CategoryInput,
  CategoryItem,
  CollectionForm as CollectionInput,
  CollectionItem,
} from "../../lib/types";
import { Button } from "../../ui/button";
import { Field, Labeled } from "../../ui/field";
import { FormProblem } from "../../ui/form-problem";
import { staffCall } from "../call";
import { Combobox } from "../parts/combobox";
import { ConflictNote, isConflict } from "./conflict-note";
import { changedFields, mergeFields } from "./merge";
import { toHandle } from "./product-content";
import { swapped } from "./variant-changes";

interface Item<Input> {
  id: string;
  form: Input;
}

/**
 * The input of a form for one of `all` categories or collections, or for a new one, and what becomes of it. It is based on
 * the item as it was when the form was opened, or when a conflict was resolved.
 */
function useGroup<Input extends { version: number }>(
  item: Item<Input> | null,
  all: Item<Input>[],
  empty: Input,
  onDone: () => void,
) {
  const [base, setBase] = useState(item?.form ?? empty);
  const [input, setInput] = useState(base);
  const [error, setError] = useState<ApiError | null>(null);
  const [busy, setBusy] = useState(false);
  const current = isConflict(error) ? all.find(({ id }) => id === item?.id)?.form : undefined;
  // If the page could not be fetched again, the message says what to do.
  const latest = current && current.version > base.version ? current : undefined;

  async function run(call: () => Promise<unknown>, summary: string): Promise<void> {
    setBusy(true);
    try {
      await call();
      await refresh();
      onDone();
      addToast({ severity: "success", summary, life: 5_000 });
    } catch (cause) {
      if (!(cause instanceof ApiError)) throw cause;
      if (isConflict(cause)) await refresh();
      setError(cause);
    } finally {
      setBusy(false);
    }
  }
  function goOn(next: Input): void {
    if (latest) setBase(latest);
    setInput(next);
    setError(null);
  }
  return {
    base,
    input,
    set: (fields: Partial<Input>) => setInput((now) => ({ ...now, ...fields })),
    error,
    busy,
    /** What someone else has saved in the meantime. */
    latest,
    goOn,
    run,
    about: (field: string) => error?.about(field),
  };
}

interface ActsProps<Input extends { version: number }> {
  what: "category" | "collection";
  group: ReturnType<typeof useGroup<Input>>;
  /** Null for a new one, which cannot be deleted. */
  remove: (() => Promise<unknown>) | null;
}

function GroupActs<Input extends { version: number }>({ what, group, remove }: ActsProps<Input>) {
  const { base, input, latest, error, busy, goOn, run } = group;
  const merged = latest && mergeFields(base, input, latest);
  return (
    <>
      {merged ? (
        <ConflictNote
          what={what}
          changed={changedFields(base, latest).filter((field) => field !== "version")}
          both={merged.both}
          onKeep={() => goOn(merged.content)}
          onDiscard={() => goOn(latest)}
        />
      ) : (
        <FormProblem problem={problemOf(error)} />
      )}
      <div className="admin-dialog-acts">
        {remove && (
          <button
            type="button"
            className="button button-danger"
            aria-disabled={busy}
            onClick={() => void run(remove, "Deleted.")}
          >
            Delete
          </button>
        )}
        <Button type="submit" aria-disabled={busy}>
          Save
        </Button>
      </div>
    </>
  );
}

/** An error that is about no field of the form. */
function problemOf(error: ApiError | null): string | undefined {
  if (error?.status === 413)
    return "This is too long. Shorten the description, or put products into the collection in their editors or by an import.";
  return error?.status === 422 ? error.about("products") : error?.message;
}

interface CategoryFormProps {
  item: CategoryItem | null;
  all: CategoryItem[];
  onDone: () => void;
}

const NEW_CATEGORY: CategoryInput = {
  version: 0,
  name: "",
  slug: "",
  description: "",
  parent_id: null,
  place: null,
};

export function CategoryForm({ item, all, onDone }: CategoryFormProps) {
  const group = useGroup(item, all, NEW_CATEGORY, onDone);
  const { base, input, set, about } = group;
  const remove =
    item &&
    (() =>
      staffCall(`/api/admin/categories/${item.id}?version=${base.version}`, { method: "DELETE" }));
  function save(event: FormEvent): void {
    event.preventDefault();
    const send = () =>
      item
        ? staffCall(`/api/admin/categories/${item.id}`, { method: "PUT", body: input })
        : staffCall("/api/admin/categories", { method: "POST", body: input });
    void group.run(send, "Saved.");
  }
  return (
    <form method="post" className="admin-form" onSubmit={save}>
      <Field
        name="name"
        label="Name"
        value={input.name}
        required
        problem={about("name")}
        onChange={({ target: { value } }) =>
          set(item ? { name: value } : { name: value, slug: toHandle(value) })
        }
      />
      <Field
        name="slug"
        label="Address"
        hint={
          item
            ? "Links to the old address redirect to the new one."
            : "The last part of the page’s address."
        }
        value={input.slug}
        onChange={({ target }) => set({ slug: target.value })}
        problem={about("slug")}
      />
      <Labeled label="Parent category" problem={about("parent_id")}>
        {(control) => (
          <select
            name="parent_id"
            className="input"
            value={input.parent_id ?? ""}
            onChange={({ target }) => set({ parent_id: target.value || null })}
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
      <Labeled label="Description" problem={about("description")}>
        {(control) => (
          <textarea
            name="description"
            className="input"
            rows={3}
            value={input.description}
            onChange={({ target }) => set({ description: target.value })}
            {...control}
          />
        )}
      </Labeled>
      <GroupActs what="category" group={group} remove={remove} />
    </form>
  );
}

interface CollectionFormProps {
  item: CollectionItem | null;
  all: CollectionItem[];
  onDone: () => void;
}

const NEW_COLLECTION: CollectionInput = {
  version: 0,
  title: "",
  handle: "",
  description: "",
  place: null,
  products: [],
};

export function CollectionForm({ item, all, onDone }: CollectionFormProps) {
  const group = useGroup(item, all, NEW_COLLECTION, onDone);
  const { base, input, set, about } = group;
  const [added, setAdded] = useState<Record<string, string>>({});
  const latest = all.find(({ id }) => id === item?.id);
  const titles = { ...titlesOf(item), ...titlesOf(latest), ...added };
  const members = input.products;
  const remove =
    item &&
    (() =>
      staffCall(`/api/admin/collections/${item.id}?version=${base.version}`, { method: "DELETE" }));
  function save(event: FormEvent): void {
    event.preventDefault();
    const send = () =>
      item
        ? staffCall(`/api/admin/collections/${item.id}`, { method: "PUT", body: input })
        : staffCall("/api/admin/collections", { method: "POST", body: input });
    void group.run(send, "Saved.");
  }
  return (
    <form method="post" className="admin-form" onSubmit={save}>
      <Field
        name="title"
        label="Title"
        value={input.title}
        required
        problem={about("title")}
        onChange={({ target: { value } }) =>
          set(item ? { title: value } : { title: value, handle: toHandle(value) })
        }
      />
      <Field
        name="handle"
        label="Handle"
        value={input.handle}
        onChange={({ target }) => set({ handle: target.value })}
        problem={about("handle")}
      />
      <Labeled label="Description" problem={about("description")}>
        {(control) => (
          <textarea
            name="description"
            className="input"
            rows={3}
            value={input.description}
            onChange={({ target }) => set({ description: target.value })}
            {...control}
          />
        )}
      </Labeled>
      <fieldset>
        <legend className="label">Products</legend>
        <ol className="group-members">
          {members.map((id, at) => (
            <li key={id}>
              <span>{titles[id]}</span>
              <button
                type="button"
                className="link"
                aria-label={`Move ${titles[id]} up`}
                aria-disabled={at === 0}
                onClick={() => set({ products: swapped(members, at - 1) })}
              >
                Up
              </button>
              <button
                type="button"
                className="link"
                aria-label={`Remove ${titles[id]}`}
                onClick={() => set({ products: members.filter((each) => each !== id) })}
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
            setAdded((now) => ({ ...now, [id]: label }));
            if (!members.includes(id)) set({ products: [...members, id] });
          }}
        />
      </fieldset>
      <GroupActs what="collection" group={group} remove={remove} />
    </form>
  );
}

/** Titles of the products in a collection, by id. */
function titlesOf(item: CollectionItem | null | undefined): Record<string, string> {
  const { form, titles } = item ?? { form: NEW_COLLECTION, titles: [] };
  return Object.fromEntries(form.products.map((id, at) => [id, titles[at] ?? ""]));
}

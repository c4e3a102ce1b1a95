import { type FormEvent, useEffect, useLayoutEffect, useRef, useState } from "react";
import type { ApiError } from "../../lib/api";
import { refresh } from "../../lib/navigation";
import { addToast } from "../../lib/toast";
import type {
  CategoryForm as CategoryInput,
  CategoryItem,
  CollectionForm as CollectionInput,
  CollectionView,
} from "../../lib/types";
import { Button } from "../../ui/button";
import { Field, Labeled } from "../../ui/field";
import { FormProblem } from "../../ui/form-problem";
import { failure, isConflict, staffCall, tellFailure } from "../call";
import { Combobox } from "../parts/combobox";
import { count } from "../parts/list";
import { useRefusal } from "../parts/use-refusal";
import { ConflictNote } from "./conflict-note";
import { DeleteGroup, type Deletion } from "./delete-group";
import { CATEGORY_LABELS, COLLECTION_LABELS } from "./field-labels";
import { changedFields, mergeFields } from "./merge";
import { followTitle } from "./product-content";
import { sendAtVersion } from "./send-at-version";
import { swapped } from "./variant-changes";

/**
 * The input of a form for a category or collection, or for a new one, and what becomes of it. It is based on the item as it
 * was when the form was opened, or when a conflict was resolved. `current` is the item as it is known by now, undefined for a
 * new one; `fetchLatest` fetches it anew.
 */
function useGroup<Input extends { version: number }>(
  current: Input | undefined,
  fetchLatest: () => Promise<Input | undefined>,
  empty: Input,
  onDone: () => void,
) {
  const [base, setBase] = useState(current ?? empty);
  const [input, setInput] = useState(base);
  const [error, setError] = useState<ApiError | null>(null);
  const [busy, setBusy] = useState(false);
  /** Null once the dialog is closed, even while a request is running. */
  const form = useRefusal(error);
  const theirs = isConflict(error) ? current : undefined;
  // If it could not be fetched again, the message says what to do.
  const latest = theirs && theirs.version > base.version ? theirs : undefined;

  /** `wanted` is what becomes of the item, if it stays. */
  async function run(
    send: (version: number) => Promise<unknown>,
    summary: string,
    wanted?: Input,
  ): Promise<void> {
    setBusy(true);
    try {
      await sendAtVersion(base, send, fetchLatest, wanted);
      await refresh();
      // Otherwise it would close the dialog that is open now.
      if (form.current) onDone();
      addToast({ severity: "success", summary, life: 5_000 });
    } catch (cause) {
      if (form.current) setError(failure(cause));
      else tellFailure(cause);
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
    form,
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
  labels: Record<string, string>;
  group: ReturnType<typeof useGroup<Input>>;
  /** Null for a new one, which cannot be deleted. */
  deletion: Deletion | null;
}

function GroupActs<Input extends { version: number }>(props: ActsProps<Input>) {
  const { what, labels, group, deletion } = props;
  const { base, input, latest, error, busy, goOn, run } = group;
  const merged = latest && mergeFields(base, input, latest);
  return (
    <>
      {merged ? (
        <ConflictNote
          what={what}
          labels={labels}
          changed={changedFields(base, latest)}
          both={merged.both}
          onKeep={() => goOn(merged.content)}
          onDiscard={() => goOn(latest)}
        />
      ) : (
        <FormProblem problem={problemOf(error)} />
      )}
      <div className="admin-dialog-acts">
        {deletion && (
          <DeleteGroup
            what={what}
            deletion={deletion}
            busy={busy}
            onConfirm={() => run(deletion.send, "Deleted.")}
          />
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
  const current = all.find(({ id }) => id === item?.id)?.form;
  const refreshed = useRef(current);
  useLayoutEffect(() => {
    refreshed.current = current;
  }, [current]);
  const fetchLatest = async () => {
    await refresh();
    return refreshed.current;
  };
  const group = useGroup(current, fetchLatest, NEW_CATEGORY, onDone);
  const { base, input, set, about } = group;
  const deletion = item && {
    name: base.name,
    effect:
      "Only an empty category can be deleted. Links to its page will lead to the category above it, if there is one.",
    send: (version: number) =>
      staffCall(`/api/admin/categories/${item.id}?version=${version}`, { method: "DELETE" }),
  };
  function save(event: FormEvent): void {
    event.preventDefault();
    const send = (version: number) => {
      const body = { ...input, version };
      return item
        ? staffCall(`/api/admin/categories/${item.id}`, { method: "PUT", body })
        : staffCall("/api/admin/categories", { method: "POST", body });
    };
    void group.run(send, "Saved.", input);
  }
  return (
    <form method="post" ref={group.form} className="admin-form" onSubmit={save}>
      <Field
        name="name"
        label={CATEGORY_LABELS.name}
        value={input.name}
        required
        problem={about("name")}
        onChange={({ target: { value } }) =>
          set(
            item
              ? { name: value }
              : { name: value, slug: followTitle(input.slug, input.name, value) },
          )
        }
      />
      <Field
        name="slug"
        label={CATEGORY_LABELS.slug}
        hint={
          item
            ? "Links to the old address redirect to the new one."
            : "The last part of the page’s address."
        }
        value={input.slug}
        onChange={({ target }) => set({ slug: target.value })}
        problem={about("slug")}
      />
      <Labeled label={CATEGORY_LABELS.parent_id} problem={about("parent_id")}>
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
      <Labeled label={CATEGORY_LABELS.description} problem={about("description")}>
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
      <GroupActs what="category" labels={CATEGORY_LABELS} group={group} deletion={deletion} />
    </form>
  );
}

/** The form of a collection, which may have many products: they are fetched when it opens. */
export function StoredCollectionForm({ id, onDone }: { id: string; onDone: () => void }) {
  const [opened, setOpened] = useState<CollectionView | null>(null);
  const [problem, setProblem] = useState<string>();
  useEffect(() => {
    const abort = new AbortController();
    staffCall(pathOf(id), { signal: abort.signal }).then(setOpened, (error: unknown) => {
      if (abort.signal.aborted) return;
      setProblem(failure(error).message);
    });
    return () => abort.abort();
  }, [id]);
  if (opened) return <CollectionForm id={id} opened={opened} onDone={onDone} />;
  return problem ? <FormProblem problem={problem} /> : <p role="status">Loading…</p>;
}

const pathOf = (id: string) => `/api/admin/collections/${id}` as const;

interface CollectionFormProps {
  /** Null for a new one. */
  id: string | null;
  opened?: CollectionView;
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

export function CollectionForm({ id, opened, onDone }: CollectionFormProps) {
  const [current, setCurrent] = useState(opened);
  const fetchLatest = async () => {
    if (id === null) return undefined;
    // Without it, the conflict is told. The page, too, shows what has changed.
    const [latest] = await Promise.all([staffCall(pathOf(id)).catch(() => undefined), refresh()]);
    if (latest) setCurrent(latest);
    return latest?.form;
  };
  const group = useGroup(current?.form, fetchLatest, NEW_COLLECTION, onDone);
  const { base, input, set, about } = group;
  const [added, setAdded] = useState<Record<string, string>>({});
  const titles = { ...titlesOf(opened), ...titlesOf(current), ...added };
  const members = input.products ?? [];
  const had = base.products?.length ?? 0;
  const deletion = id !== null && {
    name: base.title,
    effect: had > 0 ? `Its products (${count(had)}) stay in the shop.` : "It has no products.",
    send: (version: number) => staffCall(`${pathOf(id)}?version=${version}`, { method: "DELETE" }),
  };
  function save(event: FormEvent): void {
    event.preventDefault();
    const send = (version: number) => {
      const products = input.products === base.products ? null : input.products;
      const body = { ...input, products, version };
      return id === null
        ? staffCall("/api/admin/collections", { method: "POST", body })
        : staffCall(pathOf(id), { method: "PUT", body });
    };
    void group.run(send, "Saved.", input);
  }
  return (
    <form method="post" ref={group.form} className="admin-form" onSubmit={save}>
      <Field
        name="title"
        label={COLLECTION_LABELS.title}
        value={input.title}
        required
        problem={about("title")}
        onChange={({ target: { value } }) =>
          set(
            id === null
              ? { title: value, handle: followTitle(input.handle, input.title, value) }
              : { title: value },
          )
        }
      />
      <Field
        name="handle"
        label={COLLECTION_LABELS.handle}
        value={input.handle}
        onChange={({ target }) => set({ handle: target.value })}
        problem={about("handle")}
      />
      <Labeled label={COLLECTION_LABELS.description} problem={about("description")}>
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
        <legend className="label">{COLLECTION_LABELS.products}</legend>
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
      <GroupActs
        what="collection"
        labels={COLLECTION_LABELS}
        group={group}
        deletion={deletion || null}
      />
    </form>
  );
}

/** Titles of the products in a collection, by id. */
function titlesOf(collection: CollectionView | undefined): Record<string, string> {
  const products = collection?.form.products ?? [];
  return Object.fromEntries(products.map((id, at) => [id, collection?.titles[at] ?? ""]));
}

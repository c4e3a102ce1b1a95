import { type FormEvent, useCallback, useRef, useState } from "react";
import { ApiError } from "../../lib/api";
import { formatTime } from "../../lib/format";
import { navigate, replaceUrl } from "../../lib/navigation";
import { addToast } from "../../lib/toast";
import type {
  MovementItem,
  ProductContent,
  ProductView,
  ProductEditorPage as Props,
  StockState,
} from "../../lib/types";
import { isConflict, staffCall, tellFailure } from "../call";
import { AdminLayout } from "../layout";
import { PageHeader } from "../parts/page-header";
import { usePermission } from "../parts/permission";
import { ScrollArea } from "../parts/scroll-area";
import { Tag } from "../parts/tag";
import { mayLeave, useUnsavedGuard } from "../parts/unsaved";
import { useRefusal } from "../parts/use-refusal";
import { ConflictNote } from "./conflict-note";
import { DescriptionPanel } from "./description-panel";
import { PRODUCT_LABELS } from "./field-labels";
import { History } from "./history";
import { useLatestPage } from "./latest-page";
import { changedFields } from "./merge";
import { PicturesPanel } from "./pictures-panel";
import {
  asCreated,
  emptyContent,
  isStored,
  mergeChanges,
  onceSaved,
  withPictures,
} from "./product-content";
import { PublishingPanel } from "./publishing-panel";
import { SearchListingPanel } from "./search-listing-panel";
import { PRODUCT } from "./status-labels";
import { VariantsPanel } from "./variants-panel";

/** Milliseconds: as long as the server works on a call. */
const SAVE_LIMIT = 30_000;

/** Errors that are about no single field, each with the heading below which it is told. */
const OF_PANELS = [
  ["pictures", "pictures"],
  ["options", "variants"],
  ["variants", "variants"],
] as const;

/** A product that was created here: the key of its editor, and the page's data then. */
interface Created {
  id: string;
  key: string;
  page: Props["categories"];
}

export default function ProductEditorPage(props: Props) {
  const [created, setCreated] = useState<Created | null>(null);
  const key = keyOf(props, created);
  return (
    <Editor
      key={key}
      {...props}
      onCreated={(id) => setCreated({ id, key, page: props.categories })}
    />
  );
}

/** The key resets the editor for another product. One that was created here stays when the page is fetched again. */
function keyOf({ product, categories }: Props, created: Created | null): string {
  if (product) return product.id === created?.id ? created.key : product.id;
  if (!created) return "new";
  return categories === created.page ? created.key : `after ${created.id}`;
}

ProductEditorPage.Layout = AdminLayout;

function Editor(props: Props & { onCreated: (id: string) => void }) {
  const mayEdit = usePermission("edit_catalog");
  const [page, updatePage] = useLatestPage(props);
  const { categories, classes, collections, history, movements, origin } = page;
  const [stored, setStored] = useState<ProductView | null>(props.product);
  const [content, setContent] = useState<ProductContent>(props.product?.content ?? emptyContent);
  const [error, setError] = useState<ApiError | null>(null);
  const [theirs, setTheirs] = useState<ProductView | null>(null);
  const [busy, setBusy] = useState(false);
  const [isDuplicating, setDuplicating] = useState(false);
  /** Something was typed into the focused field, which may take it only when it is left. */
  const [isTyping, setTyping] = useState(false);
  /** How many groups of images are being uploaded; each is a change once it is there. */
  const [uploading, setUploading] = useState(0);
  /** The id of a new product once it was sent: if the answer is lost, it may have been created. */
  const sentId = useRef<string | null>(null);
  /** The id of a copy once it was asked for, with the version that is copied: it may have been created, too. */
  const copied = useRef({ version: 0, id: "" });
  const form = useRefusal<HTMLDivElement>(error);
  const readOnly = !mayEdit;
  const base = stored?.content ?? emptyContent;
  const isDirty = isTyping || changedFields(base, content).length > 0;
  useUnsavedGuard(isDirty || uploading > 0);

  const set = useCallback(
    (fields: Partial<ProductContent>) => setContent((now) => ({ ...now, ...fields })),
    [],
  );
  const showProduct = (product: ProductView) => {
    setStored(product);
    setContent(product.content);
    setError(null);
    setTheirs(null);
  };
  const setStock = (levels: Record<string, StockState>) =>
    setStored(
      (now) =>
        now && {
          ...now,
          stock: now.stock.map((level, at) => levels[now.content.variants[at]?.id ?? ""] ?? level),
        },
    );

  async function create(sent: ProductContent): Promise<ProductView> {
    const wasSent = sentId.current !== null;
    sentId.current ??= crypto.randomUUID();
    const product = await staffCall(`/api/admin/products?id=${sentId.current}`, {
      method: "POST",
      body: requestContent(sent),
      timeout: SAVE_LIMIT,
    });
    // It may have been created before, with what was in the editor then.
    return wasSent ? update(product, asCreated(sent, product.content)) : product;
  }

  /** Resolves with null if someone else has changed the product. */
  async function store(sent: ProductContent): Promise<ProductView | null> {
    if (!stored) return create(sent);
    try {
      return await update(stored, sent);
    } catch (cause) {
      if (!isConflict(cause)) throw cause;
      const now = await staffCall(`/api/admin/products/${stored.id}`);
      if (isStored(stored.content, sent, now.content)) return now;
      // Theirs may be in a collection that is new.
      await updatePage(now.id);
      setTheirs(now);
      return null;
    }
  }

  /** Tells an error in a toast; to those who have left in the meantime, also what it is about. */
  function tell(message: string): void {
    const notSaved = {
      summary: `${content.title || "The product"} was not saved.`,
      detail: message,
    };
    addToast({ severity: "error", ...(form.current ? { summary: message } : notSaved) });
  }

  async function save(): Promise<void> {
    setBusy(true);
    // Blank details are not stored. They leave the editor now, so that a refusal names the others by the same places.
    const details = content.details.filter(({ label, value }) => label.trim() || value.trim());
    const sent = { ...content, details };
    set({ details });
    try {
      const product = await store(sent);
      if (!product) {
        if (!form.current) tell("Someone else has changed this product.");
        return;
      }
      // Who has left in the meantime stays where they are: the address is another page’s.
      const isHere = form.current !== null;
      if (!stored && isHere) {
        replaceUrl(`/admin/products/${product.id}`);
        props.onCreated(product.id);
      }
      setStored(product);
      setContent((now) => onceSaved(sent, now, product.content));
      setError(null);
      setTheirs(null);
      // History and stock movements are the page’s.
      if (isHere) await updatePage(product.id);
      addToast({ severity: "success", summary: `${product.content.title} saved.`, life: 5_000 });
    } catch (cause) {
      if (!(cause instanceof ApiError)) throw cause;
      setError(cause);
      if (cause.status !== 422 || !form.current) tell(cause.message);
    } finally {
      setBusy(false);
    }
  }

  async function duplicate(): Promise<void> {
    if (!stored || !mayLeave()) return;
    setDuplicating(true);
    try {
      if (copied.current.version !== stored.version) {
        copied.current = { version: stored.version, id: crypto.randomUUID() };
      }
      const copy = await staffCall(
        `/api/admin/products/${stored.id}/duplicate?id=${copied.current.id}`,
        { method: "POST" },
      );
      // Who has left in the meantime stays where they are, with what they have typed there.
      if (form.current) await navigate(`/admin/products/${copy.id}`);
      else
        addToast({ severity: "success", summary: `${copy.content.title} created.`, life: 5_000 });
    } catch (cause) {
      tellFailure(cause);
    } finally {
      setDuplicating(false);
    }
  }

  const about = (field: string) => error?.about(field);
  const editing = { content, set, about, readOnly };
  const problems = Object.keys(error?.problem?.errors ?? {}).length;
  const status = stored?.content.status;
  const typingHandlers = {
    onInput: ({ target }: FormEvent<HTMLElement>) =>
      setTyping(
        target === document.activeElement &&
          !(target as Element).closest("dialog, [role=combobox]"),
      ),
    onFocus: () => setTyping(false),
    onBlur: () => setTyping(false),
  };
  const merged = theirs && stored && mergeChanges(stored.content, content, theirs.content);
  return (
    <div
      ref={form}
      className="product-editor"
      data-read-only={readOnly || undefined}
      {...typingHandlers}
    >
      <PageHeader
        title={stored?.content.title || "New product"}
        links={[{ label: "Products", href: "/admin/products" }]}
        note={status && <Tag of={PRODUCT[status]} />}
      >
        {status === "active" && (
          <a className="button button-quiet" href={`/product/${stored?.content.handle}`}>
            View in shop
          </a>
        )}
        {mayEdit && stored && (
          <button
            type="button"
            className="button button-quiet"
            aria-disabled={isDuplicating}
            onClick={() => void duplicate()}
          >
            Duplicate
          </button>
        )}
        {mayEdit && (
          <button
            type="button"
            className="button button-primary"
            aria-disabled={busy || !isDirty}
            onClick={() => void save()}
          >
            {busy ? "Saving…" : "Save"}
          </button>
        )}
      </PageHeader>
      {readOnly && (
        <p className="editor-note">You can look at this product; admins can change it.</p>
      )}
      {problems > 0 && (
        <div className="editor-note" data-tone="bad" role="alert">
          <p>
            {`Not saved: ${problems === 1 ? "one field needs" : `${problems} fields need`} your attention.`}
          </p>
          {OF_PANELS.map(
            ([field, panel]) =>
              about(field) && (
                <p key={field}>
                  <a href={`#${panel}`}>{about(field)}</a>
                </p>
              ),
          )}
        </div>
      )}
      {merged && (
        <ConflictNote
          what="product"
          labels={PRODUCT_LABELS}
          changed={changedFields(stored.content, theirs.content)}
          both={merged.both}
          onKeep={() => {
            setStored(theirs);
            setContent(merged.content);
            setTheirs(null);
          }}
          onDiscard={() => showProduct(theirs)}
        />
      )}
      <div className="editor-columns">
        <div>
          <DescriptionPanel {...editing} isNew={stored === null} />
          <PicturesPanel
            content={content}
            about={about}
            readOnly={readOnly}
            change={(make) => setContent((now) => withPictures(now, make(now.pictures)))}
            onUploading={(by) => setUploading((now) => now + by)}
          />
        </div>
        <div>
          <PublishingPanel
            {...editing}
            categories={categories}
            classes={classes}
            collections={collections}
          />
          <SearchListingPanel
            {...editing}
            origin={origin}
            wasReleased={stored?.was_released ?? false}
          />
        </div>
      </div>
      <VariantsPanel
        {...editing}
        stock={stored ? stockLevels(stored) : {}}
        onStock={async ({ id, state }) => {
          setStock({ [id]: state });
          if (stored) await updatePage(stored.id);
        }}
        onStaleStock={async () => {
          if (!stored) return;
          setStock(stockLevels(await staffCall(`/api/admin/products/${stored.id}`)));
          await updatePage(stored.id);
        }}
      />
      {movements.length > 0 && <Movements movements={movements} />}
      {history.length > 0 && <History history={history} />}
    </div>
  );
}

/** The stock levels of a product's variants, by id. */
function stockLevels({ content, stock }: ProductView): Record<string, StockState> {
  const levels: Record<string, StockState> = {};
  content.variants.forEach(({ id }, at) => {
    const level = stock[at];
    if (id && level) levels[id] = level;
  });
  return levels;
}

function update({ id, version }: ProductView, content: ProductContent): Promise<ProductView> {
  return staffCall(`/api/admin/products/${id}`, {
    method: "PUT",
    body: { version, content: requestContent(content) },
    timeout: SAVE_LIMIT,
  });
}

/** Replaces an empty category with a nil id: the server rejects a malformed id without naming the field. */
function requestContent(content: ProductContent): ProductContent {
  return { ...content, category_id: content.category_id || "00000000-0000-0000-0000-000000000000" };
}

function Movements({ movements }: { movements: MovementItem[] }) {
  return (
    <section className="panel" aria-labelledby="movements">
      <h2 id="movements">Stock movements</h2>
      <ScrollArea label="Table of stock movements">
        <table className="admin-list">
          <thead>
            <tr>
              <th scope="col">When</th>
              <th scope="col">SKU</th>
              <th scope="col" className="is-number">
                Change
              </th>
              <th scope="col">Why</th>
              <th scope="col">Who</th>
            </tr>
          </thead>
          <tbody>
            {movements.map(({ at, sku, quantity, reason, note, order, actor }, nth) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: movements have no ids, and their rows no state.
              <tr key={nth}>
                <td>{formatTime(at)}</td>
                <td>{sku}</td>
                <td className="is-number">{quantity > 0 ? `+${quantity}` : quantity}</td>
                <td>
                  {reason.replaceAll("_", " ")}
                  {note && <small>{note}</small>}
                </td>
                <td>{order ? <a href={`/admin/orders/${order}`}>{order}</a> : actor}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollArea>
    </section>
  );
}

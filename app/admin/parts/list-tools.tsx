import { type ChangeEvent, type MouseEvent, type ToggleEvent, useRef, useState } from "react";
import type { ApiError } from "../../lib/api";
import { text } from "../../lib/form";
import { refresh } from "../../lib/navigation";
import { addToast } from "../../lib/toast";
import type { FilterView, ListView, SavedView } from "../../lib/types";
import { Button } from "../../ui/button";
import { Field } from "../../ui/field";
import { Icon } from "../../ui/icon";
import { useDismiss } from "../../ui/use-dismiss";
import { failure, staffCall, tellFailure } from "../call";
import { AdminIcon } from "./admin-icon";
import { Dialog } from "./dialog";
import { useScrollToCurrent } from "./scroll-to-current";
import { useBusy } from "./use-busy";

/** Search, filters, columns, and views of a list: one GET form, so that it works without scripts. */
export function ListTools({ list, searchLabel }: { list: ListView; searchLabel: string }) {
  const { path, q, sort, filters, columns, is_filtered } = list;
  const form = useRef<HTMLFormElement>(null);
  useDismiss(form);
  return (
    <>
      <Views list={list} />
      <form method="get" ref={form} className="admin-list-tools" action={path} data-keep-position>
        <search className="admin-list-search">
          <Icon name="search" />
          <input
            key={q}
            type="search"
            name="q"
            defaultValue={q}
            aria-label={searchLabel}
            placeholder={searchLabel}
          />
        </search>
        {filters.map((filter) => (
          <Filter key={filter.name} filter={filter} />
        ))}
        <details className="admin-list-menu" onToggle={keepInView}>
          <summary>
            <AdminIcon name="columns" />
            Columns
          </summary>
          <fieldset onChange={submit}>
            <legend className="visually-hidden">Columns</legend>
            {columns.map(({ name, label, is_shown }) => (
              <label key={`${name} ${is_shown}`} className="admin-check">
                <input type="checkbox" name="columns" value={name} defaultChecked={is_shown} />
                {label}
              </label>
            ))}
          </fieldset>
        </details>
        <input type="hidden" name="sort" value={sort} />
        <button type="submit" className="button button-quiet needs-no-scripts">
          Apply
        </button>
        {is_filtered && (
          <a className="link" href={path} data-keep-position>
            Clear
          </a>
        )}
      </form>
    </>
  );
}

/** Submits the form when a box is checked. */
function submit({ currentTarget }: ChangeEvent<HTMLFieldSetElement>): void {
  currentTarget.form?.requestSubmit();
}

/** Moves an opened menu that would reach beyond the right edge of the page to the left. */
function keepInView({ currentTarget }: ToggleEvent<HTMLDetailsElement>): void {
  const panel = currentTarget.querySelector("fieldset");
  if (!panel || !currentTarget.open) return;
  panel.style.translate = "";
  const rightOf = (element: Element) => element.getBoundingClientRect().right;
  // Without the space that is kept for a scrollbar.
  const beyond = rightOf(panel) + 8 - rightOf(document.documentElement);
  if (beyond > 0) panel.style.translate = `${-beyond}px`;
}

/** Closes the filter menu, so that it does not cover the results. */
function close({ currentTarget }: MouseEvent<HTMLButtonElement>): void {
  const menu = currentTarget.closest("details");
  menu?.removeAttribute("open");
  menu?.querySelector("summary")?.focus();
}

function Filter({ filter: { name, label, options, is_days, from, to } }: { filter: FilterView }) {
  const on = options.filter(({ is_on }) => is_on);
  if (!is_days && options.length === 0) return null;
  const days = is_days && (from || to) ? [from ?? "…", to ?? "…"].join(" to ") : "";
  const chosen = is_days ? days : on.map((option) => option.label).join(", ");
  return (
    <details className="admin-list-menu" name="list-filter" onToggle={keepInView}>
      <summary data-on={chosen !== "" || undefined}>
        <span>
          {label}
          {chosen && (
            <>
              : <b>{chosen}</b>
            </>
          )}
        </span>
        <Icon name="chevron" />
      </summary>
      <fieldset onChange={is_days ? undefined : submit}>
        <legend className="visually-hidden">{label}</legend>
        {is_days ? (
          <>
            <Day name={`${name}_from`} label="From" value={from} />
            <Day name={`${name}_to`} label="To" value={to} />
            {/* A date field changes with every typed digit, so dates are submitted with a button. */}
            <button type="submit" className="button button-quiet" onClick={close}>
              Show these days
            </button>
          </>
        ) : (
          options.map(({ value, label, is_on }) => (
            <label key={`${value} ${is_on}`} className="admin-check">
              <input type="checkbox" name={name} value={value} defaultChecked={is_on} />
              {label}
            </label>
          ))
        )}
      </fieldset>
    </details>
  );
}

function Day({ name, label, value }: { name: string; label: string; value: string | null }) {
  return (
    <label className="admin-list-day">
      {label}
      <input key={value} type="date" name={name} className="input" defaultValue={value ?? ""} />
    </label>
  );
}

function Views({ list }: { list: ListView }) {
  const { path, query, built_in, views } = list;
  const [naming, setNaming] = useState(false);
  const currentHref = query ? `${path}?${query}` : path;
  const current = views.find(({ href }) => href === currentHref);
  const builtIn = built_in.length > 0 ? built_in : [{ label: "All", href: path }];
  const isBuiltIn = builtIn.some(({ href }) => href === currentHref);
  return (
    <nav className="admin-list-views" aria-label="Views" ref={useScrollToCurrent(currentHref)}>
      {builtIn.map(({ label, href }) => (
        <a key={href} href={href} aria-current={href === currentHref ? "page" : undefined}>
          {label}
        </a>
      ))}
      {views.map((view) => (
        <a key={view.id} href={view.href} aria-current={view === current ? "page" : undefined}>
          {view.name}
        </a>
      ))}
      {query !== "" && !current && !isBuiltIn && (
        <button type="button" className="link needs-scripts" onClick={() => setNaming(true)}>
          Save this view
        </button>
      )}
      {current?.may_delete && <DeleteView key={current.id} view={current} />}
      <Dialog title="Save this view" open={naming} onClose={() => setNaming(false)}>
        <NewView list={list} onDone={() => setNaming(false)} />
      </Dialog>
    </nav>
  );
}

/** A button that asks before it deletes the view. */
function DeleteView({ view }: { view: SavedView }) {
  const [asking, setAsking] = useState(false);
  const [busy, run] = useBusy();
  const close = () => setAsking(false);
  return (
    <>
      <button type="button" className="link needs-scripts" onClick={() => setAsking(true)}>
        Delete view
      </button>
      <Dialog title={`Delete “${view.name}”?`} open={asking} onClose={close}>
        <p>{`${view.is_shared ? "This view is shared with all staff: it’s deleted for everyone. " : ""}This can’t be undone.`}</p>
        <div className="admin-dialog-acts">
          <button type="button" className="button button-quiet" onClick={close}>
            Keep view
          </button>
          <button
            type="button"
            className="button button-danger"
            aria-disabled={busy}
            onClick={() => run(() => remove(view).finally(close))}
          >
            Delete view
          </button>
        </div>
      </Dialog>
    </>
  );
}

async function remove({ id, name }: SavedView): Promise<void> {
  try {
    await staffCall(`/api/admin/views/${id}`, { method: "DELETE" });
    await refresh();
    addToast({ severity: "success", summary: `View “${name}” deleted.`, life: 5_000 });
  } catch (error) {
    tellFailure(error);
  }
}

function NewView({ list: { path, query }, onDone }: { list: ListView; onDone: () => void }) {
  const [error, setError] = useState<ApiError | null>(null);
  const [busy, setBusy] = useState(false);
  async function save(form: HTMLFormElement, replace: boolean): Promise<void> {
    setBusy(true);
    const data = new FormData(form);
    const body = {
      list: path,
      query,
      name: text(data, "name"),
      is_shared: data.get("is_shared") === "on",
      replace,
    };
    try {
      await staffCall("/api/admin/views", { method: "POST", body });
      await refresh();
      // It may be closed by now, and opened for another view.
      if (form.isConnected) onDone();
    } catch (cause) {
      if (form.isConnected) setError(failure(cause));
      else tellFailure(cause);
    } finally {
      setBusy(false);
    }
  }
  return (
    <form
      method="post"
      className="admin-form"
      onSubmit={(event) => {
        event.preventDefault();
        void save(event.currentTarget, false);
      }}
    >
      <Field
        name="name"
        label="Name"
        maxLength={60}
        required
        autoComplete="off"
        // Only the view of the name that was refused may be replaced.
        onChange={() => setError(null)}
        problem={error?.about("name") ?? error?.about("query") ?? error?.message}
      />
      <label className="admin-check">
        <input type="checkbox" name="is_shared" />
        Share with all staff
      </label>
      <div className="admin-dialog-acts">
        {error?.problem?.code === "view_exists" && (
          <button
            type="button"
            className="button button-quiet"
            aria-disabled={busy}
            onClick={({ currentTarget: { form } }) => form && void save(form, true)}
          >
            Replace view
          </button>
        )}
        <Button type="submit" aria-disabled={busy}>
          Save view
        </Button>
      </div>
    </form>
  );
}

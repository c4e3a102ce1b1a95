import { type ReactNode, useRef, useState } from "react";
import { ApiError } from "../../lib/api";
import { choice, text } from "../../lib/form";
import { refresh } from "../../lib/navigation";
import { addToast } from "../../lib/toast";
import type { BulkChange, BulkEffect, ChoiceView } from "../../lib/types";
import { Field, Labeled } from "../../ui/field";
import { isConflict, staffCall } from "../call";
import { Dialog } from "../parts/dialog";
import { count, countOf } from "../parts/list";
import { ScrollArea } from "../parts/scroll-area";
import type { Selection } from "../parts/selection";

const KINDS = {
  publish: "Publish",
  unpublish: "Unpublish",
  archive: "Archive",
  category: "Change category",
  compliance_class: "Change compliance class",
  price: "Change prices",
} as const;

type Kind = keyof typeof KINDS;

const ROUNDINGS = [
  ["cent", "To the nearest cent"],
  ["99", "To .99"],
  ["95", "To .95"],
  ["dollar", "To the nearest dollar"],
] as const;

interface Props {
  selection: Selection;
  query: string;
  categories: ChoiceView[];
  classes: ChoiceView[];
}

/** Bulk actions on the selected products, each with a preview. */
export function BulkActions({ selection, query, categories, classes }: Props) {
  const [chosen, setChosen] = useState<Kind | "">("");
  const [kind, setKind] = useState<Kind | null>(null);
  return (
    <>
      <label className="bulk-choice">
        <span className="visually-hidden">Bulk action</span>
        <select
          className="input"
          value={chosen}
          onChange={({ target }) => setChosen(target.value as Kind)}
        >
          <option value="" disabled>
            Choose an action…
          </option>
          {Object.entries(KINDS).map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      </label>
      {/* With the keyboard, each choice on the way to another one is a change. */}
      <button
        type="button"
        className="button button-quiet"
        aria-disabled={chosen === ""}
        onClick={() => chosen !== "" && setKind(chosen)}
      >
        Continue
      </button>
      <Dialog
        title={kind ? `${KINDS[kind]}: ${countOf(selection.count, "product")}` : ""}
        open={kind !== null}
        onClose={() => setKind(null)}
        wide
      >
        {kind && (
          <Change
            kind={kind}
            selected={selection.isAll ? { query } : { ids: [...selection.ids] }}
            categories={categories}
            classes={classes}
            onDone={() => {
              setKind(null);
              selection.clear();
            }}
          />
        )}
      </Dialog>
    </>
  );
}

/** The change that the form describes. */
function changeOf(kind: Kind, data: FormData): BulkChange {
  const number = (name: string) => Math.round(Number(data.get(name) || 0) * 100);
  switch (kind) {
    case "category":
      return { kind, category_id: text(data, "category_id") };
    case "compliance_class":
      return { kind, code: text(data, "code") };
    case "price":
      return {
        kind,
        percent: number("percent"),
        amount: number("amount"),
        rounding: choice(
          data,
          "rounding",
          ROUNDINGS.map(([value]) => value),
        ),
      };
    default:
      return { kind };
  }
}

interface Preview {
  change: BulkChange;
  effects: BulkEffect[];
}

/** What is running. */
type Step = "preview" | "change";

interface ChangeProps extends Pick<Props, "categories" | "classes"> {
  kind: Kind;
  selected: { query: string } | { ids: string[] };
  onDone: () => void;
}

function Change({ kind, selected, categories, classes, onDone }: ChangeProps) {
  const [preview, setPreview] = useState<Preview | null>(null);
  /** How often the form was changed: a preview of what it said before is not shown. */
  const edits = useRef(0);
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState<Step | null>(null);
  /** Null once the dialog is closed, even while a request is running. */
  const form = useRef<HTMLFormElement>(null);

  async function run(step: Step, act: () => Promise<void>): Promise<void> {
    setBusy(step);
    setProblem(null);
    try {
      await act();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      // If an answer is lost, the same is sent again: it is done once, because it names the versions.
      if (error.status >= 400 && error.status < 500) setPreview(null);
      if (isConflict(error)) await refresh();
      const message = error.about("ids") ?? error.about("items") ?? error.message;
      if (form.current) setProblem(message);
      else addToast({ severity: "error", summary: KINDS[kind], detail: message });
    } finally {
      setBusy(null);
    }
  }

  const showPreview = (data: FormData) =>
    run("preview", async () => {
      const shown = edits.current;
      const change = changeOf(kind, data);
      const body = { change, ...selected };
      const effects = await staffCall("/api/admin/products/bulk/preview", { method: "POST", body });
      if (edits.current === shown) setPreview({ change, effects });
    });

  const apply = ({ change, effects }: Preview) =>
    run("change", async () => {
      const items = effects.map(({ id, version }) => ({ id, version }));
      const body = { change, items };
      const { changed } = await staffCall("/api/admin/products/bulk", {
        method: "POST",
        body,
        timeout: 30_000,
      });
      await refresh();
      // Otherwise it would close the dialog that is open now, and clear what is selected for that.
      if (form.current) onDone();
      addToast({
        severity: "success",
        summary: `${countOf(changed, "product")} updated.`,
        life: 5_000,
      });
    });

  const changing = preview?.effects.filter(({ what }) => what.length > 0).length ?? 0;

  function told(): string {
    // First, because the form may be edited while the products change.
    if (busy === "change") return "Changing…";
    if (preview)
      return `${count(changing)} of ${countOf(preview.effects.length, "product")} would change.`;
    return busy ? "Checking what would change…" : "";
  }

  return (
    <form
      method="post"
      ref={form}
      className="admin-form"
      onChange={() => {
        edits.current += 1;
        setPreview(null);
      }}
      onSubmit={(event) => {
        event.preventDefault();
        void showPreview(new FormData(event.currentTarget));
      }}
    >
      <Fields kind={kind} categories={categories} classes={classes} />
      {problem && (
        <p className="field-error" role="alert">
          {problem}
        </p>
      )}
      {/* Always there, so that the result of a preview is announced. */}
      <p role="status">{told()}</p>
      {preview && <Effects effects={preview.effects} />}
      <div className="admin-dialog-acts">
        <button
          type="submit"
          className={preview ? "button button-quiet" : "button button-primary"}
          aria-disabled={busy !== null}
        >
          Preview changes
        </button>
        {preview && changing > 0 && (
          <button
            type="button"
            className="button button-primary"
            aria-disabled={busy !== null || preview.effects.some((each) => each.problem !== "")}
            onClick={() => void apply(preview)}
          >
            {`Change ${countOf(changing, "product")}`}
          </button>
        )}
      </div>
    </form>
  );
}

function Fields({
  kind,
  categories,
  classes,
}: Pick<ChangeProps, "kind" | "categories" | "classes">) {
  const select = (name: string, label: string, options: ChoiceView[]): ReactNode => (
    <Labeled label={label} problem={undefined}>
      {(control) => (
        <select name={name} className="input" {...control}>
          {options.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      )}
    </Labeled>
  );
  if (kind === "category") return select("category_id", "Category", categories);
  if (kind === "compliance_class") return select("code", "Compliance class", classes);
  if (kind !== "price") return null;
  const roundings = ROUNDINGS.map(([value, label]) => ({ value, label }));
  return (
    <>
      <Field
        name="percent"
        label="Percent change, such as -10"
        type="number"
        step="0.01"
        min="-95"
        max="1000"
        problem={undefined}
      />
      <Field
        name="amount"
        label="Then dollar change"
        type="number"
        step="0.01"
        problem={undefined}
      />
      {select("rounding", "Round", roundings)}
    </>
  );
}

function Effects({ effects }: { effects: BulkEffect[] }) {
  const failures = effects.filter(({ problem }) => problem !== "").length;
  return (
    <>
      {failures > 0 && (
        <p className="field-error" role="alert">
          {`${count(failures)} can’t be changed. Nothing is saved until all of them can.`}
        </p>
      )}
      <ScrollArea label="Changes" className="bulk-effects">
        <table className="admin-list">
          <thead>
            <tr>
              <th scope="col">Product</th>
              <th scope="col">Changes</th>
            </tr>
          </thead>
          <tbody>
            {effects.map(({ id, title, what, problem }) => (
              <tr key={id} data-tone={problem ? "warn" : undefined}>
                <td>{title}</td>
                <td>
                  {problem ? (
                    <span className="field-error">{problem}</span>
                  ) : (
                    what.join("; ") || "No change"
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollArea>
    </>
  );
}

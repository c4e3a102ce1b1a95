import { useEffect, useRef, useState } from "react";
import { ApiError } from "../../lib/api";
import type { ImportState, ImportView } from "../../lib/types";
import { staffCall, tellFailure } from "../call";
import { Dialog } from "../parts/dialog";
import { count, countOf } from "../parts/list";
import { ScrollArea } from "../parts/scroll-area";

const OUTCOMES = [
  ["", "All lines"],
  ["error", "Errors"],
  ["new", "New"],
  ["changed", "Changed"],
  ["unchanged", "Unchanged"],
] as const;

const POLL_MS = 700;
/** After a failed request. */
const RETRY_MS = 3_000;

const PROGRESS_LABELS: Partial<Record<ImportState, string>> = {
  reading: "Reading and comparing",
  applying: "Importing",
  undoing: "Undoing",
};

/** What a file changes, line by line, and the buttons to import it or to undo that. */
export function ImportReport({ id }: { id: string }) {
  const [outcome, setOutcome] = useState("");
  const [from, setFrom] = useState(0);
  const [view, setView] = useState<ImportView | null>(null);
  const working = view ? PROGRESS_LABELS[view.state] : undefined;
  // While the import is running, each response schedules the next request.
  const [round, setRound] = useState(0);
  /** An action was sent, and what has become of it is not shown yet: until then the buttons are those of before. */
  const [busy, setBusy] = useState(false);
  /** An answer that comes meanwhile was asked for before it. */
  const sending = useRef(false);
  const [isAsking, setAsking] = useState(false);
  const close = () => setAsking(false);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new round fetches again.
  useEffect(() => {
    let canceled = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const query = outcome ? `outcome=${outcome}&from=${from}` : `from=${from}`;
    const again = (ms: number) => {
      timer = setTimeout(() => setRound((before) => before + 1), ms);
    };
    staffCall(`/api/admin/products/imports/${id}?${query}`).then(
      (answer) => {
        if (canceled) return;
        setView(answer);
        setBusy(sending.current);
        if (PROGRESS_LABELS[answer.state] && !answer.problem) again(POLL_MS);
      },
      (error: unknown) => {
        if (canceled || !(error instanceof ApiError)) return;
        const isRefused = error.status >= 400 && error.status < 500 && error.status !== 429;
        if (!isRefused) return again(RETRY_MS);
        setBusy(sending.current);
        tellFailure(error);
      },
    );
    return () => {
      canceled = true;
      clearTimeout(timer);
    };
  }, [id, outcome, from, round]);

  const apply = () =>
    act(() => staffCall(`/api/admin/products/imports/${id}/apply`, { method: "POST" }));
  const undo = () =>
    act(() => staffCall(`/api/admin/products/imports/${id}/undo`, { method: "POST" }));

  async function act(send: () => Promise<unknown>): Promise<void> {
    setBusy(true);
    sending.current = true;
    try {
      await send();
    } catch (error) {
      tellFailure(error);
    } finally {
      sending.current = false;
      // Also after an error: it may have begun although its answer was lost.
      setRound((before) => before + 1);
    }
  }

  if (!view) return null;
  return (
    <section className="panel import-report" aria-labelledby="report">
      <h2 id="report">{view.file_name || "The file"}</h2>
      <div role="status">
        {working && !view.problem ? (
          <p className="upload-progress">
            <span>{working + progressText(view)}</span>
            <progress
              {...(view.percent !== null && { value: view.percent })}
              max={100}
              aria-label={working}
            />
          </p>
        ) : (
          <Result view={view} />
        )}
      </div>
      <p className="admin-acts">
        {view.state === "checked" && view.counts.errors === 0 && view.products.waiting > 0 && (
          <button
            type="button"
            className="button button-primary"
            aria-disabled={busy}
            onClick={() => void apply()}
          >
            {`Import ${countOf(view.counts.new + view.counts.changed, "line")}`}
          </button>
        )}
        {view.is_stuck && (
          <button
            type="button"
            className="button button-primary"
            aria-disabled={busy}
            onClick={() => void (view.state === "undoing" ? undo() : apply())}
          >
            Continue
          </button>
        )}
        {(view.state === "applying" || view.state === "applied") && view.products.applied > 0 && (
          <button
            type="button"
            className="button button-quiet"
            aria-disabled={busy}
            onClick={() => setAsking(true)}
          >
            Undo this import
          </button>
        )}
      </p>
      {/* The button takes the place of the one that imports: a second click of that one must not undo anything. */}
      <Dialog title="Undo this import?" open={isAsking} onClose={close}>
        <p>
          Products that it created are archived, and the others become what they were before, except
          those changed since. To import the file afterward, you have to upload it again.
        </p>
        <div className="admin-dialog-acts">
          <button type="button" className="button button-quiet" onClick={close}>
            Keep import
          </button>
          <button
            type="button"
            className="button button-danger"
            aria-disabled={busy}
            onClick={() => void undo().finally(close)}
          >
            Undo import
          </button>
        </div>
      </Dialog>
      <SkippedProducts view={view} />
      {!working && view.counts.lines > 0 && (
        <>
          <p className="admin-list-views">
            {OUTCOMES.map(([value, label]) => (
              <button
                key={value}
                type="button"
                className="link"
                aria-pressed={outcome === value}
                onClick={() => {
                  setOutcome(value);
                  setFrom(0);
                }}
              >
                {`${label} ${count(value ? view.counts[value === "error" ? "errors" : value] : view.counts.lines)}`}
              </button>
            ))}
          </p>
          <Lines view={view} />
          <p className="admin-acts">
            {from > 0 && (
              <button type="button" className="button button-quiet" onClick={() => setFrom(0)}>
                First lines
              </button>
            )}
            {view.next !== null && (
              <button
                type="button"
                className="button button-quiet"
                onClick={() => setFrom(view.next ?? 0)}
              >
                Next lines
              </button>
            )}
          </p>
        </>
      )}
    </section>
  );
}

const productCount = (products: number) => countOf(products, "product");

/** How many of the products are done. */
function progressText({ state, products }: ImportView): string {
  const { waiting, applied, skipped, undone, kept } = products;
  if (state === "applying")
    return `: ${count(applied + skipped)} of ${productCount(applied + skipped + waiting)}`;
  if (state === "undoing")
    return `: ${count(undone + kept)} of ${productCount(undone + kept + applied)}`;
  return "";
}

function Result({ view: { state, counts, products, problem } }: { view: ImportView }) {
  if (problem) return <p className="field-error">{problem}</p>;
  const lines = `${countOf(counts.new, "new line")}, ${countOf(counts.changed, "changed line")}, ${countOf(counts.unchanged, "unchanged line")}`;
  if (state === "applied") return <p>{`Imported: ${productCount(products.applied)}; ${lines}.`}</p>;
  if (state === "undone") return <p>{`Undone: ${productCount(products.undone)}.`}</p>;
  if (counts.errors > 0)
    return (
      <p className="field-error">
        {`${countOf(counts.errors, "line")} with errors. Fix them all before importing.`}
      </p>
    );
  const rest = products.waiting > 0 ? "Nothing has changed yet." : "There’s nothing to import.";
  return <p>{`${productCount(counts.products)}: ${lines}. ${rest}`}</p>;
}

/** Products that were skipped because someone else changed them. */
function SkippedProducts({ view: { state, products, left_out } }: { view: ImportView }) {
  const isUndo = state === "undoing" || state === "undone";
  const all = isUndo ? products.kept : products.skipped;
  if (all === 0) return null;
  return (
    <>
      <h3>{`${isUndo ? "Not undone" : "Not imported"}: ${productCount(all)}`}</h3>
      <ul>
        {left_out.map(({ line, handle, why }) => (
          <li key={line}>{`Line ${line}, ${handle}: ${why}`}</li>
        ))}
        {all > left_out.length && <li>{`${count(all - left_out.length)} more`}</li>}
      </ul>
    </>
  );
}

const TONES: Record<string, string | undefined> = { error: "bad", new: "good", changed: "info" };

function Lines({ view }: { view: ImportView }) {
  if (view.lines.length === 0) return <p className="admin-list-empty">No matching lines.</p>;
  return (
    <ScrollArea label="Lines in the file">
      <table className="admin-list">
        <thead>
          <tr>
            <th scope="col" className="is-number">
              Line
            </th>
            <th scope="col">Handle</th>
            <th scope="col">Result</th>
            <th scope="col">What</th>
          </tr>
        </thead>
        <tbody>
          {view.lines.map(({ line, handle, outcome, what, note }) => (
            <tr key={line}>
              <td className="is-number">{line}</td>
              <td>{handle}</td>
              <td>
                <span className="tag" data-tone={TONES[outcome]}>
                  {outcome}
                </span>
              </td>
              <td>
                {what}
                {note && <small>{note}</small>}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollArea>
  );
}

import { useEffect, useState } from "react";
import { ApiError } from "../../lib/api";
import { refresh } from "../../lib/navigation";
import { addToast } from "../../lib/toast";
import type { BulkOrders, BulkOutcome } from "../../lib/types";
import { Button } from "../../ui/button";
import { staffCall } from "../call";
import { Dialog } from "../parts/dialog";
import { count, countOf } from "../parts/list";
import type { Selection } from "../parts/selection";

interface Props {
  act: BulkOrders["act"];
  title: string;
  selection: Selection;
  /** The list's query, used when all of its results are selected. */
  query: string;
  onClose: () => void;
}

/** Shows a preview of a bulk action before running it. */
export function BulkDialog({ act, title, selection, query, onClose }: Props) {
  // Sent again after a lost answer, it is the same request: no customer gets a second email.
  const [request_id] = useState(() => crypto.randomUUID());
  const [plan, setPlan] = useState<BulkOutcome | null>(null);
  const [done, setDone] = useState<BulkOutcome | null>(null);
  const [problem, setProblem] = useState("");
  const [busy, setBusy] = useState(false);
  const { ids, isAll } = selection;

  async function send(
    preview: boolean,
    chosen: Pick<BulkOrders, "numbers" | "query" | "versions">,
    button?: HTMLElement,
  ): Promise<BulkOutcome | null> {
    setBusy(true);
    setProblem("");
    try {
      const outcome = await staffCall("/api/admin/orders/bulk", {
        method: "POST",
        body: { act, preview, request_id, ...chosen },
        timeout: 30_000,
      });
      if (!preview) await refresh();
      return outcome;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const message = error.about("numbers") ?? error.message;
      if (button?.isConnected === false) {
        addToast({ severity: "error", summary: title, detail: message });
      } else setProblem(message);
      return null;
    } finally {
      setBusy(false);
    }
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once, when the dialog opens.
  useEffect(() => void send(true, isAll ? { query } : { numbers: [...ids] }).then(setPlan), []);

  async function run({ changed, versions }: BulkOutcome, button: HTMLElement): Promise<void> {
    // Not the query again: it may find orders that the preview did not show.
    const outcome = await send(false, { numbers: changed, versions }, button);
    if (!outcome) return;
    // It may be closed by now, and other orders selected.
    if (button.isConnected) {
      selection.clear();
      if (outcome.unchanged.length > 0) {
        setDone(outcome);
        return;
      }
      onClose();
    }
    const updated = `${title}: ${count(outcome.changed.length)} updated`;
    const unchanged = outcome.unchanged.length;
    if (unchanged > 0)
      addToast({ severity: "warn", summary: `${updated}, ${count(unchanged)} unchanged.` });
    else addToast({ severity: "success", summary: `${updated}.`, life: 8_000 });
  }

  return (
    <Dialog title={title} open onClose={onClose}>
      {problem && (
        <p className="order-problem" role="alert">
          {problem}
        </p>
      )}
      <p role="status">
        {done
          ? `${count(done.changed.length)} updated, ${count(done.unchanged.length)} unchanged:`
          : plan
            ? planText(plan)
            : !problem && "Checking what would change…"}
      </p>
      {done && (
        <>
          <UnchangedOrders orders={done.unchanged} />
          <div className="admin-dialog-acts">
            <Button onClick={onClose}>Close</Button>
          </div>
        </>
      )}
      {plan && !done && (
        <>
          <p className="order-numbers">{plan.changed.slice(0, 20).join(", ")}</p>
          {plan.changed.length > 20 && <p>{`and ${count(plan.changed.length - 20)} more`}</p>}
          {plan.unchanged.length > 0 && (
            <details>
              <summary>{`${count(plan.unchanged.length)} won’t change`}</summary>
              <UnchangedOrders orders={plan.unchanged} />
            </details>
          )}
          <div className="admin-dialog-acts">
            <button type="button" className="button button-quiet" onClick={onClose}>
              Go back
            </button>
            <Button
              aria-disabled={busy || plan.changed.length === 0}
              onClick={({ currentTarget }) => void run(plan, currentTarget)}
            >
              {title}
            </Button>
          </div>
        </>
      )}
    </Dialog>
  );
}

function planText({ changed, unchanged }: BulkOutcome): string {
  if (changed.length === 0) return "No order would change.";
  return `${count(changed.length)} of ${countOf(changed.length + unchanged.length, "order")} would change:`;
}

function UnchangedOrders({ orders }: { orders: BulkOutcome["unchanged"] }) {
  return (
    <ul className="order-some">
      {orders.map(({ number, why }) => (
        <li key={number}>{`${number}: ${why}`}</li>
      ))}
    </ul>
  );
}

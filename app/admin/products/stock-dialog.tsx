import { useState } from "react";
import type { ApiError } from "../../lib/api";
import { choice, text } from "../../lib/form";
import { addToast } from "../../lib/toast";
import type { StockState, VariantContent } from "../../lib/types";
import { Button } from "../../ui/button";
import { Field, Labeled } from "../../ui/field";
import { FormProblem } from "../../ui/form-problem";
import { failure, isConflict, staffCall, tellFailure } from "../call";
import { Dialog } from "../parts/dialog";
import { trimmed } from "../parts/trimmed";

export interface StockChange {
  id: string;
  state: StockState;
}

const REASONS = [
  ["received", "Received"],
  ["counted", "Counted"],
  ["damaged", "Damaged"],
  ["lost", "Lost"],
  ["found", "Found"],
  ["sent_back", "Returned to supplier"],
  ["other", "Other"],
] as const;

interface Props {
  variant: VariantContent | null;
  level: StockState | undefined;
  onClose: () => void;
  onChanged: (moved: StockChange) => Promise<void>;
  /** Fetches the levels again, after they have changed in the meantime. */
  onStale: () => Promise<void>;
}

/** Changes the quantity on hand, by an adjustment or a new count, with a reason. */
export function StockDialog({ variant, level, ...actions }: Props) {
  return (
    <Dialog
      title={`Stock of ${variant?.sku ?? ""}`}
      open={variant !== null}
      onClose={actions.onClose}
    >
      {variant?.id && level && <StockForm id={variant.id} level={level} {...actions} />}
    </Dialog>
  );
}

function StockForm({
  id,
  level,
  onClose,
  onChanged,
  onStale,
}: Omit<Props, "variant" | "level"> & { id: string; level: StockState }) {
  const [error, setError] = useState<ApiError | null>(null);
  const [busy, setBusy] = useState(false);
  const [way, setWay] = useState<"delta" | "counted">("delta");
  /** Null until it is chosen: then it follows the way. */
  const [reason, setReason] = useState<string | null>(null);
  /** Null until it is changed here: someone else may change it in the meantime. */
  const [threshold, setThreshold] = useState<string | null>(null);

  async function save(form: HTMLFormElement): Promise<void> {
    const refuse = (cause: unknown) => {
      if (form.isConnected) setError(failure(cause));
      else tellFailure(cause);
    };
    setBusy(true);
    const data = new FormData(form);
    const number = trimmed(data, "number");
    const body = {
      seen: level.on_hand,
      seen_to_hand_over: level.to_hand_over,
      ...(number !== "" &&
        (way === "delta" ? { delta: Number(number) } : { counted: Number(number) })),
      reason: choice(
        data,
        "reason",
        REASONS.map(([value]) => value),
      ),
      note: text(data, "note"),
      ...(threshold !== null && { low_stock_threshold: Number(threshold) }),
    };
    try {
      const state = await staffCall(`/api/admin/stock/${id}`, { method: "POST", body });
      await onChanged({ id, state });
      addToast({ severity: "success", summary: `${state.on_hand} on hand now.`, life: 5_000 });
      // It may be closed by now, and another one open.
      if (form.isConnected) onClose();
    } catch (cause) {
      refuse(cause);
      if (isConflict(cause)) await onStale().catch(refuse);
    } finally {
      setBusy(false);
    }
  }

  const stale = isConflict(error) ? error.message : undefined;
  const isAboutField = stale !== undefined || Object.keys(error?.problem?.errors ?? {}).length > 0;
  return (
    <form
      method="post"
      className="admin-form"
      onSubmit={(event) => {
        event.preventDefault();
        void save(event.currentTarget);
      }}
    >
      <p>{`${level.on_hand} on hand, ${level.reserved} reserved for orders.`}</p>
      <fieldset className="choices">
        <legend className="label">Update by</legend>
        <label className="admin-check">
          <input
            type="radio"
            name="way"
            checked={way === "delta"}
            onChange={() => setWay("delta")}
          />
          Adjusting by an amount
        </label>
        <label className="admin-check">
          <input
            type="radio"
            name="way"
            checked={way === "counted"}
            onChange={() => setWay("counted")}
          />
          Setting a new count
        </label>
      </fieldset>
      <Field
        name="number"
        label={way === "delta" ? "Change, such as 12 or -1" : "Counted"}
        type="number"
        step={1}
        hint={way === "counted" ? countHint(level) : ""}
        problem={stale ?? error?.about("delta") ?? error?.about("counted")}
      />
      <Labeled label="Reason" problem={error?.about("reason")}>
        {(control) => (
          <select
            name="reason"
            className="input"
            value={reason ?? (way === "counted" ? "counted" : "received")}
            onChange={({ target }) => setReason(target.value)}
            {...control}
          >
            {REASONS.map(([value, label]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </select>
        )}
      </Labeled>
      <Field name="note" label="Note" maxLength={200} problem={error?.about("note")} />
      <Field
        name="low_stock_threshold"
        label="Show “only a few left” at"
        type="number"
        min={0}
        step={1}
        required
        value={threshold ?? level.low_stock_threshold}
        onChange={(event) => setThreshold(event.currentTarget.value)}
        problem={error?.about("low_stock_threshold")}
      />
      <FormProblem problem={isAboutField ? null : error?.message} />
      <div className="admin-dialog-acts">
        <Button type="submit" aria-disabled={busy}>
          Save stock
        </Button>
      </div>
    </form>
  );
}

function countHint({ to_hand_over }: StockState): string {
  if (to_hand_over === 0) return "Count every piece in the store.";
  return `Count every piece in the store, also those packed for orders. The ${to_hand_over} sold but not yet shipped or picked up will be subtracted.`;
}

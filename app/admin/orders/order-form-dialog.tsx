import { type FormEvent, type ReactNode, useState } from "react";
import { ApiError } from "../../lib/api";
import { refresh } from "../../lib/navigation";
import { addToast } from "../../lib/toast";
import type { AdminOrder } from "../../lib/types";
import { Button } from "../../ui/button";
import { isConflict } from "../call";
import { useBaseVersion } from "../parts/base-version";
import { Dialog } from "../parts/dialog";
import { useRefusal } from "../parts/use-refusal";
import { Checkbox } from "./checkbox";

export interface OrderDialogProps {
  order: AdminOrder;
  onClose: () => void;
}

interface Props extends OrderDialogProps {
  title: string;
  /** Sends the form with the version of the order that its input is based on. */
  send: (form: FormData, version: number) => Promise<unknown>;
  /** Labels: of the submit button, and of the toast on success. */
  submit: string;
  done: string | ((form: FormData) => string);
  wide?: boolean;
  /** Whether the user may confirm `confirm_rules`, which is asked for after a refusal by the rules. */
  mayConfirmRules?: boolean;
  children: (about: (field: string) => string | undefined) => ReactNode;
}

/** An order of a deleted account has no address to write to. The email is queued by now, and not sent yet. */
export function emailedText(done: string, { customer }: AdminOrder, isMailOn: boolean): string {
  if (!customer.email) return done;
  return `${done} ${isMailOn ? "The customer is being emailed." : "Email is off: tell the customer yourself."}`;
}

/**
 * A dialog with a form that changes an order as it was when the dialog was opened. After an edit conflict the order can be
 * reloaded, and the input is kept.
 */
export function OrderFormDialog(props: Props) {
  const { order, onClose, title, send, submit, done, wide, mayConfirmRules, children } = props;
  // With the version as the content, a refresh alone never moves it.
  const [version, moveToLatest] = useBaseVersion(order.version, order.version);
  const [error, setError] = useState<ApiError | null>(null);
  /** The last refusal by the rules: what is confirmed is what it says. */
  const [forbidden, setForbidden] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  /** Null once the dialog is closed, even while the request is running. */
  const form = useRefusal(error);

  async function submitForm(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    setBusy(true);
    try {
      await send(data, version);
      await refresh();
      // Otherwise it would close the dialog that is open now.
      if (form.current) onClose();
      const summary = typeof done === "string" ? done : done(data);
      addToast({ severity: "success", summary, life: 5_000 });
    } catch (cause) {
      if (!(cause instanceof ApiError)) throw cause;
      if (!form.current) {
        addToast({ severity: "error", summary: title, detail: cause.message });
      }
      setError(cause);
      if (cause.problem?.code === "rules_forbid") setForbidden(cause.message);
    } finally {
      setBusy(false);
    }
  }

  /** The fields beside which an error is shown. */
  const shown = new Set<string>();
  const fields = children((field) => {
    shown.add(field);
    return error?.about(field);
  });
  return (
    <Dialog title={title} open onClose={onClose} wide={wide ?? false}>
      <form
        method="post"
        ref={form}
        className="admin-form"
        onSubmit={(event) => void submitForm(event)}
        noValidate
      >
        {fields}
        {error && (
          <OrderError
            error={error}
            shown={shown}
            onReloaded={() => {
              moveToLatest();
              setError(null);
            }}
          />
        )}
        {forbidden && mayConfirmRules && (
          <Checkbox key={forbidden} name="confirm_rules" value={forbidden}>
            These items may leave all the same. My confirmation is recorded.
          </Checkbox>
        )}
        <div className="admin-dialog-acts">
          <button type="button" className="button button-quiet" onClick={onClose}>
            Go back
          </button>
          <Button type="submit" aria-disabled={busy}>
            {submit}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

interface ErrorProps {
  error: ApiError;
  /** The fields beside which it is shown, if it is about them. */
  shown?: ReadonlySet<string>;
  onReloaded: () => void;
}

/** An error that no field shows; after an edit conflict, with a button to reload the order. */
export function OrderError({ error, shown, onReloaded }: ErrorProps) {
  const byField = Object.keys(error.problem?.errors ?? {}).some((field) => shown?.has(field));
  if (byField) return null;
  return (
    <div className="order-problem" role="alert">
      <p>{error.message}</p>
      {isConflict(error) && (
        <button
          type="button"
          className="button button-quiet"
          onClick={() => void refresh().then(onReloaded)}
        >
          Reload order
        </button>
      )}
    </div>
  );
}

import { useState } from "react";
import type { ApiError } from "../../lib/api";
import { refresh } from "../../lib/navigation";
import { addToast } from "../../lib/toast";
import type { DraftView } from "../../lib/types";
import { Button } from "../../ui/button";
import { failure, staffCall } from "../call";
import { useBaseVersion } from "../parts/base-version";
import { Dialog } from "../parts/dialog";
import { OrderError } from "./order-form-dialog";

interface Props {
  act: "send" | "withdraw";
  draft: DraftView;
  onClose: () => void;
}

const ACTIONS = {
  send: {
    title: "Email payment link",
    call: ({ number, version }: DraftView) =>
      staffCall(`/api/admin/orders/drafts/${number}/letter`, { method: "POST", body: { version } }),
    submit: "Send email",
    done: "Payment link sent.",
    explanation: ({ email }: DraftView) =>
      `An email with the items, the total, and the payment link goes to ${email}.`,
  },
  withdraw: {
    title: "Withdraw draft order",
    call: ({ number, version }: DraftView) =>
      staffCall(`/api/admin/orders/drafts/${number}/withdrawal`, {
        method: "POST",
        body: { version },
      }),
    submit: "Withdraw",
    done: "Draft order withdrawn. The link no longer works.",
    explanation: () =>
      "Anyone who opens the link sees that it’s no longer valid. This can’t be undone, but you can create another order.",
  },
};

/** Asks for confirmation before the email is sent or the draft order is withdrawn. */
export function DraftDialog({ act, draft, onClose }: Props) {
  const { title, call, submit, done, explanation } = ACTIONS[act];
  // With the version as the content, a refresh alone never moves it.
  const [version, moveToLatest] = useBaseVersion(draft.version, draft.version);
  const [error, setError] = useState<ApiError | null>(null);
  const [busy, setBusy] = useState(false);

  async function send(button: HTMLElement): Promise<void> {
    setBusy(true);
    try {
      await call({ ...draft, version });
      await refresh();
      // It may be closed by now, and another dialog open.
      if (button.isConnected) onClose();
      addToast({ severity: "success", summary: done, life: 5_000 });
    } catch (cause) {
      const failed = failure(cause);
      if (button.isConnected) setError(failed);
      else addToast({ severity: "error", summary: title, detail: failed.message });
    } finally {
      setBusy(false);
    }
  }

  return (
    <Dialog title={title} open onClose={onClose}>
      <p>{explanation(draft)}</p>
      {error && (
        <OrderError
          error={error}
          onReloaded={() => {
            moveToLatest();
            setError(null);
          }}
        />
      )}
      <div className="admin-dialog-acts">
        <button type="button" className="button button-quiet" onClick={onClose}>
          Go back
        </button>
        <Button
          type="button"
          aria-disabled={busy}
          onClick={({ currentTarget }) => void send(currentTarget)}
        >
          {submit}
        </Button>
      </div>
    </Dialog>
  );
}

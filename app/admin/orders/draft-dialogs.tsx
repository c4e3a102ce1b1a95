import { useState } from "react";
import { ApiError } from "../../lib/api";
import { refresh } from "../../lib/navigation";
import { addToast } from "../../lib/toast";
import type { DraftView } from "../../lib/types";
import { Button } from "../../ui/button";
import { staffCall } from "../call";
import { Dialog } from "../parts/dialog";
import { Problem } from "./act-dialog";

interface Props {
  act: "send" | "withdraw";
  draft: DraftView;
  onClose: () => void;
}

const WORDS = {
  send: {
    title: "Mail the link",
    path: "letter",
    submit: "Mail it",
    done: "The link is on its way.",
    tells: ({ email }: DraftView) =>
      `A letter with the goods, what they come to and the link goes to ${email}.`,
  },
  withdraw: {
    title: "Withdraw the order",
    path: "withdrawal",
    submit: "Withdraw it",
    done: "The link opens nothing any more.",
    tells: () =>
      "Whoever opens the link reads that it is no longer valid. This cannot be taken back; another order can be made.",
  },
};

/** Asks before a letter is sent, or the link made worthless. */
export function DraftDialog({ act, draft, onClose }: Props) {
  const { title, path, submit, done, tells } = WORDS[act];
  const [error, setError] = useState<ApiError | null>(null);
  const [busy, setBusy] = useState(false);

  async function send(): Promise<void> {
    setBusy(true);
    try {
      const { number, version } = draft;
      await staffCall(`/api/admin/orders/drafts/${number}/${path}`, {
        method: "POST",
        body: { version },
      });
      await refresh();
      onClose();
      addToast({ severity: "success", summary: done, life: 5_000 });
    } catch (cause) {
      if (!(cause instanceof ApiError)) throw cause;
      setError(cause);
    } finally {
      setBusy(false);
    }
  }

  return (
    <Dialog title={title} open onClose={onClose}>
      <p>{tells(draft)}</p>
      {error && <Problem error={error} onShown={() => setError(null)} />}
      <div className="admin-dialog-acts">
        <button type="button" className="button button-quiet" onClick={onClose}>
          Leave it
        </button>
        <Button type="button" disabled={busy} onClick={() => void send()}>
          {submit}
        </Button>
      </div>
    </Dialog>
  );
}

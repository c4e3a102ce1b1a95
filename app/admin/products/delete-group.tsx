import { useState } from "react";
import { Dialog } from "../parts/dialog";

/** How a category or collection is deleted. */
export interface Deletion {
  /** Its saved name or title. */
  name: string;
  /** What becomes of its products and links. */
  effect: string;
  send: (version: number) => Promise<unknown>;
}

interface Props {
  what: "category" | "collection";
  deletion: Deletion;
  busy: boolean;
  onConfirm: () => Promise<void>;
}

/** A button that asks before it deletes. The question has no form of its own, because it is inside the group's form. */
export function DeleteGroup({ what, deletion: { name, effect }, busy, onConfirm }: Props) {
  const [asking, setAsking] = useState(false);
  const close = () => setAsking(false);
  return (
    <>
      <button
        type="button"
        className="button button-danger"
        aria-disabled={busy}
        onClick={() => setAsking(true)}
      >
        Delete
      </button>
      <Dialog title={`Delete ${name}?`} open={asking} onClose={close}>
        <p>{`${effect} This can’t be undone.`}</p>
        <div className="admin-dialog-acts">
          <button type="button" className="button button-quiet" onClick={close}>
            {`Keep ${what}`}
          </button>
          <button
            type="button"
            className="button button-danger"
            aria-disabled={busy}
            onClick={() => void onConfirm().finally(close)}
          >
            {`Delete ${what}`}
          </button>
        </div>
      </Dialog>
    </>
  );
}

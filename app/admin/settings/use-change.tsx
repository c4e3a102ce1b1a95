import { useState } from "react";
import { ApiError } from "../../lib/api";
import { refresh } from "../../lib/navigation";
import { addToast } from "../../lib/toast";

export interface Change {
  busy: boolean;
  /** An edit conflict: someone else has changed the same settings. */
  isConflict: boolean;
  about(field: string): string | undefined;
  /** Error messages by field. */
  errors: Record<string, string[]>;
  /** Sends a change, shows the result, and refreshes the page. True on success. */
  send(call: () => Promise<unknown>, done: string): Promise<boolean>;
  /** Loads the settings that someone else has saved; the typed input stays. */
  reload(): Promise<void>;
}

export function useChange(): Change {
  const [error, setError] = useState<ApiError | null>(null);
  const [busy, setBusy] = useState(false);
  return {
    busy,
    isConflict: error?.problem?.code === "changed_meanwhile",
    about: (field) => error?.about(field),
    errors: error?.problem?.errors ?? {},
    async send(call, done) {
      setBusy(true);
      try {
        await call();
        await refresh();
        setError(null);
        addToast({ severity: "success", summary: done, life: 5_000 });
        return true;
      } catch (cause) {
        if (!(cause instanceof ApiError)) throw cause;
        setError(cause);
        const isShown = cause.status === 422 || cause.problem?.code === "changed_meanwhile";
        if (!isShown) addToast({ severity: "error", summary: cause.message });
        return false;
      } finally {
        setBusy(false);
      }
    },
    async reload() {
      setBusy(true);
      try {
        await refresh();
        setError(null);
      } finally {
        setBusy(false);
      }
    },
  };
}

/** Shows an edit conflict, or the errors of fields that are not in `fields`. */
export function ChangeErrors({ change, fields = [] }: { change: Change; fields?: string[] }) {
  if (change.isConflict) {
    return (
      <div className="settings-trouble" role="alert">
        <p>
          <b>Someone else has changed these settings.</b> Load the latest version. What you’ve typed
          stays, and saving replaces theirs.
        </p>
        <button
          type="button"
          className="button button-quiet"
          aria-disabled={change.busy}
          onClick={() => void change.reload()}
        >
          Load latest version
        </button>
      </div>
    );
  }
  const others = Object.entries(change.errors).filter(([field]) => !fields.includes(field));
  if (others.length === 0) return null;
  return (
    <div className="settings-trouble" role="alert">
      {others.map(([field, messages]) => (
        <p key={field}>{messages.join(" ")}</p>
      ))}
    </div>
  );
}

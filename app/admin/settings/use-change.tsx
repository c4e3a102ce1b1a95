import { type RefObject, useState } from "react";
import type { ApiError } from "../../lib/api";
import { refresh } from "../../lib/navigation";
import { addToast } from "../../lib/toast";
import { failure, isConflict, tellFailure } from "../call";
import { useBaseVersion } from "../parts/base-version";
import { useRefusal } from "../parts/use-refusal";

export interface Change<Form extends HTMLElement = HTMLFormElement> {
  /** The ref of the form, or of what is there instead: once it is gone, a refusal is told in a toast. */
  form: RefObject<Form | null>;
  /** The version of the settings that the input is based on. */
  version: number;
  busy: boolean;
  /** An edit conflict: someone else has changed the same settings. */
  isConflict: boolean;
  about(field: string): string | undefined;
  /** An error that is about no field. */
  problem: string | undefined;
  /** Error messages by field. */
  errors: Record<string, string[]>;
  /** Makes a call and shows the result; the page stays as it is. True on success, unless the form is gone by then. */
  ask(call: () => Promise<unknown>, done: string): Promise<boolean>;
  /** Sends a change, shows the result, and refreshes the page. True on success, unless the form is gone by then. */
  send(call: () => Promise<unknown>, done: string): Promise<boolean>;
  /** Loads the settings that someone else has saved; the typed input stays. */
  reload(): Promise<void>;
  /** Called when the input is what the page has now. */
  moveToLatest(): void;
}

/** For a form of stored settings: with their version and content. */
export function useChange<Form extends HTMLElement = HTMLFormElement>(
  stored = { version: 0, content: null as unknown },
): Change<Form> {
  const [error, setError] = useState<ApiError | null>(null);
  const [busy, setBusy] = useState(false);
  const form = useRefusal<Form>(error);
  const [version, moveToLatest] = useBaseVersion(stored.version, stored.content);
  async function ask(call: () => Promise<unknown>, done: string): Promise<boolean> {
    const sent = form.current;
    const isGone = () => !sent?.isConnected;
    setBusy(true);
    try {
      await call();
      setError(null);
      addToast({ severity: "success", summary: done, life: 5_000 });
      return !isGone();
    } catch (cause) {
      if (isGone()) tellFailure(cause);
      else setError(failure(cause));
      return false;
    } finally {
      setBusy(false);
    }
  }
  async function latest(): Promise<void> {
    await refresh();
    moveToLatest();
  }
  const errors = error?.problem?.errors ?? {};
  return {
    form,
    version,
    busy,
    isConflict: isConflict(error),
    about: (field) => error?.about(field),
    problem: Object.keys(errors).length === 0 ? error?.message : undefined,
    errors,
    ask,
    send: (call, done) => ask(() => call().then(latest), done),
    async reload() {
      setBusy(true);
      try {
        await latest();
        setError(null);
      } finally {
        setBusy(false);
      }
    },
    moveToLatest,
  };
}

/** Shows an edit conflict, or the errors that are about no field or about one that is not in `fields`. */
export function ChangeErrors({
  change,
  fields = [],
}: {
  change: Change<HTMLElement>;
  fields?: string[];
}) {
  if (change.isConflict) {
    return (
      <div className="settings-trouble" role="alert">
        <p>
          <b>Someone else has changed these settings, or an earlier try of yours was saved.</b> Load
          the latest version. What you’ve typed stays, and saving replaces what is there.
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
  if (others.length === 0 && !change.problem) return null;
  return (
    <div className="settings-trouble" role="alert">
      {change.problem && <p>{change.problem}</p>}
      {others.map(([field, messages]) => (
        <p key={field}>{messages.join(" ")}</p>
      ))}
    </div>
  );
}

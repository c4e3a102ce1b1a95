import { type FormEvent, useState } from "react";
import { ApiError } from "./api";
import { refresh } from "./navigation";
import { addToast } from "./toast";

const SIGNED_OUT = "You’ve been signed out, so nothing was changed.";

/**
 * What is told of an error that is about no field. Once the session has ended a link leads to sign-in; what was typed stays. Staff
 * are asked by a dialog (`admin/call.ts`), whose sign-in leaves the page only after a question.
 */
const toastOf = ({ status, message }: ApiError) => ({
  severity: "error" as const,
  summary: status === 401 ? SIGNED_OUT : message,
  toSignIn: status === 401 && !location.pathname.startsWith("/admin/"),
});

/**
 * Sends a form; `save` resolves with whether it was accepted. Shows the server's errors at the fields, or refreshes the page
 * on success. An error that is about no field is shown as a toast, or, for a form in a dialog, returned as `problem`. `initialErrors` are those of a form that was posted without scripts.
 */
export function useSave(
  send: (data: FormData) => Promise<unknown>,
  done: { summary: string; after?: () => void },
  initialErrors: Record<string, string[]> = {},
) {
  const [errors, setErrors] = useState(initialErrors);
  const [problem, setProblem] = useState("");
  const [busy, setBusy] = useState(false);

  async function save(event: FormEvent<HTMLFormElement>): Promise<boolean> {
    event.preventDefault();
    const form = event.currentTarget;
    setBusy(true);
    setProblem("");
    try {
      await send(new FormData(form));
      setErrors({});
      await refresh();
      // It may be closed by now, and another form open.
      if (form.isConnected) done.after?.();
      addToast({ severity: "success", summary: done.summary, life: 5_000 });
      return true;
    } catch (cause) {
      if (!(cause instanceof ApiError)) throw cause;
      setErrors(cause.problem?.errors ?? {});
      const { isConnected } = form;
      const field = [...form.elements].find((each) => cause.about(each.getAttribute("name") ?? ""));
      if (isConnected && field instanceof HTMLElement) field.focus();
      // A modal dialog covers the toasts and makes them inert.
      else if (isConnected && form.closest("dialog")) setProblem(toastOf(cause).summary);
      else addToast(toastOf(cause));
      return false;
    } finally {
      setBusy(false);
    }
  }

  return { save, busy, problem, about: (field: string) => errors[field]?.[0] };
}

/**
 * Sends a request that needs no input, and refreshes the page; also if what it is about was removed since the page was shown,
 * which `gone` says.
 */
export async function runAction(
  send: () => Promise<unknown>,
  summary: string,
  gone?: string,
): Promise<void> {
  try {
    await send();
    await refresh();
    addToast({ severity: "success", summary, life: 5_000 });
  } catch (cause) {
    if (!(cause instanceof ApiError)) throw cause;
    if (gone && cause.status === 404) {
      await refresh();
      addToast({ severity: "info", summary: gone, life: 5_000 });
    } else {
      addToast(toastOf(cause));
    }
  }
}

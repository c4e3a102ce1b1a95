export type Severity = "info" | "success" | "warn" | "error";

export interface ToastMessage {
  severity: Severity;
  summary?: string;
  detail?: string;
  /** Milliseconds until it disappears; without it, it stays until closed. */
  life?: number;
  /** Only a `<Toasts>` of the same group shows it. */
  group?: string;
  /** Has a close button unless false. */
  closable?: boolean;
  /** Has a link to the cart. */
  toCart?: boolean;
  /** Has a link to sign-in, which leads back to the page. */
  toSignIn?: boolean;
}

/** Messages from before the code that shows them was loaded. */
const waiting: ToastMessage[] = [];

let load = () => {};

/** `run` loads the code that shows messages. Each message that waits calls it, because an earlier call may have failed. */
export function loadToastsWith(run: () => void): void {
  load = run;
}

export let addToast = (message: ToastMessage): void => {
  waiting.push(message);
  load();
};

/** Called by the code that shows messages. */
export function startToasts(show: (message: ToastMessage) => void): void {
  addToast = show;
  for (const message of waiting.splice(0)) show(message);
}

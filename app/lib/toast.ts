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
}

/** Messages from before the code that shows them was loaded. */
const waiting: ToastMessage[] = [];

/** Ends the wait of `toastsWanted`. */
export let wantToasts: () => void;

/** Resolves when the code that shows messages is to be loaded: when the page is idle, or with the first message. */
export const toastsWanted = new Promise<void>((resolve) => {
  wantToasts = resolve;
});

let show = (message: ToastMessage): void => {
  waiting.push(message);
  wantToasts();
};

export function addToast(message: ToastMessage): void {
  show(message);
}

/** Called by the code that shows messages. */
export function startToasts(ready: (message: ToastMessage) => void): void {
  show = ready;
  for (const message of waiting.splice(0)) show(message);
}

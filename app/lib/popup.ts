import { isRecord } from "./storage";

/** How a sign-in in a popup ended. `closed` may also mean that the browser severed the popup from this page. */
export type Outcome = "ok" | "canceled" | "failed" | "closed" | "timeout";

const TIMEOUT_MS = 60_000;
const POLL_MS = 400;
/** A popup that has just closed may have sent its message a moment ago. */
const CLOSE_DELAY_MS = 600;

/** The browser functions needed to wait for a popup. */
export interface PopupHost {
  isClosed(): boolean;
  /** Calls back with the origin and data of every message to this page. Returns a function that stops listening. */
  listen(onMessage: (origin: string, data: unknown) => void): () => void;
  origin: string;
  after(ms: number, run: () => void): () => void;
}

/** Settles at the popup's message, when it is closed, or after 60 s. Other messages are ignored. */
export function waitForPopup(host: PopupHost, id: string): Promise<Outcome> {
  return new Promise((resolve) => {
    let stopPolling = () => {};
    const stopTimeout = host.after(TIMEOUT_MS, () => settle("timeout"));
    const stopListening = host.listen((origin, data) => {
      const outcome = origin === host.origin ? outcomeOf(data, id) : null;
      if (outcome) settle(outcome);
    });

    function settle(outcome: Outcome): void {
      stopTimeout();
      stopListening();
      stopPolling();
      resolve(outcome);
    }

    function poll(): void {
      stopPolling = host.isClosed()
        ? host.after(CLOSE_DELAY_MS, () => settle("closed"))
        : host.after(POLL_MS, poll);
    }
    poll();
  });
}

export function outcomeOf(data: unknown, id: string): Outcome | null {
  if (!isRecord(data) || data.type !== "auth" || data.id !== id) return null;
  if (data.ok === true) return "ok";
  return data.reason === "canceled" ? "canceled" : "failed";
}

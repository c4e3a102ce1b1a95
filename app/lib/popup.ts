import { isRecord } from "./storage";

/** How a sign-in in a popup ended. `closed` may also mean that the browser has cut the popup off from this page. */
export type Outcome = "ok" | "canceled" | "failed" | "closed" | "timeout";

const TIMEOUT_MS = 60_000;
const LOOK_MS = 400;
/** A popup that has just closed may have sent its message a moment ago. */
const GRACE_MS = 600;

/** What waiting for a popup needs from the browser. */
export interface PopupHost {
  isClosed(): boolean;
  /** Calls back with every message to this page, and its origin. Returns what ends it. */
  listen(heard: (origin: string, data: unknown) => void): () => void;
  origin: string;
  after(ms: number, run: () => void): () => void;
}

/** Settles with the popup's own message, or when it is closed, or after 60 s. Messages of others count for nothing. */
export function waitForPopup(host: PopupHost, id: string): Promise<Outcome> {
  return new Promise((resolve) => {
    let stopLooking = () => {};
    const stopTimeout = host.after(TIMEOUT_MS, () => settle("timeout"));
    const stopListening = host.listen((origin, data) => {
      const outcome = origin === host.origin ? outcomeOf(data, id) : null;
      if (outcome) settle(outcome);
    });

    function settle(outcome: Outcome): void {
      stopTimeout();
      stopListening();
      stopLooking();
      resolve(outcome);
    }

    function look(): void {
      stopLooking = host.isClosed()
        ? host.after(GRACE_MS, () => settle("closed"))
        : host.after(LOOK_MS, look);
    }
    look();
  });
}

export function outcomeOf(data: unknown, id: string): Outcome | null {
  if (!isRecord(data) || data.type !== "auth" || data.id !== id) return null;
  if (data.ok === true) return "ok";
  return data.reason === "canceled" ? "canceled" : "failed";
}

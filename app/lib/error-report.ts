// Loaded with the first error of a page: who is told of it.
import { type ErrorKind, errorText } from "./errors";

export interface ErrorReport {
  message: string;
  stack: string;
  url: string;
  build: string;
  kind: ErrorKind;
}

const MAX_REPORTS = 10;

/** Sends each error once, and at most 10. */
export function createReporter(send: (report: ErrorReport) => void) {
  const reported = new Set<string>();
  return (error: unknown, kind: ErrorKind, url: string, build: string): void => {
    const message = errorText(error);
    const stack = (error instanceof Error && error.stack) || "";
    const identity = message + stack;
    if (reported.size >= MAX_REPORTS || reported.has(identity)) return;
    reported.add(identity);
    send({ message, stack, url, build, kind });
  };
}

export const report = createReporter((errorReport) => {
  fetch("/api/client-errors", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(errorReport),
    keepalive: true,
  }).catch(() => {
    // Without a connection the report is lost.
  });
});

/**
 * Whether an uncaught error comes from the app's own code, so that the page may be broken. Network errors, browser
 * errors, and errors of third-party scripts are not fatal.
 */
export function isFatal(error: unknown, kind: ErrorKind): boolean {
  return (
    (kind === "window" || kind === "promise") &&
    error instanceof Error &&
    /^(Type|Range|Reference|)Error$/.test(error.name) &&
    /\/assets\/[^\s/]+\.js:\d/.test(error.stack ?? "")
  );
}

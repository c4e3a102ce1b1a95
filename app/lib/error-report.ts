// Loaded with the first error of a page: who is told of it.
import { type ErrorKind, errorText, isCrawler } from "./errors";
import type { ErrorPage } from "./types";
import { loadPage, type PageTable, type View } from "./view";

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

const send = createReporter((errorReport) => {
  fetch("/api/client-errors", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(errorReport),
    keepalive: true,
  }).catch(() => {
    // Without a connection the report is lost.
  });
});

export function report(error: unknown, kind: ErrorKind, url: string): void {
  send(error, kind, url, build());
}

/** The build of the document; empty if its data is broken. */
function build(): string {
  try {
    return JSON.parse(document.getElementById("page")?.textContent ?? "").shared.build;
  } catch {
    return "";
  }
}

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

/**
 * The error page in place of a view after an error while rendering, or a fatal one of the given kind. Null for other errors, for
 * crawlers, and if it is shown already.
 */
export async function errorView(
  error: unknown,
  kind: ErrorKind | undefined,
  { envelope }: View,
  pages: PageTable,
): Promise<View | null> {
  const page = "errors/error";
  if (kind && !isFatal(error, kind)) return null;
  if (isCrawler(navigator.userAgent) || envelope.page === page) return null;
  const message = errorText(error);
  const props: ErrorPage = { status: 500, message, request_id: null, confirm_href: null };
  return { envelope: { ...envelope, page, status: 500, props }, Page: await loadPage(pages, page) };
}

/** Where an error came from. */
export type ErrorKind = "render" | "hydration" | "window" | "promise" | "chunk";

export interface ErrorReport {
  message: string;
  stack: string;
  url: string;
  build: string;
  kind: ErrorKind;
}

type ErrorHook = (error: unknown, kind: ErrorKind) => unknown;

const hooks = new Set<ErrorHook>();

/** Every uncaught error of the app is passed to every hook. Returns a function that removes the hook. */
export function addErrorHook(hook: ErrorHook): () => void {
  hooks.add(hook);
  return () => hooks.delete(hook);
}

export function reportError(error: unknown, kind: ErrorKind): void {
  console.error(error);
  callHooks(error, kind);
}

function callHooks(error: unknown, kind: ErrorKind): void {
  for (const hook of hooks) {
    try {
      hook(error, kind);
    } catch (problem) {
      // A broken hook must not hide the error from the others.
      console.error(problem);
    }
  }
}

/** The message, or the string form of what was thrown. */
export function errorText(error: unknown): string {
  return (error instanceof Error && error.message) || String(error);
}

const MAX_REPORTS = 10;

/** A hook that reports to the server: each error once, and at most 10 per page load. */
export function createReporter(
  build: () => string,
  url: () => string,
  send: (report: ErrorReport) => void,
): ErrorHook {
  const reported = new Set<string>();
  return (error, kind) => {
    const message = errorText(error);
    const stack = (error instanceof Error && error.stack) || "";
    const identity = message + stack;
    if (reported.size >= MAX_REPORTS || reported.has(identity)) return;
    reported.add(identity);
    send({ message, stack, url: url(), build: build(), kind });
  };
}

/** Reports errors to the server, including uncaught errors and rejections. */
export function startErrorReporting(build: () => string): void {
  addErrorHook(createReporter(build, () => location.pathname, sendReport));
  // The browser has already logged these.
  addEventListener("error", (event) => callHooks(event.error ?? event.message, "window"));
  addEventListener("unhandledrejection", (event) => callHooks(event.reason, "promise"));
}

function sendReport(report: ErrorReport): void {
  fetch("/api/client-errors", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(report),
    keepalive: true,
  }).catch(() => {
    // Without a connection the report is lost.
  });
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

/** Crawlers get the server-rendered page instead of an error page. */
export function isCrawler(userAgent: string): boolean {
  // CUBOT is a phone brand, not a bot.
  return /(^|[^u]|[^c]u)bot|lighthouse|facebookexternalhit|facebookcatalog|google/i.test(userAgent);
}

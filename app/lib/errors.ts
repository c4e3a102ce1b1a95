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

/** Every uncaught error of the app reaches every hook. Returns what removes the hook. */
export function addErrorHook(hook: ErrorHook): () => void {
  hooks.add(hook);
  return () => hooks.delete(hook);
}

export function reportError(error: unknown, kind: ErrorKind): void {
  console.error(error);
  tellHooks(error, kind);
}

function tellHooks(error: unknown, kind: ErrorKind): void {
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

const MOST_REPORTS = 10;

/** A hook that tells the server: each error once, and at most 10 in the life of a page. */
export function createReporter(
  build: () => string,
  url: () => string,
  send: (report: ErrorReport) => void,
): ErrorHook {
  const told = new Set<string>();
  return (error, kind) => {
    const message = errorText(error);
    const stack = (error instanceof Error && error.stack) || "";
    const identity = message + stack;
    if (told.size >= MOST_REPORTS || told.has(identity)) return;
    told.add(identity);
    send({ message, stack, url: url(), build: build(), kind });
  };
}

/** Reports to the server, and takes in what nobody catches. */
export function startErrorReporting(build: () => string): void {
  addErrorHook(createReporter(build, () => location.pathname, sendReport));
  // What arrives here the browser has logged already.
  addEventListener("error", (event) => tellHooks(event.error ?? event.message, "window"));
  addEventListener("unhandledrejection", (event) => tellHooks(event.reason, "promise"));
}

function sendReport(report: ErrorReport): void {
  fetch("/api/client-errors", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(report),
    keepalive: true,
  }).catch(() => {
    // Without a connection nobody can be told.
  });
}

/**
 * Whether an error that nobody has caught leaves what the page shows unsure: a fault of the app's own code. What the network, the
 * browser or somebody else's script refuses does not.
 */
export function isFatal(error: unknown, kind: ErrorKind): boolean {
  return (
    (kind === "window" || kind === "promise") &&
    error instanceof Error &&
    /^(Type|Range|Reference|)Error$/.test(error.name) &&
    /\/assets\/[^\s/]+\.js:\d/.test(error.stack ?? "")
  );
}

/** Visitors who get no error page: what they came for is the page as the server wrote it. */
export function isCrawler(userAgent: string): boolean {
  // CUBOT makes phones.
  return /(^|[^u]|[^c]u)bot|lighthouse|facebookexternalhit|facebookcatalog|google/i.test(userAgent);
}

/** Where an error came from. */
export type ErrorKind = "render" | "hydration" | "window" | "promise" | "chunk";

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

/** Passes uncaught errors and rejections to the hooks too. The browser has already logged these. */
export function followUncaughtErrors(): void {
  addEventListener("error", (event) => callHooks(event.error ?? event.message, "window"));
  addEventListener("unhandledrejection", (event) => callHooks(event.reason, "promise"));
}

/** Crawlers get the server-rendered page instead of an error page. */
export function isCrawler(userAgent: string): boolean {
  // CUBOT is a phone brand, not a bot.
  return /(^|[^u]|[^c]u)bot|lighthouse|facebookexternalhit|facebookcatalog|google/i.test(userAgent);
}

const QUIET_MS = 1000;

/** Runs after the page has loaded, when the browser is idle. */
export function whenIdle(run: () => void): void {
  const idle =
    globalThis.requestIdleCallback ?? ((callback: () => void) => setTimeout(callback, 1));
  if (document.readyState === "complete") idle(run);
  else addEventListener("load", () => idle(run), { once: true });
}

/** Runs one second after `whenIdle`. */
export function whenQuiet(run: () => void): void {
  whenIdle(() => setTimeout(run, QUIET_MS));
}

interface Connection {
  saveData?: boolean;
  effectiveType?: string;
}

/** False on a metered or very slow connection, where nothing should be fetched in advance. */
export function mayFetchAhead(
  { connection }: { connection?: Connection | undefined } = navigator as object,
): boolean {
  return !connection?.saveData && !connection?.effectiveType?.endsWith("2g");
}

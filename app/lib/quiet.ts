const QUIET_MS = 1000;

/** After the page has loaded and the browser has nothing to do. */
export function whenIdle(run: () => void): void {
  const idle =
    globalThis.requestIdleCallback ?? ((callback: () => void) => setTimeout(callback, 1));
  if (document.readyState === "complete") idle(run);
  else addEventListener("load", () => idle(run), { once: true });
}

/** Another second later. */
export function whenQuiet(run: () => void): void {
  whenIdle(() => setTimeout(run, QUIET_MS));
}

interface Connection {
  saveData?: boolean;
  effectiveType?: string;
}

/** Nobody's metered or very slow connection is spent on guesses. */
export function affordable(
  { connection }: { connection?: Connection | undefined } = navigator as object,
): boolean {
  return !connection?.saveData && connection?.effectiveType !== "slow-2g";
}

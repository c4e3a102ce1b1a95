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

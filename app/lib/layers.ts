import type { Timers } from "./timers";

// Stacking order of what floats over the page: what was raised last lies on top.

/** Above anything that the page itself stacks. */
const FLOOR = 1000;
const CLEANUP_MS = 200;

const taken: number[] = [];

/**
 * A floating area that has a z-index only while something is in it.
 * `apply` gets the z-index, or null 200 ms after the area was left empty (what fades out must stay above).
 */
export function createLayer(timers: Timers, apply: (zIndex: number | null) => void) {
  let level: number | null = null;
  let stopCleanup = () => {};

  function giveBack(): void {
    if (level !== null) taken.splice(taken.indexOf(level), 1);
    level = null;
  }

  return {
    /** Puts it on top of all others; a `base` of 0 means the shop's own floor. */
    raise(base: number): void {
      stopCleanup();
      giveBack();
      level = Math.max(base || FLOOR, ...taken) + 1;
      taken.push(level);
      apply(level);
    },
    leave(): void {
      stopCleanup();
      stopCleanup = timers.after(CLEANUP_MS, () => {
        giveBack();
        apply(null);
      });
    },
  };
}

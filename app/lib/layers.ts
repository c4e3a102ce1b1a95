import type { Timers } from "./timers";

// Stacking order of floating areas: the one that was raised last is on top.

/** Above anything that the page itself stacks. */
const MIN_Z_INDEX = 1000;
const CLEANUP_MS = 200;

const usedLevels: number[] = [];

/**
 * A floating area that has a z-index only while it is not empty.
 * `apply` receives the z-index, or null 200 ms after the area became empty (its content must stay on top while it fades out).
 */
export function createLayer(timers: Timers, apply: (zIndex: number | null) => void) {
  let level: number | null = null;
  let stopCleanup = () => {};

  function release(): void {
    if (level !== null) usedLevels.splice(usedLevels.indexOf(level), 1);
    level = null;
  }

  return {
    /** Moves the area above all others. A `base` of 0 means the default minimum z-index. */
    raise(base: number): void {
      stopCleanup();
      release();
      level = Math.max(base || MIN_Z_INDEX, ...usedLevels) + 1;
      usedLevels.push(level);
      apply(level);
    },
    leave(): void {
      stopCleanup();
      stopCleanup = timers.after(CLEANUP_MS, () => {
        release();
        apply(null);
      });
    },
  };
}

/** A clock and what to wait with; tests bring their own. */
export interface Timers {
  /** Milliseconds from an arbitrary start; never goes back. */
  now(): number;
  /** Returns what undoes it. */
  after(ms: number, run: () => void): () => void;
}

export const timers: Timers = {
  now: () => performance.now(),
  after(ms, run) {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
};

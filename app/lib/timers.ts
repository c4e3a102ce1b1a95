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

const LIMIT_MS = 10_000;

/** Ends a call that takes longer than 10 s, or that nobody wants any more. */
export function timeLimit(signal?: AbortSignal | null, ms = LIMIT_MS): AbortSignal {
  const limit = AbortSignal.timeout(ms);
  return signal ? AbortSignal.any([signal, limit]) : limit;
}

/** A clock and a timer; tests have their own. */
export interface Timers {
  /** Milliseconds from an arbitrary start; never goes back. */
  now(): number;
  /** Returns a function that cancels the timer. */
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

/** Aborts after 10 s, or together with `signal`. */
export function timeLimit(signal?: AbortSignal | null, ms = LIMIT_MS): AbortSignal {
  const limit = AbortSignal.timeout(ms);
  return signal ? AbortSignal.any([signal, limit]) : limit;
}

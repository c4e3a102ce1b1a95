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
  // Safari before 17.4 and Firefox before 124 have no `AbortSignal.any`.
  const either = new AbortController();
  for (const each of [signal, AbortSignal.timeout(ms)]) {
    const abort = () => either.abort(each?.reason);
    if (each?.aborted) abort();
    // The last argument is read for its `signal`, which ends the listening: what the caller has may live for days.
    else each?.addEventListener("abort", abort, either);
  }
  return either.signal;
}

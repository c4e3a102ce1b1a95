import { useEffect, useEffectEvent, useState } from "react";
import { ApiError } from "../../lib/api";

const INTERVAL_MS = 15_000;

export interface Live {
  state: "Live" | "Not connected" | "Paused";
  /** Stops the calls, or goes on with them. */
  togglePause: () => void;
}

/**
 * Repeats a call every 15 seconds while the page is visible and nobody has paused it. Returns its last response, or the
 * page's own data if there is none newer, and whether the last call succeeded.
 */
export function useLive<T>(fetchData: (signal: AbortSignal) => Promise<T>, initial: T): [T, Live] {
  const [latest, setLatest] = useState<{ of: T; data: T } | null>(null);
  const [isConnected, setConnected] = useState(true);
  const [pause, setPause] = useState<"never" | "now" | "over">("never");
  const fetchLatest = useEffectEvent(fetchData);
  useEffect(() => {
    if (pause === "now") return;
    const stop = new AbortController();
    let timer = 0;
    // After a pause, at once.
    let lastRequestAt = pause === "over" ? 0 : Date.now();

    async function poll(): Promise<void> {
      lastRequestAt = Date.now();
      try {
        const data = await fetchLatest(stop.signal);
        setLatest({ of: initial, data });
        setConnected(true);
      } catch (error) {
        if (stop.signal.aborted) return;
        if (!(error instanceof ApiError)) throw error;
        setConnected(false);
        // Signed out or without permission: further calls would fail, too.
        if (error.status === 401 || error.status === 403) stop.abort();
      }
    }
    function schedule(): void {
      clearTimeout(timer);
      if (document.hidden || stop.signal.aborted) return;
      const wait = Math.max(0, lastRequestAt + INTERVAL_MS - Date.now());
      timer = window.setTimeout(() => void poll().finally(schedule), wait);
    }

    schedule();
    document.addEventListener("visibilitychange", schedule, { signal: stop.signal });
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [initial, pause]);
  return [
    latest?.of === initial ? latest.data : initial,
    {
      state: pause === "now" ? "Paused" : isConnected ? "Live" : "Not connected",
      togglePause: () => setPause(pause === "now" ? "over" : "now"),
    },
  ];
}

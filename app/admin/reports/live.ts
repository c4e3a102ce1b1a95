import { useEffect, useEffectEvent, useState } from "react";
import { ApiError } from "../../lib/api";

const EVERY_MS = 15_000;

/**
 * Repeats a call every 15 seconds while the page is visible. Returns its last response, or the page's own data if there is
 * none newer, and whether the last call succeeded.
 */
export function useLive<T>(ask: (signal: AbortSignal) => Promise<T>, brought: T): [T, boolean] {
  const [latest, setLatest] = useState<{ of: T; data: T } | null>(null);
  const [isLive, setLive] = useState(true);
  const askAgain = useEffectEvent(ask);
  useEffect(() => {
    const stop = new AbortController();
    let timer = 0;
    let asked = Date.now();

    async function look(): Promise<void> {
      asked = Date.now();
      try {
        const data = await askAgain(stop.signal);
        setLatest({ of: brought, data });
        setLive(true);
      } catch (error) {
        if (stop.signal.aborted) return;
        if (!(error instanceof ApiError)) throw error;
        setLive(false);
        // Signed out or without permission: further calls would fail, too.
        if (error.status === 401 || error.status === 403) stop.abort();
      }
    }
    function plan(): void {
      clearTimeout(timer);
      if (document.hidden || stop.signal.aborted) return;
      const wait = Math.max(0, asked + EVERY_MS - Date.now());
      timer = window.setTimeout(() => void look().finally(plan), wait);
    }

    plan();
    document.addEventListener("visibilitychange", plan, { signal: stop.signal });
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [brought]);
  return [latest?.of === brought ? latest.data : brought, isLive];
}

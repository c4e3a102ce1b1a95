import type { Timers } from "./timers";
import type { ActivityEvent } from "./types";

const REPORT_MS = 300_000;
const SHORTEST_MS = 30_000;

/**
 * Measures how long the page is visible. Reports the seconds since it became visible: every 300 s, and when the page is
 * hidden after more than 30 s.
 */
export function createSession(timers: Timers, report: (seconds: number) => void) {
  let since: number | null = null;
  let cancel = () => {};

  function seconds(from: number): number {
    return Math.round((timers.now() - from) / 1000);
  }

  function schedule(from: number, ms: number): void {
    cancel = timers.after(ms, () => {
      report(seconds(from));
      schedule(from, REPORT_MS);
    });
  }

  return {
    /** `from` is the time at which the page became visible, if that was before now. */
    begin(from = timers.now()): void {
      if (since !== null) return;
      since = from;
      // The first report is due just past 300 s.
      schedule(from, from + REPORT_MS + 1 - timers.now());
    },
    end(): void {
      if (since === null) return;
      cancel();
      const from = since;
      since = null;
      if (timers.now() - from > SHORTEST_MS) report(seconds(from));
    },
  };
}

const SEARCH_DELAY_MS = 1_000;
const SHORTEST_SEARCH = 3;
const LONGEST_SEARCH = 200;

/** Reports the search text once the visitor has not typed for a second. */
export function createSearchWatch(timers: Timers, report: (text: string) => void) {
  let cancel = () => {};
  let last = "";
  return (typed: string): void => {
    cancel();
    const letters = [...typed.replace(/[\s\p{Cc}]+/gu, " ").trim()];
    const text = letters.slice(0, LONGEST_SEARCH).join("").trim();
    if (letters.length < SHORTEST_SEARCH || text === last) return;
    cancel = timers.after(SEARCH_DELAY_MS, () => {
      last = text;
      report(text);
    });
  };
}

const GATHER_MS = 2_000;
const ENOUGH = 20;
/** The server accepts no more per request. */
const MOST = 50;

/** Sends events in batches. When `send` returns false (offline), its events are sent with the next batch. */
export function createBatch(
  timers: Timers,
  send: (events: ActivityEvent[], leaving: boolean) => boolean,
) {
  let waiting: ActivityEvent[] = [];
  let cancel: (() => void) | null = null;

  function flush(leaving = false): void {
    cancel?.();
    cancel = null;
    if (waiting.length > 0 && send(waiting, leaving)) waiting = [];
  }

  return {
    flush,
    add(event: ActivityEvent): void {
      waiting = [...waiting, event].slice(-MOST);
      if (waiting.length >= ENOUGH) flush();
      else cancel ??= timers.after(GATHER_MS, flush);
    },
  };
}

/** Adds the page and the session to each event. Drops a page view without a page, or of the same page again. */
export function createLabeler(sessionId: string | null) {
  let page: string | null = null;
  return (event: ActivityEvent): ActivityEvent | null => {
    if (event.type === "page_view") {
      if (!event.page || event.page === page) return null;
      page = event.page;
    }
    return { ...event, page: event.page ?? page, session_id: sessionId };
  };
}

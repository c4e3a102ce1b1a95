import type { Timers } from "./timers";
import type { ActivityEvent } from "./types";

const REPORT_MS = 300_000;
const MIN_SESSION_MS = 30_000;

/**
 * Measures how long the page is visible. Reports the seconds since it became visible: every 300 s, and when the page is
 * hidden after more than 30 s.
 */
export function createSession(timers: Timers, report: (seconds: number) => void) {
  let since: number | null = null;
  let cancel = () => {};

  function seconds(from: number): number {
    // The server accepts at most a day.
    return Math.min(86_400, Math.round((timers.now() - from) / 1000));
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
      if (timers.now() - from > MIN_SESSION_MS) report(seconds(from));
    },
  };
}

const SEARCH_DELAY_MS = 1_000;
const MIN_SEARCH_LENGTH = 3;
const MAX_SEARCH_LENGTH = 200;

/** Reports the search text once the visitor has not typed for a second. */
export function createSearchWatch(timers: Timers, report: (text: string) => void) {
  let cancel = () => {};
  let last = "";
  return (typed: string): void => {
    cancel();
    const characters = [...typed.replace(/[\s\p{Cc}]+/gu, " ").trim()];
    const text = characters.slice(0, MAX_SEARCH_LENGTH).join("").trim();
    if (characters.length < MIN_SEARCH_LENGTH || text === last) return;
    cancel = timers.after(SEARCH_DELAY_MS, () => {
      last = text;
      report(text);
    });
  };
}

const BATCH_DELAY_MS = 2_000;
const BATCH_SIZE = 20;
/** The server accepts no more per request. */
const MAX_EVENTS = 50;

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
      waiting = [...waiting, event].slice(-MAX_EVENTS);
      if (waiting.length >= BATCH_SIZE) flush();
      else cancel ??= timers.after(BATCH_DELAY_MS, flush);
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

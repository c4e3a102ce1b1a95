import type { Timers } from "./timers";
import type { ActivityEvent } from "./types";

const REPORT_MS = 300_000;
const SHORTEST_MS = 30_000;

/**
 * How long the page is active, which is while it can be seen. Reported in seconds: every 300 s once it is more than that,
 * and at the end when that is after more than 30 s.
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
    /** `from` when it has been active for a while. */
    begin(from = timers.now()): void {
      if (since !== null) return;
      since = from;
      // The first millisecond over 300 s.
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

/** Reports what is searched for when the visitor has not typed for a second. */
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
/** The server takes no more at once. */
const MOST = 50;

/** Sends events together. What `send` does not take, as when there is no connection, goes with the next ones. */
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

/** Gives each event the page it happened on and the session. Another state of the same page is no new view. */
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

import { createBatch, createLabeler, createSearchWatch, createSession } from "./activity";
import { objects, startBeacon } from "./beacon";
import { session } from "./storage";
import { timeLimit, timers } from "./timers";
import type { ActivityEvent, Envelope } from "./types";

// Reports the visitor's activity to the server and loads the traffic beacon. Loaded when the page is idle (`track.ts`).

const SESSION_KEY = "shop.session";

const { api_base, beacon } = shared();
const address = `${api_base?.replace(/\/+$/, "") ?? ""}/api/me/activity`;

/** Records one event; does nothing if the visitor has opted out of tracking. */
export const record: (event: ActivityEvent) => void = objects(navigator) ? () => {} : start();

function start(): (event: ActivityEvent) => void {
  const label = createLabeler(sessionId());
  const batch = createBatch(timers, send);

  function take(event: ActivityEvent): void {
    const labeled = label(event);
    if (labeled) batch.add(labeled);
  }

  function note(type: ActivityEvent["type"], about: Partial<ActivityEvent>): void {
    take({ ...about, type, timestamp: new Date().toISOString() });
  }

  const active = createSession(timers, (session_duration) =>
    note("session_activity", { session_duration }),
  );
  const searched = createSearchWatch(timers, (action) => note("search", { action }));

  function leave(): void {
    active.end();
    batch.flush(true);
  }

  document.addEventListener("visibilitychange", () => {
    if (document.hidden) leave();
    else active.begin();
  });
  addEventListener("pagehide", leave);
  // The clock of `timers` starts at 0 with the document.
  if (!document.hidden) active.begin(0);

  document.addEventListener("input", ({ target }) => {
    if (target instanceof HTMLInputElement && target.type === "search") searched(target.value);
  });
  document.addEventListener("click", ({ target }) => {
    const element =
      target instanceof Element ? target.closest<HTMLElement>("[data-feature]") : null;
    const feature = element?.dataset.feature;
    if (feature) note("feature_usage", { feature });
  });
  return take;
}

/** A random id that lasts as long as the tab; null if none can be generated. */
function sessionId(): string | null {
  const kept = session.read(SESSION_KEY, (value) => typeof value === "string");
  if (kept) return kept;
  // Missing in insecure contexts (plain HTTP).
  const id = crypto.randomUUID?.() ?? null;
  if (id) session.write(SESSION_KEY, id);
  return id;
}

function send(events: ActivityEvent[], leaving: boolean): boolean {
  if (!navigator.onLine) return false;
  const body = JSON.stringify({ events });
  // A page that is being closed cannot wait for a fetch. A beacon is sent as plain text because it cannot set headers.
  if (leaving) return navigator.sendBeacon(address, body);
  fetch(address, {
    method: "POST",
    headers: { "content-type": "application/json" },
    credentials: "include",
    body,
    keepalive: true,
    signal: timeLimit(),
  }).then(
    ({ ok, status }) => ok || complain(status),
    (error: unknown) => navigator.onLine && complain(error),
  );
  return true;
}

function complain(cause: unknown): void {
  console.warn("Activity was not recorded:", cause);
}

function shared(): Envelope["shared"] {
  return (JSON.parse(document.getElementById("page")?.textContent ?? "") as Envelope).shared;
}

startBeacon(beacon);

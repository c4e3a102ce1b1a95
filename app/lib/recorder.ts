import { createBatch, createLabeler, createSearchWatch, createSession } from "./activity";
import { objects, startBeacon } from "./beacon";
import { session } from "./storage";
import { timeLimit, timers } from "./timers";
import type { ActivityEvent, Envelope } from "./types";

// Watches what the visitor does and tells the server, and loads the traffic beacon. Fetched when the page is quiet
// (`track.ts`); evaluated once.

const SESSION_KEY = "shop.session";

const { api_base, beacon } = shared();
const address = `${api_base?.replace(/\/+$/, "") ?? ""}/api/me/activity`;

/** Takes one event in; nothing when the visitor's browser objects to being tracked. */
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
  // The clock of `timers` began with the document.
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

/** A random id that is forgotten with the tab; null where none can be made. */
function sessionId(): string | null {
  const kept = session.read(SESSION_KEY, (value) => typeof value === "string");
  if (kept) return kept;
  // Missing where the page is not secure.
  const id = crypto.randomUUID?.() ?? null;
  if (id) session.write(SESSION_KEY, id);
  return id;
}

function send(events: ActivityEvent[], leaving: boolean): boolean {
  if (!navigator.onLine) return false;
  const body = JSON.stringify({ events });
  // A page that goes away cannot wait; a beacon goes as plain text, for it can set no header.
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

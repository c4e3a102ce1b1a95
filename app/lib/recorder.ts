import { createBatch, createLabeler, createSearchWatch, createSession } from "./activity";
import { optedOutOfTracking, startBeacon } from "./beacon";
import { session } from "./storage";
import { timeLimit, timers } from "./timers";
import type { ActivityEvent, Envelope } from "./types";

// Reports the visitor's activity to the server and loads the traffic beacon. Loaded when the page is idle (`track.ts`).

const SESSION_KEY = "shop.session";

const { api_base, beacon } = shared();
const address = `${api_base ?? ""}/api/me/activity`;

/** Records one event; does nothing if the visitor has opted out of tracking. */
export const record: (event: ActivityEvent) => void = optedOutOfTracking(navigator)
  ? () => {}
  : start();

function start(): (event: ActivityEvent) => void {
  const label = createLabeler(sessionId());
  const batch = createBatch(timers, send);

  function add(event: ActivityEvent): void {
    const labeled = label(event);
    if (labeled) batch.add(labeled);
  }

  function addEvent(type: ActivityEvent["type"], about: Partial<ActivityEvent>): void {
    add({ ...about, type, timestamp: new Date().toISOString() });
  }

  const visibleTime = createSession(timers, (session_duration) =>
    addEvent("session_activity", { session_duration }),
  );
  const watchSearch = createSearchWatch(timers, (action) => addEvent("search", { action }));

  function leave(): void {
    visibleTime.end();
    batch.flush(true);
  }

  document.addEventListener("visibilitychange", () => {
    if (document.hidden) leave();
    else visibleTime.begin();
  });
  addEventListener("pagehide", leave);
  // The clock of `timers` starts at 0 with the document.
  if (!document.hidden) visibleTime.begin(0);

  document.addEventListener("input", ({ target }) => {
    if (target instanceof HTMLInputElement && target.name === "q") watchSearch(target.value);
  });
  document.addEventListener("click", ({ target }) => {
    const element =
      target instanceof Element ? target.closest<HTMLElement>("[data-feature]") : null;
    const feature = element?.dataset.feature;
    if (feature) addEvent("feature_usage", { feature });
  });
  return add;
}

/** A random id that lasts as long as the tab; null if none can be generated. */
function sessionId(): string | null {
  const stored = session.read(SESSION_KEY, (value) => typeof value === "string");
  if (stored) return stored;
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
    ({ ok, status }) => ok || warn(status),
    (error: unknown) => navigator.onLine && warn(error),
  );
  return true;
}

function warn(cause: unknown): void {
  console.warn("Activity was not recorded:", cause);
}

function shared(): Envelope["shared"] {
  return (JSON.parse(document.getElementById("page")?.textContent ?? "") as Envelope).shared;
}

startBeacon(beacon);

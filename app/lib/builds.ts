import { isRecord } from "./storage";
import { timeLimit } from "./timers";

const POLL_MS = 3_600_000;
const MIN_CHECK_INTERVAL_MS = 60_000;

/** Checks whether the server has a newer build than the one that runs here. */
export function createBuildWatch(
  current: string,
  fetchJson: (path: string) => Promise<unknown>,
  now: () => number,
) {
  let outdated = false;
  let lastCheck = now();

  async function check(): Promise<void> {
    if (outdated) return;
    lastCheck = now();
    try {
      const id = buildId(await fetchJson("/builds/latest.json"));
      if (id === null || id === current) return;
      // During a rolling deployment the announced build may not be reachable yet.
      outdated = buildId(await fetchJson(metaOf(id))) === id;
    } catch {
      // Offline, or the server is restarting: the next check will find out.
    }
  }

  return {
    check,
    /** Checks that the current build is still served: a cached document may be older than the last deployment. */
    async confirm(): Promise<void> {
      const meta = await fetchJson(metaOf(current)).catch(() => null);
      if (buildId(meta) !== current) await check();
    },
    /** Checks when the visitor returns to the tab, at most once a minute. */
    async checkOnReturn(): Promise<void> {
      if (now() - lastCheck >= MIN_CHECK_INTERVAL_MS) await check();
    },
    outdated: () => outdated,
  };
}

const metaOf = (id: string) => `/builds/meta/${encodeURIComponent(id)}.json`;

function buildId(answer: unknown): string | null {
  return isRecord(answer) && typeof answer.id === "string" ? answer.id : null;
}

/**
 * Loaded when the page is idle. Checks now if `immediately` is set, then hourly and on return to the tab. The returned
 * function says whether the next navigation must be a full page load.
 */
export function watchBuilds(current: string, immediately: boolean): () => boolean {
  const watch = createBuildWatch(current, fetchJson, () => Date.now());
  if (immediately) void watch.confirm();
  setInterval(watch.check, POLL_MS);
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "visible") void watch.checkOnReturn();
  });
  return watch.outdated;
}

async function fetchJson(path: string): Promise<unknown> {
  const response = await fetch(path, { cache: "no-store", signal: timeLimit() });
  if (!response.ok) throw new Error(`${path} answered ${response.status}`);
  return response.json();
}

import { isRecord, type JsonStorage, session } from "./storage";

const POLL_MS = 3_600_000;
const LOOK_AGAIN_MS = 60_000;

/** Learns whether the server has a newer build than the one that runs here. */
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
      outdated = buildId(await fetchJson(`/builds/meta/${encodeURIComponent(id)}.json`)) === id;
    } catch {
      // Offline, or the server restarts: the next check tells.
    }
  }

  return {
    check,
    /** A check for somebody who comes back to the tab, at most once a minute. */
    async checkOnReturn(): Promise<void> {
      if (now() - lastCheck >= LOOK_AGAIN_MS) await check();
    },
    outdated: () => outdated,
  };
}

function buildId(answer: unknown): string | null {
  return isRecord(answer) && typeof answer.id === "string" ? answer.id : null;
}

/** Polls hourly and on return to the tab. Answers the question whether the next navigation must be a full load. */
export function watchBuilds(current: string): () => boolean {
  const watch = createBuildWatch(current, fetchJson, () => Date.now());
  setInterval(watch.check, POLL_MS);
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "visible") void watch.checkOnReturn();
  });
  return watch.outdated;
}

async function fetchJson(path: string): Promise<unknown> {
  const response = await fetch(path, { cache: "no-store" });
  if (!response.ok) throw new Error(`${path} answered ${response.status}`);
  return response.json();
}

export const RELOAD_KEY = "shop.reload";
const RELOAD_GUARD_MS = 10_000;

/** Allows one recovery reload per path in 10 s, across the reloads themselves. */
export function createReloadGuard(storage: JsonStorage, now: () => number) {
  return (path: string): boolean => {
    const last = storage.read(RELOAD_KEY, isReload);
    if (last && last.path === path && now() - last.time < RELOAD_GUARD_MS) return false;
    // Without a memory nothing would stop a loop of reloads.
    return storage.write(RELOAD_KEY, { path, time: now() });
  };
}

function isReload(value: unknown): value is { path: string; time: number } {
  return isRecord(value) && typeof value.path === "string" && Number.isFinite(value.time);
}

export const mayReload = createReloadGuard(session, () => Date.now());

import { isRecord, type JsonStorage, session } from "./storage";

export const RELOAD_KEY = "shop.reload";
const RELOAD_GUARD_MS = 10_000;

/** Allows one recovery reload per path within 10 s; the times survive the reloads. */
export function createReloadGuard(storage: JsonStorage, now: () => number) {
  return (path: string): boolean => {
    const times = Object.entries(storage.read(RELOAD_KEY, isRecord) ?? {});
    const recent = times.filter(([, time]) => now() - Number(time) < RELOAD_GUARD_MS);
    if (recent.some(([each]) => each === path)) return false;
    // Without storage nothing would stop a reload loop.
    return storage.write(RELOAD_KEY, Object.fromEntries([...recent, [path, now()]]));
  };
}

export const mayReload = createReloadGuard(session, () => Date.now());

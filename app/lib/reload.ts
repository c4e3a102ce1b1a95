import { isRecord, type JsonStorage, session } from "./storage";

export const RELOAD_KEY = "shop.reload";
const RELOAD_GUARD_MS = 10_000;

/** Allows one recovery reload per path in 10 s, across the reloads themselves. */
export function createReloadGuard(storage: JsonStorage, now: () => number) {
  return (path: string): boolean => {
    const times = Object.entries(storage.read(RELOAD_KEY, isRecord) ?? {});
    const recent = times.filter(([, time]) => now() - Number(time) < RELOAD_GUARD_MS);
    if (recent.some(([each]) => each === path)) return false;
    // Without a memory nothing would stop a loop of reloads.
    return storage.write(RELOAD_KEY, Object.fromEntries([...recent, [path, now()]]));
  };
}

export const mayReload = createReloadGuard(session, () => Date.now());

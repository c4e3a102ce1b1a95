import { isRecord, type JsonStorage, local } from "./storage";

export const AGE_KEY = "shop.age";
const LIFETIME_MS = 24 * 60 * 60 * 1000;

/**
 * Remembers that the server has set its age cookie, which scripts cannot read. This does not open the gate: it only
 * tells a page that was rendered with the gate that it should ask the server again.
 */
export function createAgeMirror(storage: JsonStorage, now: () => number) {
  return {
    rememberVerified(): void {
      storage.write(AGE_KEY, { verified_at: now() });
    },
    /** True for 24 hours after the verification. */
    wasVerified(): boolean {
      const entry = storage.read(AGE_KEY, isEntry);
      if (!entry) return false;
      const age = now() - entry.verified_at;
      if (age >= 0 && age < LIFETIME_MS) return true;
      storage.remove(AGE_KEY);
      return false;
    },
    forgetVerified(): void {
      storage.remove(AGE_KEY);
    },
  };
}

function isEntry(value: unknown): value is { verified_at: number } {
  return isRecord(value) && Number.isFinite(value.verified_at);
}

export const { rememberVerified, wasVerified, forgetVerified } = createAgeMirror(local, () =>
  Date.now(),
);

import { isRecord, type JsonStorage, local } from "./storage";

export const AGE_KEY = "shop.age";
const LIFETIME_MS = 24 * 60 * 60 * 1000;

/**
 * A mirror of the server's age cookie, which scripts cannot read. It opens no gate: it only tells a page that was
 * rendered behind the gate that it is worth asking the server again.
 */
export function createAgeMirror(storage: JsonStorage, now: () => number) {
  return {
    rememberVerified(): void {
      storage.write(AGE_KEY, { verified_at: now() });
    },
    /** True for 24 hours after the verification. */
    rememberedVerified(): boolean {
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

export const { rememberVerified, rememberedVerified, forgetVerified } = createAgeMirror(local, () =>
  Date.now(),
);

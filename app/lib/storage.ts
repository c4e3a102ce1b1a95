/**
 * JSON in web storage. Storage can be missing (server), forbidden (private windows, policies), full, or written by other
 * code. None of that may break a page, so a failed read returns null and a failed write returns false.
 */
export interface JsonStorage {
  /** Null if absent or rejected by `accept`; a rejected value is removed. */
  read<T>(key: string, accept: (value: unknown) => value is T): T | null;
  write(key: string, value: unknown): boolean;
  remove(key: string): void;
}

export function jsonStorage(area: () => Storage | null | undefined): JsonStorage {
  function remove(key: string): void {
    try {
      area()?.removeItem(key);
    } catch {
      // Forbidden storage holds nothing to remove.
    }
  }
  return {
    read<T>(key: string, accept: (value: unknown) => value is T): T | null {
      try {
        const text = area()?.getItem(key);
        if (text == null) return null;
        const value: unknown = JSON.parse(text);
        if (accept(value)) return value;
      } catch {
        // Not JSON, or storage is forbidden.
      }
      remove(key);
      return null;
    },
    write(key, value) {
      try {
        const storage = area();
        storage?.setItem(key, JSON.stringify(value));
        return storage != null;
      } catch {
        return false;
      }
    },
    remove,
  };
}

// Through a function, because just accessing `localStorage` throws where it is forbidden.
export const local: JsonStorage = jsonStorage(() => globalThis.localStorage);
export const session: JsonStorage = jsonStorage(() => globalThis.sessionStorage);

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

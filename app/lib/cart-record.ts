// What two carts are compared by, and what a browser remembers of their last sync.
import { type CartItem, LIFETIME_MS } from "./cart";
import { isRecord } from "./storage";

/** The fields by which two carts are compared. */
export interface LineState {
  id: string;
  qty: number;
  saved: boolean;
}

/** The state of the last sync, shared by all tabs of this browser. */
export interface SyncRecord {
  user: string;
  /** No answer of the server is known: there was none yet, or it is too old. */
  isNew?: boolean;
  /** The server's lines as of the last sync; null before the first merge. */
  base: LineState[] | null;
  /** Lines that were sent but not confirmed: the server may or may not have them. */
  sent: LineState[] | null;
  promo: string | null;
  /** The guest's cart cookie as of the last sync. */
  cookie?: string;
  /** Milliseconds since 1970. */
  at: number;
}

export const GUEST = "guest";

/** The server's lines, except for those that changed in this browser since `sent`. */
export function mergedItems(
  cart: { items: readonly (CartItem & { availability?: unknown })[] },
  sent: readonly LineState[],
  now: readonly CartItem[],
): readonly CartItem[] {
  const changed = (id: string) => !isEqual(find(sent, id), find(now, id));
  const servers = cart.items.flatMap(({ availability: _, ...line }): CartItem[] => {
    const mine = now.find(({ id }) => id === line.id);
    // Keep fields that the server does not send.
    if (!changed(line.id)) return [{ ...mine, ...line }];
    return mine ? [{ ...mine, ...line, qty: mine.qty, saved: mine.saved ?? false }] : [];
  });
  const added = now.filter(({ id }) => changed(id) && !cart.items.some((line) => line.id === id));
  return [...servers, ...added];
}

export function lineStates(
  items: readonly { id: string; qty: number; saved?: boolean }[],
): LineState[] {
  return items.map(({ id, qty, saved = false }) => ({ id, qty, saved }));
}

export function find<T extends { id: string }>(items: readonly T[], id: string): T | undefined {
  return items.find((item) => item.id === id);
}

export function isEqual(
  a: Partial<LineState> | undefined,
  b: Partial<LineState> | undefined,
): boolean {
  return a?.qty === b?.qty && Boolean(a?.saved) === Boolean(b?.saved);
}

export function isSyncRecord(value: unknown): value is SyncRecord {
  const isList = (list: unknown) =>
    list === null || (Array.isArray(list) && list.every(isLineState));
  return (
    isRecord(value) &&
    typeof value.user === "string" &&
    isList(value.base) &&
    isList(value.sent) &&
    Number.isFinite(value.at)
  );
}

/** A record is valid for as long as the cart (`lib/cart.ts`). */
export function isFresh({ at }: SyncRecord, now: number): boolean {
  return now - at < LIFETIME_MS;
}

function isLineState(value: unknown): value is LineState {
  return isRecord(value) && typeof value.id === "string" && Number.isSafeInteger(value.qty);
}

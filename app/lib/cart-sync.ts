// Keeps the browser's cart and the server's cart in sync, for accounts and for guests.
import type { ApiError } from "./api";
import { type CartItem, LIFETIME_MS, SYNC_KEY } from "./cart";
import { isRecord, type JsonStorage } from "./storage";
import type { Timers } from "./timers";
import type { Cart, CartSync } from "./types";

/** The fields by which two carts are compared. */
export interface LineState {
  id: string;
  qty: number;
  saved: boolean;
}

/** The state of the last sync, shared by all tabs of this browser. */
export interface SyncRecord {
  user: string;
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

export interface SyncHost {
  /** The account's id, or `GUEST`. */
  user: string;
  /** Storage key of the sync record. */
  key: string;
  /** The guest's cart cookie. While it is unchanged, there is nothing new to fetch. */
  cookie?: () => string;
  storage: JsonStorage;
  timers: Timers;
  /** Milliseconds since 1970. */
  now(): number;
  get(): Promise<Cart>;
  push(body: CartSync): Promise<Cart>;
  items(): readonly CartItem[];
  /** Changes the browser's cart, starting from what is stored at this moment. */
  edit(change: (items: readonly CartItem[]) => readonly CartItem[]): void;
  promo(): string | null;
  setPromo(code: string | null): void;
  /** Shows the server's messages about changes. */
  notify(messages: string[]): void;
  /** Runs only one piece of work at a time across all tabs of this browser. */
  exclusive(work: () => Promise<void>): Promise<void>;
  failure(error: unknown): ApiError | null;
  isOnline(): boolean;
  log(error: unknown): void;
}

export const GUEST = "guest";
/** Storage key of a guest's sync record. */
export const GUEST_KEY = "shop.cart.guest";

const DELAY_MS = 400;
/** Minimum time between requests while nothing changes in this browser. */
const FRESH_MS = 30_000;

/**
 * Local changes are sent together with the server's last known lines, so that the server can tell a change from stale
 * data. The response replaces the cart, except for lines that changed during the request. A failed sync is retried at the
 * next change or return to the page.
 */
export function createCartSync(host: SyncHost) {
  let lastRequestAt = Number.NEGATIVE_INFINITY;
  let running = false;
  let rerun = false;
  let fetchDue = false;
  let stopped = false;
  let cancel = () => {};

  function record(): SyncRecord {
    const stored = host.storage.read(host.key, isSyncRecord);
    // An expired cart was removed from storage (`lib/cart.ts`). That must not look as if the shopper had emptied it.
    return stored?.user === host.user && host.now() - stored.at < LIFETIME_MS
      ? stored
      : { user: host.user, base: null, sent: null, promo: null, at: host.now() };
  }

  function isDirty(): boolean {
    const { base, sent, promo } = record();
    const here = lineStates(host.items());
    return !base || sent !== null || !areEqual(here, base) || promo !== host.promo();
  }

  function mayBeBehind(): boolean {
    return !host.cookie || host.cookie() !== (record().cookie ?? "");
  }

  async function run(): Promise<void> {
    if (running) {
      rerun = true;
      return;
    }
    // The `online` event starts the next sync.
    if (!host.isOnline()) return;
    running = true;
    try {
      do {
        rerun = false;
        await host.exclusive(exchange);
      } while (rerun && !stopped);
    } catch (error) {
      // The session has ended; the next page load handles it.
      if (host.failure(error)?.status === 401) stop();
      else if (host.isOnline()) host.log(error);
    } finally {
      running = false;
    }
  }

  async function exchange(): Promise<void> {
    if (stopped) return;
    const before = record();
    const here = lineStates(host.items());
    const promo = host.promo();
    const mustPush = isDirty();
    // Another tab has already synced.
    if (!mustPush && !fetchDue) return;
    fetchDue = false;
    lastRequestAt = host.timers.now();
    let cart: Cart;
    if (mustPush) {
      const base = baseFor(before, here);
      host.storage.write(host.key, { ...before, base, sent: here, at: host.now() });
      const prices = new Map(host.items().map(({ id, price }) => [id, price]));
      const items = here.map((item) => ({ ...item, price: prices.get(item.id) ?? null }));
      cart = await host.push({ items, base, promo_code: promo });
    } else {
      cart = await host.get();
    }
    if (stopped) return;
    const base = lineStates(cart.items);
    const cookie = host.cookie?.();
    const after = { user: host.user, base, sent: null, promo: cart.promo_code, at: host.now() };
    host.storage.write(host.key, cookie === undefined ? after : { ...after, cookie });
    host.edit((now) => mergedItems(cart, here, now));
    if (host.promo() === promo) host.setPromo(cart.promo_code);
    if (cart.changes.length > 0) host.notify(cart.changes.map(({ message }) => message));
    // Something changed during the request.
    if (isDirty()) rerun = true;
  }

  function stop(): void {
    stopped = true;
    cancel();
  }

  return {
    /** The cart or the promo code may have changed in this browser. */
    changed(): void {
      if (stopped || !isDirty()) return;
      cancel();
      cancel = host.timers.after(DELAY_MS, () => void run());
    },
    /** Called when the shopper returns to the page. */
    returned(): void {
      if (stopped) return;
      fetchDue = host.timers.now() - lastRequestAt >= FRESH_MS && mayBeBehind();
      if (fetchDue || isDirty()) void run();
    },
    start(): Promise<void> {
      fetchDue = mayBeBehind();
      return fetchDue || isDirty() ? run() : Promise.resolve();
    },
    stop,
  };
}

/**
 * The base to send with `here`. After a lost response the server has either what was sent or what it had before. Each
 * line uses whichever of the two differs from its current state, so that the server sees a change in both cases.
 */
function baseFor({ base, sent }: SyncRecord, here: readonly LineState[]): LineState[] | null {
  if (!base || !sent) return base;
  const ids = new Set([...base, ...sent].map(({ id }) => id));
  return [...ids].flatMap((id) => {
    const [now, then, before] = [find(here, id), find(sent, id), find(base, id)];
    const line = isEqual(now, then) || (!then && !isEqual(now, before)) ? before : then;
    return line ? [line] : [];
  });
}

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

/** The items that stay in the browser after sign-out: those that the account does not have yet. */
export function unsyncedItems(
  storage: JsonStorage,
  items: readonly CartItem[],
): readonly CartItem[] {
  const stored = storage.read(SYNC_KEY, isSyncRecord);
  const base = stored?.base;
  if (!base) return items;
  return items.filter((item) => !isEqual(item, find(base, item.id)));
}

export function lineStates(
  items: readonly { id: string; qty: number; saved?: boolean }[],
): LineState[] {
  return items.map(({ id, qty, saved = false }) => ({ id, qty, saved }));
}

function find<T extends { id: string }>(items: readonly T[], id: string): T | undefined {
  return items.find((item) => item.id === id);
}

function isEqual(a: Partial<LineState> | undefined, b: Partial<LineState> | undefined): boolean {
  return a?.qty === b?.qty && Boolean(a?.saved) === Boolean(b?.saved);
}

function areEqual(a: readonly LineState[], b: readonly LineState[]): boolean {
  return a.length === b.length && a.every((item) => isEqual(item, find(b, item.id)));
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

function isLineState(value: unknown): value is LineState {
  return isRecord(value) && typeof value.id === "string" && Number.isSafeInteger(value.qty);
}

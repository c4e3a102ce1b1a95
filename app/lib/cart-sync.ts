// Keeps the browser's cart and the server's cart in sync, for accounts and for guests.
import type { ApiError } from "./api";
import { type CartItem, SYNC_KEY } from "./cart";
import {
  find,
  isEqual,
  isFresh,
  isSyncRecord,
  type LineState,
  lineStates,
  mergedItems,
  type SyncRecord,
} from "./cart-record";
import type { JsonStorage } from "./storage";
import type { Timers } from "./timers";
import type { Cart, CartSync } from "./types";

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
  /** The record, if storage cannot be written. */
  let unstored: SyncRecord | null = null;

  const saved = () => unstored ?? host.storage.read(host.key, isSyncRecord);

  function record(): SyncRecord {
    const stored = saved();
    // An expired cart was removed from storage (`lib/cart.ts`). That must not look as if the shopper had emptied it. Nor
    // must what a former release has sent before the first merge, as its record may last longer than the cart.
    return stored?.user === host.user &&
      (stored.base || stored.isNew) &&
      isFresh(stored, host.now())
      ? stored
      : { user: host.user, isNew: true, base: null, sent: null, promo: null, at: host.now() };
  }

  function store(next: SyncRecord): void {
    unstored = host.storage.write(host.key, next) ? null : next;
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
    do {
      rerun = false;
      try {
        await host.exclusive(exchange);
      } catch (error) {
        // The session has ended; the next page load handles it.
        if (host.failure(error)?.status === 401) {
          stop();
          forgetUnmerged();
        } else if (host.isOnline()) host.log(error);
      }
      // What was asked for during a call that failed is not lost.
    } while (rerun && !stopped);
    running = false;
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
      // It lasts as long as the cart that was sent, which would otherwise look emptied once it has expired.
      store({ ...before, base, sent: here, at: before.sent ? before.at : host.now() });
      if (!before.sent) {
        host.edit((items) => [...items]);
        // That was no change of the shopper's.
        cancel();
      }
      const prices = new Map(host.items().map(({ id, price }) => [id, price]));
      const items = here.map((item) => ({ ...item, price: prices.get(item.id) ?? null }));
      // Before the first answer this browser does not know the server's code, and cannot remove it.
      const keeps_code = before.isNew ?? false;
      cart = await host.push({ items, base, promo_code: promo, keeps_code });
    } else {
      cart = await host.get();
    }
    if (stopped) return;
    const base = lineStates(cart.items);
    const cookie = host.cookie?.();
    // What an account's cart has told is sent back, so that the server keeps it; only looking changes nothing there.
    const isToKeep =
      !mustPush && !host.cookie && cart.changes.some(({ kind }) => kind !== "sold_out");
    const sent = isToKeep ? base : null;
    const after = { user: host.user, base, sent, promo: cart.promo_code, at: host.now() };
    store(cookie === undefined ? after : { ...after, cookie });
    host.edit((now) => inOrder(mergedItems(cart, here, now), now, base));
    if (host.promo() === promo) host.setPromo(cart.promo_code);
    if (cart.changes.length > 0) host.notify(cart.changes.map(({ message }) => message));
    // Something changed during the request.
    if (isDirty()) rerun = true;
  }

  /** The promo code expires with the cart: a guest's as in the cookie, and the account may have another by now. */
  function forgetExpired(): void {
    const stored = saved();
    if (!stored || isFresh(stored, host.now())) return;
    // Other tabs would take a removal for a sign-out.
    store(record());
    host.setPromo(null);
  }

  /** Before the first merge nothing here is the account's, so the next page must not remove it as after a sign-out. */
  function forgetUnmerged(): void {
    if (record().isNew) host.storage.remove(host.key);
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
      forgetExpired();
      fetchDue = host.timers.now() - lastRequestAt >= FRESH_MS && mayBeBehind();
      if (fetchDue || isDirty()) void run();
    },
    start(): Promise<void> {
      forgetExpired();
      fetchDue = mayBeBehind();
      return fetchDue || isDirty() ? run() : Promise.resolve();
    },
    stop,
  };
}

/**
 * The base to send with `here`. After a lost response the server has either what was sent or what it had before. Each
 * line uses whichever of the two differs from its current state, so that the server sees a change in both cases. Before
 * the first merge these are only the lines that have changed since they were sent; the others are joined.
 */
function baseFor({ base, sent }: SyncRecord, here: readonly LineState[]): LineState[] | null {
  if (!sent) return base;
  const known = base ?? [];
  const ids = new Set([...known, ...sent].map(({ id }) => id));
  const lines = [...ids].flatMap((id) => {
    const [now, then, before] = [find(here, id), find(sent, id), find(known, id)];
    const line = isEqual(now, then) || (!then && !isEqual(now, before)) ? before : then;
    return line ? [line] : [];
  });
  // With none, the server of a former release keeps the account's code, too.
  return base || lines[0] ? lines : null;
}

/** The merged lines. What was added here during the request, or brought back, stays after the line before it. */
function inOrder(
  merged: readonly CartItem[],
  now: readonly CartItem[],
  servers: readonly LineState[],
): CartItem[] {
  const lines = merged.filter(({ id }) => find(servers, id));
  for (const [at, { id }] of now.entries()) {
    const added = find(servers, id) ? undefined : find(merged, id);
    if (!added) continue;
    const before = lines.findIndex((line) => line.id === now[at - 1]?.id);
    lines.splice(before < 0 && at > 0 ? lines.length : before + 1, 0, added);
  }
  return lines;
}

/** The items that stay in the browser after sign-out: those that the account does not have yet. */
export function unsyncedItems(
  storage: JsonStorage,
  items: readonly CartItem[],
): readonly CartItem[] {
  const base = storage.read(SYNC_KEY, isSyncRecord)?.base;
  if (!base) return items;
  return items.filter((item) => !isEqual(item, find(base, item.id)));
}

function areEqual(a: readonly LineState[], b: readonly LineState[]): boolean {
  return a.length === b.length && a.every((item) => isEqual(item, find(b, item.id)));
}

import { useSyncExternalStore } from "react";
import { isRecord, type JsonStorage, local } from "./storage";
import { track } from "./track";
import type { Picture } from "./types";

/** One line of the cart, with everything needed to show it without asking the server. */
export interface CartItem {
  /** Variant id. */
  id: string;
  /** Minor units. */
  price: number;
  qty: number;
  title: string;
  variant: string;
  sku: string;
  href: string;
  picture: Picture;
  max_quantity: number;
  /** Minor units. */
  compare_at_price: number | null;
  /** Saved for later: not part of the total or the order. */
  saved?: boolean;
}

export interface CartState {
  items: readonly CartItem[];
  /** Number of units, not lines, without what is saved for later or sold out. */
  count: number;
  /** False on the server and while hydrating: nothing is known about the cart yet. */
  ready: boolean;
}

interface StoredCart {
  items: CartItem[];
  /** Milliseconds since 1970, set at every change. */
  timestamp: number;
}

export const CART_KEY = "shop.cart";
/** Storage key of an account's sync record, which exists while the shopper is signed in. */
export const SYNC_KEY = "shop.cart.sync";
/** Storage key of a guest's sync record. */
export const GUEST_KEY = "shop.cart.guest";
/** Storage key of the promo code. The code is used at checkout and, for accounts, synced to other devices with the cart. */
export const PROMO_KEY = "shop.promo";
export const LIFETIME_MS = 7 * 24 * 60 * 60 * 1000;

/** As on the server; lines that are saved for later count. */
const MAX_LINES = 100;

/** What a shopper did to a line, for the activity report. */
export type CartAction = "add" | "remove" | "quantity";

/** Defaults for stored lines with missing fields, until the server sends the real values. */
const DEFAULTS: Omit<CartItem, "id" | "price" | "qty"> = {
  title: "Item",
  variant: "",
  sku: "",
  href: "/products",
  picture: { src: "", alt: "", width: 1, height: 1 },
  max_quantity: 10,
  compare_at_price: null,
};

const UNKNOWN: CartState = { items: [], count: 0, ready: false };

export type CartStore = ReturnType<typeof createCartStore>;

/** The browser's cart, stored for 7 days after its last change. */
export function createCartStore(
  storage: JsonStorage,
  now: () => number,
  onAction: (action: CartAction, id: string) => void = () => {},
) {
  let state: CartState | null = null;
  /** False when storage is full or forbidden: then the cart lasts only as long as the page. */
  let isStored = true;
  const listeners = new Set<() => void>();

  function load(): CartState {
    // What is rejected is removed.
    const stored = storage.read(
      CART_KEY,
      (value): value is StoredCart => isStoredCart(value) && now() - value.timestamp < LIFETIME_MS,
    );
    return stateOf(stored?.items.map(withDefaults) ?? []);
  }

  function show(next: CartState): void {
    state = next;
    for (const listener of listeners) listener();
  }

  function snapshot(): CartState {
    state ??= load();
    return state;
  }

  // Every change starts from what is stored: another tab may have changed it a moment ago.
  function change(
    edit: (items: readonly CartItem[]) => readonly CartItem[],
    action?: CartAction,
    id = "",
  ): void {
    const before = (isStored ? load() : snapshot()).items;
    const after = edit(before);
    if (after === before) return;
    if (after.length === 0) storage.remove(CART_KEY);
    else isStored = storage.write(CART_KEY, { items: after, timestamp: now() });
    show(stateOf(after));
    if (action) onAction(action, id);
  }

  /**
   * Adds to the quantity in the cart, up to `max_quantity`, and never lowers it; the new title, price, and limit replace the
   * old ones. Returns how many were added, or null if the cart is full.
   */
  function addItem(item: Omit<CartItem, "qty">, qty = 1): number | null {
    if (!Number.isSafeInteger(qty) || qty < 1 || item.max_quantity < 1) return 0;
    let added = 0;
    let isFull = false;
    change((items) => {
      const present = items.find((each) => each.id === item.id);
      isFull = !present && items.length >= MAX_LINES;
      if (isFull) return items;
      // What was saved for later comes along.
      const before = present && !present.saved ? present.qty : 0;
      // A page that is the same for all visitors does not know what this one's unfinished checkout holds.
      added = Math.max(Math.min((present?.qty ?? 0) + qty, item.max_quantity) - before, 0);
      const line: CartItem = { ...item, qty: before + added };
      return present ? items.map((each) => (each === present ? line : each)) : [...items, line];
    });
    if (added > 0) onAction("add", item.id);
    return isFull ? null : added;
  }

  function removeItem(id: string): void {
    change(
      (items) =>
        items.some((item) => item.id === id) ? items.filter((item) => item.id !== id) : items,
      "remove",
      id,
    );
  }

  /** Reads storage again: after another tab changed it, or when the page comes back from the back/forward cache. */
  function resync(): void {
    if (!isStored) return;
    const next = load();
    if (JSON.stringify(next) !== JSON.stringify(snapshot())) show(next);
  }

  function subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }

  return { snapshot, subscribe, change, addItem, removeItem, resync };
}

export function stateOf(items: readonly CartItem[]): CartState {
  return {
    items,
    count: items.reduce(
      (sum, { saved, max_quantity, qty }) => (saved || !max_quantity ? sum : sum + qty),
      0,
    ),
    ready: true,
  };
}

function isStoredCart(value: unknown): value is StoredCart {
  return (
    isRecord(value) &&
    Number.isFinite(value.timestamp) &&
    Array.isArray(value.items) &&
    value.items.every(isCartItem)
  );
}

/** Adds missing fields. The item's own fields keep their values and their order. */
const withDefaults = (item: object) => ({ ...item, ...DEFAULTS, ...item }) as CartItem;

function isCartItem(stored: unknown): stored is CartItem {
  const value: unknown = isRecord(stored) && withDefaults(stored);
  return (
    isRecord(value) &&
    ["id", "title", "variant", "sku", "href"].every((key) => typeof value[key] === "string") &&
    isCount(value.qty, 1) &&
    isCount(value.max_quantity, 0) &&
    isCount(value.price, 0) &&
    (value.compare_at_price === null || isCount(value.compare_at_price, 0)) &&
    isRecord(value.picture) &&
    typeof value.picture.src === "string"
  );
}

function isCount(value: unknown, least: number): boolean {
  return Number.isSafeInteger(value) && Number(value) >= least;
}

export const cart = createCartStore(
  local,
  () => Date.now(),
  (action, id) => track("cart_action", { action, feature: id }),
);

export const {
  snapshot: cartState,
  subscribe: watchCart,
  change: changeCart,
  addItem,
  removeItem,
  resync: resyncCart,
} = cart;

/** `known` is the cart that the server rendered; it is used until the app has hydrated. */
export function useCart(known: CartState = UNKNOWN): CartState {
  return useSyncExternalStore(cart.subscribe, cart.snapshot, () => known);
}

// Loaded when there is a cart, or the shopper is or was signed in. Keeps the browser's cart and the server's in sync.
import { ApiError, call } from "../lib/api";
import { cartState, changeCart, GUEST_KEY, resyncCart, SYNC_KEY, watchCart } from "../lib/cart";
import { cartCookie } from "../lib/cart-cookie";
import { addNotes, clearNotes } from "../lib/cart-notes";
import { GUEST } from "../lib/cart-record";
import { createCartSync, type SyncHost, unsyncedItems } from "../lib/cart-sync";
import { refresh } from "../lib/navigation";
import { promoCode, setPromoCode, watchPromoCode } from "../lib/promo";
import { isRecord, local, session } from "../lib/storage";
import { timers } from "../lib/timers";
import type { CartSync } from "../lib/types";

let stop = () => {};
let followedUser: string | null = null;

/** Keeps the cart in sync with this account's, or with the guest's. Stops an earlier sync with another user. */
export async function follow(user: string = GUEST): Promise<void> {
  if (user === followedUser) return;
  followedUser = user;
  stop();
  // Nobody else gets what the account that was signed in here before has in its cart.
  const before = local.read(SYNC_KEY, isRecord);
  if (before && before.user !== user) {
    const status = user === GUEST ? await guestStatus() : 200;
    // Meanwhile the page may have become another user's.
    if (followedUser !== user) return;
    // Without an answer nothing is removed; the next change or page asks again.
    if (status !== 200) {
      followedUser = null;
      return status === 409 ? refresh() : undefined;
    }
    leaveAccount();
  }
  if (user !== GUEST) {
    // The guest's cart is merged into the account's.
    local.remove(GUEST_KEY);
    const stopSync = startSync({
      user,
      key: SYNC_KEY,
      get: () => call("/api/cart"),
      push: (body) => call("/api/cart/sync", { method: "POST", body }),
    });
    const onStorage = ({ key, newValue }: StorageEvent) => {
      if (key === SYNC_KEY && newValue === null) void signedOutElsewhere(user);
    };
    addEventListener("storage", onStorage);
    stop = () => {
      removeEventListener("storage", onStorage);
      stopSync();
    };
    return;
  }
  stop = startSync({
    user: GUEST,
    key: GUEST_KEY,
    cookie: cartCookie,
    // With the items also sent as the base, the server takes them for unchanged. The code is the cookie's, if there is one.
    get: () =>
      syncAsGuest({
        items: syncLines(),
        base: syncLines(),
        promo_code: cartCookie() ? null : promoCode(),
        keeps_code: true,
      }),
    push: syncAsGuest,
  });
}

const pushAsGuest = (body: CartSync) => call("/api/cart/guest", { method: "POST", body });

/** Refused after a sign-in on another page: then this one shows the account, too, and follows its cart. */
const syncAsGuest = (body: CartSync) =>
  pushAsGuest(body).catch((error: unknown) => {
    if (error instanceof ApiError && error.status === 409) void refresh();
    throw error;
  });

/**
 * The status of a call as a guest: 409 if somebody is signed in, because the page is older than a sign-in on another page.
 * Only the server knows, because a sign-out, too, leaves the account's record here.
 */
async function guestStatus(): Promise<number> {
  try {
    // Adds nothing to the guest's cart.
    await pushAsGuest({ items: [] });
    return 200;
  } catch (error) {
    return error instanceof ApiError ? error.status : 0;
  }
}

const syncLines = (): CartSync["items"] =>
  cartState().items.map(({ id, qty, price, saved = false }) => ({ id, qty, price, saved }));

function startSync(server: Pick<SyncHost, "user" | "key" | "cookie" | "get" | "push">): () => void {
  const sync = createCartSync({
    ...server,
    storage: local,
    timers,
    now: () => Date.now(),
    items() {
      // Another tab may just have changed it.
      resyncCart();
      return cartState().items;
    },
    edit: changeCart,
    promo: promoCode,
    setPromo: setPromoCode,
    notify: addNotes,
    async exclusive(work) {
      if (navigator.locks) await navigator.locks.request("shop.cart", work);
      else await work();
    },
    failure: (error) => (error instanceof ApiError ? error : null),
    isOnline: () => navigator.onLine,
    log: (error) => console.warn("The cart was not synced:", error),
  });
  const onReturn = () => document.visibilityState === "visible" && sync.returned();
  const stops = [watchCart(sync.changed), watchPromoCode(sync.changed), sync.stop];
  for (const type of ["focus", "online", "pageshow"]) addEventListener(type, onReturn);
  document.addEventListener("visibilitychange", onReturn);
  void sync.start();
  return () => {
    for (const stop of stops) stop();
    for (const type of ["focus", "online", "pageshow"]) removeEventListener(type, onReturn);
    document.removeEventListener("visibilitychange", onReturn);
  };
}

/** Another tab has removed the account's cart. A sync would store its record again, for an account that is left. */
async function signedOutElsewhere(user: string): Promise<void> {
  stop();
  clearNotes();
  forgetCheckouts();
  // In the admin area what staff have entered stays: their next call asks them to sign in, and the next document follows the cart.
  if (location.pathname.startsWith("/admin/")) return;
  // This page would lead to a sign-in, which a provider that still knows the visitor grants unasked: nobody would stay signed
  // out, and after a deletion there would be a new account. With 409 somebody else is signed in already.
  if (location.pathname === "/account" && (await guestStatus()) !== 409)
    return location.replace("/");
  await refresh();
  // So that the account can be followed again.
  if (followedUser === user) followedUser = null;
}

/** After a sign-out, or the sign-in of somebody else, removes the account's cart and checkout from this browser. */
function leaveAccount(): void {
  changeCart((items) => {
    const remaining = unsyncedItems(local, items);
    return remaining.length === items.length ? items : remaining;
  });
  local.remove(SYNC_KEY);
  // A payment that another tab looks for, which leads to the order (`checkout/payment-flow.ts`).
  local.remove("shop.paying");
  setPromoCode(null);
  clearNotes();
  forgetCheckouts();
}

/**
 * Removes what an account entered at the checkout, and what it was paying for in this tab, which leads to the order; each draft
 * order has its own (`checkout/form-state.ts`, `checkout/payment-flow.ts`).
 */
function forgetCheckouts(): void {
  for (const key of Object.keys(sessionStorage)) {
    if (key.startsWith("shop.checkout") && session.read(key, isRecord)?.by) session.remove(key);
  }
}

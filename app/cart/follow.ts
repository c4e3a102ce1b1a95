// Loaded when there is a cart, or the shopper is or was signed in. Keeps the browser's cart and the server's in sync.
import { ApiError, call, createApi } from "../lib/api";
import { cartState, changeCart, resyncCart, SYNC_KEY, watchCart } from "../lib/cart";
import { cartCookie } from "../lib/cart-cookie";
import { addNotes, clearNotes } from "../lib/cart-notes";
import { createCartSync, GUEST, GUEST_KEY, leftBehind, type SyncHost } from "../lib/cart-sync";
import { promoCode, setPromoCode, watchPromoCode } from "../lib/promo";
import { isRecord, local } from "../lib/storage";
import { timers } from "../lib/timers";
import type { CartSync } from "../lib/types";

let end = () => {};
let followed: string | null = null;

/** Keeps the cart in sync with this account's, or with the guest's. Stops an earlier sync with another user. */
export function follow(user: string = GUEST): void {
  if (user === followed) return;
  followed = user;
  end();
  if (user !== GUEST) {
    // The guest's cart is merged into the account's.
    local.remove(GUEST_KEY);
    end = keepEqual({
      user,
      key: SYNC_KEY,
      get: () => call("/api/cart"),
      push: (body) => call("/api/cart/sync", { method: "POST", body }),
    });
    return;
  }
  if (local.read(SYNC_KEY, isRecord)) leaveAccount();
  const push = (body: CartSync) => ownCall("/api/cart/guest", { method: "POST", body });
  end = keepEqual({
    user: GUEST,
    key: GUEST_KEY,
    cookie: cartCookie,
    // With the items also sent as the base, the server takes them for unchanged.
    get: () => push({ items: asSent(), base: asSent(), promo_code: promoCode() }),
    push,
  });
}

const asSent = (): CartSync["items"] =>
  cartState().items.map(({ id, qty, price, saved = false }) => ({ id, qty, price, saved }));

/** Calls the page's own origin, because the cookie is set there, wherever the API is. */
const ownCall = createApi({
  base: () => null,
  token: () => Promise.resolve(null),
  fetch: (url, init) => fetch(url, init),
  pause: () => Promise.resolve(),
});

function keepEqual(server: Pick<SyncHost, "user" | "key" | "cookie" | "get" | "push">): () => void {
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
    tell: addNotes,
    async exclusive(work) {
      if (navigator.locks) await navigator.locks.request("shop.cart", work);
      else await work();
    },
    failure: (error) => (error instanceof ApiError ? error : null),
    isOnline: () => navigator.onLine,
    log: (error) => console.warn("The cart was not synced:", error),
  });
  const look = () => document.visibilityState === "visible" && sync.looked();
  const stops = [watchCart(sync.changed), watchPromoCode(sync.changed), sync.stop];
  for (const type of ["focus", "online", "pageshow"]) addEventListener(type, look);
  document.addEventListener("visibilitychange", look);
  void sync.start();
  return () => {
    for (const stop of stops) stop();
    for (const type of ["focus", "online", "pageshow"]) removeEventListener(type, look);
    document.removeEventListener("visibilitychange", look);
  };
}

/** After a sign-out, removes the account's cart from this browser. */
function leaveAccount(): void {
  changeCart((items) => {
    const left = leftBehind(local, items);
    return left.length === items.length ? items : left;
  });
  local.remove(SYNC_KEY);
  setPromoCode(null);
  clearNotes();
}

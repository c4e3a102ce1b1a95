// Loaded when somebody is signed in, or has been: keeps the browser's cart and the account's equal.
import { ApiError, call } from "../lib/api";
import { cartState, changeCart, resyncCart, SYNC_KEY, watchCart } from "../lib/cart";
import { promoCode, setPromoCode, watchPromoCode } from "../lib/promo";
import { local } from "../lib/storage";
import { timers } from "../lib/timers";
import type { Cart } from "../lib/types";
import { addNotes, clearNotes } from "./notes";
import { createCartSync, leftBehind } from "./sync";

let end = () => {};

/** Keeps the cart equal to this user's, until it is another's or, without one, nobody's. */
export function follow(user: string | undefined): void {
  end();
  end = user ? followAccount(user) : leaveAccount();
}

function followAccount(user: string): () => void {
  const sync = createCartSync({
    user,
    storage: local,
    timers,
    now: () => Date.now(),
    get: () => call<Cart>("/api/cart"),
    push: (body) => call<Cart>("/api/cart/sync", { method: "POST", body }),
    items() {
      // Another tab may have changed it a moment ago.
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
    log: (error) => console.warn("The cart was not synchronised:", error),
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

/** After a sign-out: the account's cart stays with the account. */
function leaveAccount(): () => void {
  changeCart((items) => {
    const left = leftBehind(local, items);
    return left.length === items.length ? items : left;
  });
  local.remove(SYNC_KEY);
  setPromoCode(null);
  clearNotes();
  return () => {};
}

// Loaded when the page is idle: what works without being seen, or only after a click that the browser can also handle itself.
import { forgetVerified, rememberVerified, wasVerified } from "../lib/age-mirror";
import {
  CART_KEY,
  cartState,
  GUEST_KEY,
  PROMO_KEY,
  resyncCart,
  SYNC_KEY,
  watchCart,
} from "../lib/cart";
import { isPlain } from "../lib/click";
import { keepFocus } from "../lib/keep-focus";
import { refresh } from "../lib/navigation";
import { startRipples } from "../lib/ripple";
import { SIGNUP_FLOW_KEY } from "../lib/signup-key";
import { isRecord, local } from "../lib/storage";
import type { Shared } from "../lib/types";

/** Starts everything that lasts as long as the document. */
export function start(): void {
  keepFocus();
  startRipples();
  followOtherTabs();
  followSignInLinks();
  syncAge();
}

/** Applies changes that other tabs make to the cart, now and later. */
function followOtherTabs(): void {
  resyncCart();
  addEventListener("storage", ({ key }) => {
    if (key === CART_KEY || key === null) resyncCart();
  });
}

/**
 * Handles links to sign-in. The code is loaded when one is pointed at: WebKit opens no popup after a click whose code has
 * to be loaded first.
 */
function followSignInLinks(): void {
  for (const type of ["mouseover", "focusin"] as const) {
    document.addEventListener(type, ({ target }) => {
      if ((target as Element).closest?.('a[href^="/auth/"]')) import("./sign-in").catch(() => {});
    });
  }
  document.addEventListener("click", (event) => {
    const href = clickedSignIn(event);
    if (!href) return;
    event.preventDefault();
    import("./sign-in").then(({ follow }) => follow(href)).catch(() => location.assign(href));
  });
}

/** The address of a clicked sign-in or sign-up link, if it was a plain left click. */
function clickedSignIn(event: MouseEvent): string | undefined {
  const link = isPlain(event) ? (event.target as Element).closest<HTMLAnchorElement>("a") : null;
  return link?.href.startsWith(`${location.origin}/auth/`) ? link.href : undefined;
}

/** Whether the page is shown without the age gate. */
const isVerified = () => !document.querySelector(".gate");

/**
 * Only the server opens the age gate. Local storage tells when to ask it again: another tab was verified, the document
 * comes from a cache, or the 24 hours have passed.
 */
function syncAge(): void {
  async function openGateIfVerified(): Promise<void> {
    if (isVerified() || !wasVerified()) return;
    await refresh();
    if (!isVerified()) forgetVerified();
  }
  // Who was verified by the form, before the code was there. Not anew with each page: it lasts no longer than the cookie.
  if (isVerified() && !wasVerified()) rememberVerified();
  void openGateIfVerified();
  addEventListener("storage", openGateIfVerified);
  addEventListener("pageshow", ({ persisted }) => {
    if (!persisted) return;
    const isOfAnother = local.read(SYNC_KEY, isRecord)?.user !== shown;
    // Another one's cart is shown with that one's page.
    if (!isOfAnother) resyncCart();
    if (isOfAnother || isVerified() !== wasVerified()) void refresh();
  });
}

const acceptAny = (_: unknown): _ is unknown => true;

/** Finishes a pending sign-up: a notice says that the sign-in was refused. */
export function signedIn(user: Shared["user"], notice: Shared["notice"]): void {
  if (!local.read(SIGNUP_FLOW_KEY, acceptAny)) return;
  void import("./sign-in").then(({ finishSignup }) => finishSignup(user, notice !== null));
}

/** Whether this browser's cart has items or the server has set a cart cookie. */
const mayHaveCart = () => cartState().items.length > 0 || document.cookie.includes("cart=");

/** The account that the page shows. */
let shown: string | undefined;

/**
 * Keeps the cart in sync with this account's, or with the guest's; after a sign-out, `follow` removes the account's cart
 * from this browser. Returns a function that ends it.
 */
export function syncCart(sub: string | undefined): () => void {
  shown = sub;
  // Offline the code cannot be loaded; the next change or page load tries again.
  function sync(): void {
    if (!navigator.onLine) return;
    import("../cart/follow").then(
      ({ follow }) => follow(sub),
      // Without it the cart is only in this browser.
      () => {},
    );
  }
  if (sub || local.read(SYNC_KEY, isRecord) || mayHaveCart()) sync();
  // A guest without a cart, also in the cookie: what belonged to one has expired with it, also a payment that was looked for
  // (`checkout/payment-flow.ts`).
  else for (const key of [GUEST_KEY, PROMO_KEY, "shop.paying"]) local.remove(key);
  return watchCart(sync);
}

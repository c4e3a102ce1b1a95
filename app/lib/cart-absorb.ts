// What a form added to the cart before the scripts ran is in the server's page, but not yet in the browser's storage.
import { type CartItem, cartState, changeCart, GUEST_KEY, SYNC_KEY } from "./cart";
import { cartCookie } from "./cart-cookie";
import { find, GUEST, isFresh, isSyncRecord, lineStates, mergedItems } from "./cart-record";
import { promoCode, setPromoCode } from "./promo";
import { local } from "./storage";

let isDone = false;

/** Merges the document's cart into this browser's. Only once per document: pages that are fetched later may be older. */
export function mergeServerCart(
  user: string | undefined,
  items: CartItem[],
  code: string | null,
): void {
  if (isDone) return;
  isDone = true;
  const key = user ? SYNC_KEY : GUEST_KEY;
  const cookie = cartCookie();
  const stored = local.read(key, isSyncRecord);
  // By the record of another account `cart/follow.ts` knows what to remove before it fetches this one's cart.
  if (user && (stored?.user ?? user) !== user) return;
  const record = stored && isFresh(stored, Date.now()) ? stored : null;
  // What this browser has synced since the document is newer than the page, which may have been fetched ahead.
  if (record && record.at > performance.timeOrigin) return;
  // A sync is underway and will fetch everything, or the server's cart has not changed.
  if (record?.sent || (!user && (cookie === "" || cookie === record?.cookie))) return;
  // If this browser has items, an account's first merge is done by the server.
  if (user && !record?.base && cartState().items.length > 0) return;
  const promo = record && record.promo !== promoCode() ? promoCode() : code;
  changeCart((now) => mergedItems({ items }, record?.base ?? [], now));
  setPromoCode(promo);
  local.write(key, {
    user: user ?? GUEST,
    base: lineStates(items),
    sent: null,
    promo: code,
    at: Date.now(),
    ...(!user && { cookie }),
  });
}

/** The same with the cart of a quote, which has no saved items. Until a sync it may have what was saved here a moment ago. */
export function mergeQuotedCart(
  user: string | undefined,
  lines: CartItem[],
  code: string | null,
): void {
  const isElsewhere = ({ id, saved }: CartItem) => saved && !find(lines, id);
  mergeServerCart(user, [...lines, ...cartState().items.filter(isElsewhere)], code);
}

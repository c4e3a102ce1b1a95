// What a form has put into the cart before the scripts ran stands in the server's page, not yet in the browser's storage.
import { type CartItem, cartState, changeCart, SYNC_KEY } from "./cart";
import { cartCookie } from "./cart-cookie";
import { GUEST, GUEST_KEY, isRecordOfCart, takenOver, told } from "./cart-sync";
import { promoCode, setPromoCode } from "./promo";
import { local } from "./storage";

let isDone = false;

/** Takes over what the document knows of the cart and this browser does not; once, since what is fetched later may be older. */
export function absorb(user: string | undefined, items: CartItem[], code: string | null): void {
  if (isDone) return;
  isDone = true;
  const key = user ? SYNC_KEY : GUEST_KEY;
  const cookie = cartCookie();
  const kept = local.read(key, isRecordOfCart);
  const record = kept?.user === (user ?? GUEST) ? kept : null;
  // Nothing is new, or an exchange is on its way that tells it all.
  if (record?.sent || (!user && (cookie === "" || cookie === record?.cookie))) return;
  // An account's first merge is the server's, where there is something to merge.
  if (user && !record?.base && cartState().items.length > 0) return;
  const promo = record && record.promo !== promoCode() ? promoCode() : code;
  changeCart((now) => takenOver({ items }, record?.base ?? [], now));
  setPromoCode(promo);
  local.write(key, {
    user: user ?? GUEST,
    base: told(items),
    sent: null,
    promo: code,
    at: Date.now(),
    ...(!user && { cookie }),
  });
}

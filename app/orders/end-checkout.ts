import { isRecord, type JsonStorage } from "../lib/storage";

/** As in `checkout/checkout-key.ts`. */
const KEY = "shop.checkout";

/** The next checkout in this tab is a new one. A payment with an unknown outcome stays. */
export function endCheckout(storage: JsonStorage): void {
  if (storage.read(KEY, isRecord)?.placed) storage.remove(KEY);
}

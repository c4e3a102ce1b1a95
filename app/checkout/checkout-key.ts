import { isRecord } from "../lib/storage";

/**
 * Session storage key of this tab's checkout, also in `orders/end-checkout.ts`; a draft order has its own, by its checkout's id.
 * What an account leaves under keys that begin like this goes with its sign-out (`cart/follow.ts`).
 */
export const checkoutKey = (part: string | undefined) =>
  part ? `shop.checkout.${part}` : "shop.checkout";

/**
 * Whether what a browser has stored of a payment is for who the page shows, and is not over: it leads to the order. What an account
 * has paid for is only this account's; what a guest has stays after signing in.
 */
export const isOpenTo =
  (sub: string | undefined, now: number) =>
  (entry: unknown): entry is Record<string, unknown> =>
    isRecord(entry) && (entry.by || sub) === sub && now < (entry.until as number);

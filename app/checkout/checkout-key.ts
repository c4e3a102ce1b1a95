/** Session storage key of this tab's checkout, also in `orders/end-checkout.ts`; a draft order has its own, by its checkout's id. */
export const checkoutKey = (fixed: string | undefined) =>
  fixed ? `shop.checkout.${fixed}` : "shop.checkout";

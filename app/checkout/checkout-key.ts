/** Session storage key of this tab's checkout; a draft order has its own, by its checkout's id. */
export const checkoutKey = (fixed: string | undefined) =>
  fixed ? `shop.checkout.${fixed}` : "shop.checkout";

import type { PageTable } from "./lib/view";

/**
 * Maps the page name in an envelope to its component. Each entry becomes its own chunk. The pages of the admin area have a
 * separate table in its own chunk, so that shoppers do not load their names.
 */
export const pages: PageTable = {
  shop: {
    home: () => import("./home/home-page"),
    "catalog/list": () => import("./catalog/list-page"),
    "catalog/product": () => import("./catalog/product-page"),
    cart: () => import("./cart/cart-page"),
    checkout: () => import("./checkout/checkout-page"),
    "checkout/confirm": () => import("./checkout/confirm-page"),
    "orders/confirmation": () => import("./orders/confirmation-page"),
    account: () => import("./account/account-page"),
    "legal/document": () => import("./legal/document-page"),
    "age/refused": () => import("./age/refused-page"),
    "mail/test-email": () => import("./mail/test-email-page"),
    "errors/error": () => import("./errors/error-page"),
  },
  admin: () => import("./admin/pages"),
};

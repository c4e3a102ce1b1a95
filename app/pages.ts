import type { PageTable } from "./lib/view";

/**
 * The one table from the page name in an envelope to its component. Each entry becomes a chunk of its own. What shoppers load names no
 * page of the admin area: those have a table in a chunk of theirs.
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

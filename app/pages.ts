import type { PageTable } from "./lib/view";

/** The one table from the page name in an envelope to its component. Each entry becomes a chunk of its own. */
export const pages: PageTable = {
  home: () => import("./home/home-page"),
  "catalog/list": () => import("./catalog/list-page"),
  "catalog/product": () => import("./catalog/product-page"),
  cart: () => import("./cart/cart-page"),
  checkout: () => import("./checkout/checkout-page"),
  "orders/confirmation": () => import("./orders/confirmation-page"),
  account: () => import("./account/account-page"),
  "legal/document": () => import("./legal/document-page"),
  "age/refused": () => import("./age/refused-page"),
  "mail/test-email": () => import("./mail/test-email-page"),
  "admin/audit": () => import("./admin/audit/audit-page"),
  "admin/users": () => import("./admin/users/users-page"),
  "admin/user": () => import("./admin/users/user-page"),
  "admin/orders": () => import("./admin/orders/orders-page"),
  "admin/orders/order": () => import("./admin/orders/order-page"),
  "admin/orders/new": () => import("./admin/orders/new-order-page"),
  "admin/orders/packing-slip": () => import("./admin/orders/packing-slip-page"),
  "admin/orders/invoice": () => import("./admin/orders/invoice-page"),
  "admin/testing": () => import("./admin/testing/testing-page"),
  "admin/products": () => import("./admin/products/products-page"),
  "admin/product": () => import("./admin/products/editor-page"),
  "admin/product-groups": () => import("./admin/products/groups-page"),
  "admin/product-import": () => import("./admin/products/import-page"),
  "errors/error": () => import("./errors/error-page"),
};

import type { Envelope } from "../lib/types";
import { account } from "./account";
import { adminOrder, orders, unfinished } from "./admin-orders";
import { refused } from "./age";
import { audit } from "./audit";
import { envelope, ofStaff, shared } from "./base";
import { cart } from "./cart";
import { list, product } from "./catalog";
import { checkout, confirmPickup } from "./checkout";
import { companySettings } from "./company";
import { complianceSettings, reports, taxSettings } from "./compliance";
import { debug } from "./debug";
import { draft, drafts, newOrder } from "./drafts";
import { error } from "./errors";
import { home } from "./home";
import { document, legalSettings } from "./legal";
import { mailSettings, testEmail } from "./mail";
import { confirmation } from "./orders";
import { editor, groups, productImport, products } from "./products";
import { promotions } from "./promotions";
import { analytics, overview } from "./reports";
import { shippingSettings } from "./shipping";
import { testing } from "./testing";
import { guests, roles, user, users } from "./users";
import { webhook, webhookDispatch, webhookLog, webhooks } from "./webhooks";

// One envelope per page, as the server would send it. Isolates render them before they take visitors, so that the
// code is compiled by then, and tests render them to prove that every page can be.

export const samples: Envelope[] = [
  envelope("home", "/", home),
  envelope("catalog/list", "/category/racks?q=walnut&sort=price&page=2", list),
  envelope("catalog/product", "/product/sample", product),
  envelope("cart", "/cart", cart),
  envelope("checkout", "/checkout", checkout),
  envelope("checkout/confirm", "/checkout/confirm?link=sample", confirmPickup),
  envelope("orders/confirmation", "/order-confirmation?order=sample", confirmation),
  envelope("account", "/account", account),
  envelope("legal/document", "/content/legal/shipping-policy", document),
  envelope("age/refused", "/verify-age", refused, {
    status: 422,
    shared: { ...shared, age_verified: false },
  }),
  envelope("mail/test-email", "/test-email", testEmail),
  ofStaff("admin/overview", "/admin/overview", overview),
  ofStaff("admin/analytics", "/admin/analytics?by=day", analytics),
  ofStaff("admin/debug", "/admin/debug", debug),
  ofStaff("admin/audit", "/admin/audit", audit),
  ofStaff("admin/users", "/admin/users", users),
  ofStaff("admin/user", "/admin/users/user", user),
  ofStaff("admin/orders/new", "/admin/orders/new", newOrder),
  ofStaff("admin/drafts", "/admin/orders/drafts", drafts),
  ofStaff("admin/draft", "/admin/orders/drafts/D-SAMPLE", { draft }),
  ofStaff("admin/orders", "/admin/orders", orders),
  ofStaff("admin/unfinished", "/admin/orders/unfinished", unfinished),
  ofStaff("admin/guests", "/admin/users/guests", guests),
  ofStaff("admin/settings", "/admin/settings", {}),
  ...(["order", "packing-slip", "invoice"] as const).map((sheet) =>
    ofStaff(`admin/orders/${sheet}`, "/admin/orders/7KQ2-M9XD", { order: adminOrder }),
  ),
  ofStaff("admin/testing", "/admin/testing", testing),
  ofStaff("admin/products", "/admin/products", products),
  ofStaff("admin/product", "/admin/products/sample", editor),
  ofStaff("admin/product-groups", "/admin/products/groups", groups),
  ofStaff("admin/product-import", "/admin/products/import", productImport),
  ofStaff("admin/settings/promotions", "/admin/settings/promotions", promotions),
  ofStaff("admin/settings/shipping", "/admin/settings/shipping", shippingSettings),
  ofStaff("admin/settings/tax", "/admin/settings/tax", taxSettings),
  ofStaff("admin/settings/compliance", "/admin/settings/compliance", complianceSettings),
  ofStaff("admin/settings/legal", "/admin/settings/legal?document=sample", legalSettings),
  ofStaff("admin/settings/company", "/admin/settings/company", companySettings),
  ofStaff("admin/settings/reports", "/admin/settings/reports", reports),
  ofStaff("admin/settings/roles", "/admin/settings/roles", roles),
  ofStaff("admin/settings/mail", "/admin/settings/mail", mailSettings),
  ofStaff("admin/settings/webhooks", "/admin/settings/webhooks", webhooks),
  ofStaff("admin/settings/webhook", "/admin/settings/webhooks/endpoint-1", webhook),
  ofStaff("admin/settings/webhook-log", "/admin/settings/webhooks/log", webhookLog),
  ofStaff(
    "admin/settings/webhook-dispatch",
    "/admin/settings/webhooks/log/dispatch-1",
    webhookDispatch,
  ),
  envelope("errors/error", "/nowhere", error, { status: 404 }),
];

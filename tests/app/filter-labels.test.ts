import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { DRAFT, FULFILLMENT, ORDER, PAYMENT } from "../../app/admin/orders/status-labels";
import { PRODUCT } from "../../app/admin/products/status-labels";
import { DISPATCH, PROMO } from "../../app/admin/settings/status-labels";

// The bundle of this test is in node_modules/.cache/app-tests.
const SERVER = join(import.meta.dirname, "../../../server/http/admin");

/** Value and label of each choice of a filter, as a list's definition has them. */
function choices(path: string, name: string): [value: string, label: string][] {
  const source = readFileSync(join(SERVER, path, "queries.rs"), "utf8");
  const list = new RegExp(`const ${name}: [^=]*=\\s*&\\[(.*?)\\];`, "s").exec(source)?.[1] ?? "";
  return [...list.matchAll(/\("(\w+)", "([^"]+)"\)/g)].map(([, value, label]) => [
    value ?? "",
    label ?? "",
  ]);
}

test("a filter calls a status as the column does", () => {
  for (const [path, name, labels] of [
    ["orders", "STATUSES", ORDER],
    ["orders", "PAYMENTS", PAYMENT],
    ["orders", "FULFILLMENTS", FULFILLMENT],
    ["orders/unfinished", "PAYMENTS", PAYMENT],
    ["orders/drafts", "STATES", DRAFT],
    ["products", "STATUSES", PRODUCT],
    ["settings/promotions", "STATES", PROMO],
    ["settings/webhooks", "STATES", DISPATCH],
  ] as const) {
    const found = choices(path, name);
    assert.ok(found.length > 1, `${path} has no ${name}`);
    const shown: Record<string, readonly [string, ...unknown[]]> = labels;
    for (const [value, label] of found) assert.equal(label, shown[value]?.[0], `${path} ${value}`);
  }
});

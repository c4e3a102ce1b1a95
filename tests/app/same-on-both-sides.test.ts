// Facts that the server and the pages both write down: a preload with other `sizes` loads a picture twice, another list of
// states refuses an address that the form offers.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { BIRTH_DATE_MISSING, MINIMUM_AGE, TOO_YOUNG } from "../../app/lib/age";
import { isPageUrl } from "../../app/lib/links";
import { STATES } from "../../app/lib/states";

// The bundle of this test is in node_modules/.cache/app-tests.
const ROOT = join(import.meta.dirname, "../../..");

/** The value of a constant, as it is written in the file. */
function constant(file: string, name: string): string {
  const text = readFileSync(join(ROOT, file), "utf8");
  const found = new RegExp(`const ${name}\\b[^=]*=\\s*([^;]+);`).exec(text);
  assert.ok(found, `${file} has no ${name}`);
  return (found[1] ?? "").replace(/_(?=\d)/g, "");
}

const numbers = (list: string) => list.match(/\d+/g);

test("preloads name the sizes and widths of the pictures", () => {
  const list = "server/http/storefront/catalog/pages/list.rs";
  const product = "server/http/storefront/catalog/pages/product.rs";
  const card = "app/ui/product-card.tsx";
  assert.equal(constant(card, "SIZES"), constant(list, "CARD_SIZES"));
  assert.deepEqual(numbers(constant(card, "WIDTHS")), numbers(constant(list, "CARD_WIDTHS")));
  assert.equal(constant("app/catalog/gallery.tsx", "SIZES"), constant(product, "GALLERY_SIZES"));
  const home = "server/http/storefront/home/pages.rs";
  assert.equal(constant("app/home/hero.tsx", "SIZES"), constant(home, "HERO_SIZES"));
});

test("pictures are asked for in the widths that there are", () => {
  const widths = numbers(constant("app/ui/picture.tsx", "WIDTHS"));
  assert.deepEqual(widths, numbers(constant("server/platform/media/name.rs", "WIDTHS")));
  assert.equal(widths?.length, 6);
});

test("forms offer the states of addresses", () => {
  const file = readFileSync(join(ROOT, "server/base/address.rs"), "utf8");
  const states = [...file.matchAll(/State \{ code: "(\w\w)", name: "([^"]+)"/g)];
  assert.deepEqual(
    STATES.map(([code, name]) => [code, name]),
    states.map(([, code, name]) => [code, name]),
  );
  assert.equal(states.length, 51);
});

test("carts end at the same number of lines", () => {
  const lines = constant("server/domain/cart/model.rs", "MAX_LINES");
  assert.equal(constant("app/lib/cart.ts", "MAX_LINES"), lines);
});

test("the checkout offers to save an address where the account can have one more", () => {
  const most = constant("server/domain/customers/model.rs", "MOST_ADDRESSES");
  assert.equal(constant("app/checkout/delivery.tsx", "MOST_ADDRESSES"), most);
});

test("choices in a list know its parameters, in the order of its address", () => {
  const names = (list: string) => list.match(/\w+/g) ?? [];
  const all = names(constant("server/domain/catalog/query.rs", "LIST_PARAMETERS"));
  // The second is a former name, which no address has.
  const chosen = all.filter((name) => name !== "page" && name !== "colour");
  assert.deepEqual(names(constant("app/lib/list-steps.ts", "NAMES")), chosen);
});

test("both sides have the same age rule and texts", () => {
  const model = "server/domain/age/model.rs";
  assert.equal(String(MINIMUM_AGE), constant(model, "MINIMUM_AGE"));
  assert.equal(JSON.stringify(BIRTH_DATE_MISSING), constant(model, "EMPTY"));
  assert.equal(JSON.stringify(TOO_YOUNG), constant(model, "TOO_YOUNG"));
});

test("a link to a private page loads a document, with its own content security policy", () => {
  const list = constant("server/platform/web/private_pages.rs", "PRIVATE");
  const paths = [...list.matchAll(/"([^"]+)"/g)].map(([, path]) => path ?? "");
  assert.ok(paths.includes("/account"), list);
  const home = new URL("https://shop.example/");
  assert.deepEqual(
    paths.filter((path) => isPageUrl(new URL(path, home), home)),
    [],
  );
});

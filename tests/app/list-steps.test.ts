import assert from "node:assert/strict";
import { test } from "node:test";
import { type Choice, expectedFilters, withBoth, withSteadyFacets } from "../../app/lib/list-steps";
import type { Envelope, Facet, FacetOption, Link, ListPage } from "../../app/lib/types";
import { list } from "../../app/samples/catalog";

const option = (label: string, href: string, count = 1): FacetOption => ({ label, count, href });

const facet = (key: string, ...options: FacetOption[]): Facet => ({ key, label: key, options });

const plain: ListPage = {
  ...list,
  action: "/products",
  q: "",
  active: [],
  clear_href: "/products",
  facets: [],
  price: { min: 5, max: 250, selected_min: null, selected_max: null, filters: [] },
};

const page = (props: Partial<ListPage>, name = "catalog/list") =>
  ({ page: name, props: { ...plain, ...props } }) as Envelope;

const expected = (props: Partial<ListPage>, address: string) =>
  expectedFilters(page(props), new URL(address, "http://shop.test"))?.after.map(
    ({ label }) => label,
  );

const sale: Link = { label: "On sale", href: "/products" };

/** The price form of a list with this query. */
const priceAt = (query: string): ListPage["price"] => ({
  ...plain.price,
  filters: [...new URLSearchParams(query)].map(([name, value]) => ({ name, value })),
});

test("a filter is expected where the server will put it", () => {
  const narrowed = { active: [sale], price: priceAt("sale=1") };
  const briar = facet("material", option("Briar", "/products?material=briar&sale=1"));
  assert.deepEqual(expected({ ...narrowed, facets: [briar] }, "/products?material=briar&sale=1"), [
    "Briar",
    "On sale",
  ]);
  assert.deepEqual(expected(narrowed, "/products?sale=1&min_price=5&max_price="), [
    "On sale",
    "From $5",
  ]);
  assert.deepEqual(expected({}, "/products?min_price=&max_price=9"), ["Up to $9"]);
  assert.deepEqual(expected({}, "/products?min_price=5&max_price=9"), ["$5 to $9"]);
});

test("a filter behind a search is expected in its place, too", () => {
  const active = [{ label: "On sale", href: "/products?q=pipe" }];
  const searched = { q: "pipe", active, price: priceAt("q=pipe&sale=1") };
  const address = "/products?q=pipe&material=briar&sale=1";
  const facets = [facet("material", option("Briar", address))];
  assert.deepEqual(expected({ ...searched, facets }, address), ["Briar", "On sale"]);
});

test("removed filters leave at once", () => {
  const active = [
    { label: "Briar", href: "/products?sale=1&min_price=5" },
    { label: "On sale", href: "/products?material=briar&min_price=5" },
    { label: "From $5", href: "/products?material=briar&sale=1" },
  ];
  const narrowed = { active, price: { ...priceAt("material=briar&sale=1"), selected_min: 5 } };
  assert.deepEqual(expected(narrowed, "/products?sale=1&min_price=5"), ["On sale", "From $5"]);
  assert.deepEqual(expected(narrowed, "/products?material=briar&sale=1"), ["Briar", "On sale"]);
  assert.deepEqual(
    expected(narrowed, "/products?material=briar&sale=1&min_price=&max_price="),
    ["Briar", "On sale"],
    "the price was cleared in the form",
  );
  assert.deepEqual(expected(narrowed, "/products"), []);
});

test("another order keeps the filters; of other pages nothing is known", () => {
  const narrowed = { active: [sale], price: priceAt("sale=1") };
  assert.deepEqual(expected(narrowed, "/products?sale=1&sort=price"), ["On sale"]);
  assert.equal(expected({}, "/category/pipes"), undefined);
  const home = page({}, "home");
  assert.equal(expectedFilters(home, new URL("http://shop.test/products")), null);
});

test("the filters of two choices are expected together", () => {
  const facets = [
    facet("material", option("Briar", "/products?material=briar")),
    facet("sale", option("On sale", "/products?sale=1")),
  ];
  const address = "/products?material=briar&sale=1";
  const after = expectedFilters(page({ facets }), new URL(address, "http://shop.test"))?.after;
  assert.deepEqual(
    after?.map(({ label }) => label),
    ["Briar", "On sale"],
  );
  // They are told apart by their links.
  assert.equal(new Set(after?.map(({ href }) => href)).size, 2);
});

/** Where a choice leads on a list with this query while the navigation to another address is running. */
function both(query: string, running: string, choice: Choice, address: string): string {
  const at = (path: string) => new URL(path, "http://shop.test");
  const shown = page({ price: priceAt(query) });
  const { pathname, search } = withBoth(shown, at(running), at(address), choice);
  return pathname + search;
}

test("a choice made before the answer to another one keeps that", () => {
  const sale = "/products?sale=1";
  const briar = "/products?material=briar";
  const name = "/products?sort=name";
  const cheap = "/products?min_price=&max_price=9";
  const found = "/products?q=pipe";
  assert.equal(both("", sale, "filter", briar), `${briar}&sale=1`);
  assert.equal(both("material=briar&sale=1", sale, "chip", briar), "/products");
  assert.equal(both("material=briar", "/products", "filter", `${briar}&sale=1`), sale);
  assert.equal(both("", `${briar}&sale=1`, "order", name), `${briar}&sale=1&sort=name`);
  assert.equal(both("", briar, "price", cheap), `${briar}&max_price=9`);
  // The page of the list that is left is none of the next one.
  const next = `${found}&page=3`;
  assert.equal(both("q=pipe", next, "filter", `${found}&sale=1`), `${found}&sale=1`);
});

test("a choice made before its own answer is taken back", () => {
  const briar = "/products?material=briar";
  assert.equal(both("", `${briar}&sale=1`, "chip", briar), "/products?sale=1");
  assert.equal(both("", briar, "chip", briar), "/products");
  assert.equal(both("", `${briar}&max_price=9`, "chip", "/products"), briar);
  assert.equal(both("", `${briar}&sort=name`, "order", "/products"), briar);
  const free = "/products?min_price=&max_price=";
  assert.equal(both("", `${briar}&max_price=9`, "price", free), briar);
  assert.equal(both("", briar, "no filters", "/products"), "/products");
  assert.equal(
    both("sale=1", "/products?sale=1&sort=name", "no filters", "/products"),
    "/products?sort=name",
  );
});

test("a repeated choice, and one for another list, lead where they say", () => {
  const briar = "/products?material=briar";
  assert.equal(both("", briar, "filter", briar), briar);
  assert.equal(both("", `${briar}&sale=1`, "filter", briar), `${briar}&sale=1`);
  assert.equal(both("", "/category/pipes", "filter", briar), briar);
  assert.equal(both("", briar, "filter", "/category/pipes"), "/category/pipes");
  const url = new URL(briar, "http://shop.test");
  assert.equal(withBoth(page({}), null, url, "filter"), url);
  assert.equal(withBoth(page({}, "home"), url, url, "filter"), url);
});

const facetsAfter = (before: Partial<ListPage>, next: Partial<ListPage>) =>
  (withSteadyFacets(page(before), page(next)).props as ListPage).facets;

test("options keep their places, without products as well", () => {
  const before = [
    facet("category", option("Pipes", "a", 9), option("Care", "b", 5), option("Gifts", "c", 2)),
    facet("sale", option("On sale", "d", 4)),
  ];
  const next = [facet("category", option("Gifts", "e", 2), option("Pipes", "f", 1))];
  const [categories, deals] = facetsAfter({ facets: before }, { facets: next });
  assert.deepEqual(
    categories?.options.map(({ label, href, count }) => [label, href, count]),
    [
      ["Pipes", "f", 1],
      ["Care", "b", 0],
      ["Gifts", "e", 2],
    ],
  );
  assert.equal(deals?.options[0]?.count, 0);
});

test("options of the same name stay two", () => {
  const before = [facet("category", option("Sets", "a", 3), option("Sets", "b", 2))];
  const next = [facet("category", option("Sets", "c", 1), option("Sets", "d", 1))];
  assert.deepEqual(
    facetsAfter({ facets: before }, { facets: next })[0]?.options.map(({ href }) => href),
    ["c", "d"],
  );
});

test("new options come last, with those that are folded away", () => {
  const more = { count: 1, open: false, options: [option("Rice", "b")] };
  const before = [{ ...facet("material", option("Briar", "a")), more }];
  const next = [
    facet("material", option("Briar", "c"), { ...option("Flax", "d"), selected: true }),
    facet("color", option("Black", "e")),
  ];
  const [materials, colors] = facetsAfter({ facets: before }, { facets: next });
  assert.deepEqual(
    materials?.more?.options.map(({ label }) => label),
    ["Rice", "Flax"],
  );
  assert.equal(materials?.more?.count, 2);
  assert.equal(materials?.more?.open, true);
  assert.equal(colors?.key, "color");
});

test("another list has its own filters", () => {
  const before = { facets: [facet("material", option("Briar", "a"))] };
  assert.deepEqual(facetsAfter(before, { action: "/category/pipes" }), []);
  assert.deepEqual(facetsAfter(before, { q: "humidor" }), []);
});

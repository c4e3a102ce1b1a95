import assert from "node:assert/strict";
import { test } from "node:test";
import { expectedFilters, withSteadyFacets } from "../../app/lib/list-steps";
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

test("a filter is expected where the server will put it", () => {
  const filters = [{ name: "sale", value: "1" }];
  const narrowed = { active: [sale], price: { ...plain.price, filters } };
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
  const filters = [
    { name: "q", value: "pipe" },
    { name: "sale", value: "1" },
  ];
  const searched = { q: "pipe", active: [sale], price: { ...plain.price, filters } };
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
  const narrowed = { active, price: { ...plain.price, selected_min: 5 } };
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
  assert.deepEqual(expected({ active: [sale] }, "/products?sale=1&sort=price"), ["On sale"]);
  assert.equal(expected({}, "/category/pipes"), undefined);
  const home = page({}, "home");
  assert.equal(expectedFilters(home, new URL("http://shop.test/products")), null);
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

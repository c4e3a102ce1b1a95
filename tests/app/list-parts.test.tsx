import assert from "node:assert/strict";
import { test } from "node:test";
import { renderToStaticMarkup } from "react-dom/server";
import { countOf, List } from "../../app/admin/parts/list";
import { NothingFound } from "../../app/catalog/nothing-found";
import { PriceFilter } from "../../app/catalog/price-filter";
import { SharedContext } from "../../app/lib/shared";
import type { ListPage, Shared } from "../../app/lib/types";
import { listOf } from "../../app/samples/admin-list";
import { list } from "../../app/samples/catalog";

const empty: ListPage = { ...list, q: "", total: 0, items: [], active: [] };

const nothing = (props: ListPage) =>
  renderToStaticMarkup(
    <SharedContext value={{ menu: { items: [] } } as unknown as Shared}>
      <NothingFound {...props} />
    </SharedContext>,
  );

test("an amount may be typed as it is shown", () => {
  const fields = renderToStaticMarkup(<PriceFilter {...list} />).match(/<input class[^>]*>/g) ?? [];
  assert.equal(fields.length, 2);
  for (const field of fields) {
    const [, pattern = ""] = field.match(/pattern="([^"]*)"/) ?? [];
    const [, shown = ""] = field.match(/placeholder="([^"]*)"/) ?? [];
    const allowed = new RegExp(`^(?:${pattern})$`, "v");
    for (const amount of ["", "20", shown]) assert.match(amount, allowed);
    for (const amount of ["19.50", "cheap", "-5"]) assert.doesNotMatch(amount, allowed);
  }
});

test("one of something is named in the singular", () => {
  assert.deepEqual(
    [0, 1, 1_234].map((number) => countOf(number, "entry", "entries")),
    ["0 entries", "1 entry", "1,234 entries"],
  );
  assert.equal(countOf(2, "product"), "2 products");
});

test("only who has searched is told to search for another word", () => {
  assert.match(nothing({ ...empty, q: "qqqzzz" }), /Try a shorter or more general word/);
  assert.doesNotMatch(nothing(empty), /word/);
});

test("who has worked off the last page is led back, not told that there are no results", () => {
  const left = (total: number) =>
    renderToStaticMarkup(
      <List
        label="Orders"
        list={{ ...listOf("number"), total, previous: "/admin/orders?status=paid" }}
        rows={[]}
        id={String}
        cell={String}
        searchLabel="Search"
        empty="No orders yet."
      />,
    );
  assert.match(
    left(50),
    /Nothing is left on this page\. <a href="\/admin\/orders\?status=paid">Go to the first page</,
  );
  assert.match(left(0), /No results. <a href="[^"]*">Clear filters/);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { togglePage, toggleRow } from "../../app/admin/parts/selection";

const some = (...ids: string[]) => ({ ids: new Set(ids), isAll: false });
/** All results, after a row of the first page was selected by itself. */
const ALL = { ids: new Set(["a"]), isAll: true };
const PAGE = ["d", "e", "f"];

test("rows and pages are added to what is selected, and taken out", () => {
  assert.deepEqual(toggleRow(some("a"), "d", PAGE), some("a", "d"));
  assert.deepEqual(toggleRow(some("a", "d"), "d", PAGE), some("a"));
  assert.deepEqual(togglePage(some("a", "d"), PAGE), some("a", ...PAGE));
  assert.deepEqual(togglePage(some("a", ...PAGE), PAGE), some("a"));
});

test("who deselects one of all results keeps what the page shows", () => {
  assert.deepEqual(toggleRow(ALL, "e", PAGE), some("d", "f"));
});

test("who deselects a page of all results keeps none", () => {
  assert.deepEqual(togglePage(ALL, PAGE), some());
});

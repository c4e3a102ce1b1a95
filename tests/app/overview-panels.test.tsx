// The panels of the overview, as the server renders them.

import assert from "node:assert/strict";
import { test } from "node:test";
import { renderToStaticMarkup } from "react-dom/server";
import { AttentionPanel } from "../../app/admin/overview/panels";

const items = [{ label: "CB-1", why: "unfulfilled", href: null, at: "2026-11-21T12:00:05" }];

const texts = (total: number, href: string | null) =>
  renderToStaticMarkup(
    <AttentionPanel hands={[{ kind: "unsent", total, items, href }]} />,
  ).replaceAll(/<[^>]*>/g, " ");

test("what the server has not counted to its end is not told as exact", () => {
  assert.match(texts(999, "/admin/orders"), /\b999 .*See all 999 /);
  assert.match(texts(1_000, "/admin/orders"), /\b1,000\+ .*See all 1,000\+ /);
  assert.match(texts(999, null), /and 998 more/);
  assert.match(texts(1_000, null), /and 999\+ more/);
});

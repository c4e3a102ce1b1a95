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

test("what waits to be picked up is work, and says what to do with it", () => {
  const waiting = items.map((item) => ({ ...item, why: "to_pick_up" }));
  const html = renderToStaticMarkup(
    <AttentionPanel hands={[{ kind: "to_pick_up", total: 1, items: waiting, href: null }]} />,
  );
  assert.match(html, /Orders to be picked up.*data-tone="info".*Make it ready, or hand it over\./);
});

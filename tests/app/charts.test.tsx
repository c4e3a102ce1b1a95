// The charts of the admin area: the axis, the line, and the whole drawing as the server renders it.

import assert from "node:assert/strict";
import { test } from "node:test";
import { renderToStaticMarkup } from "react-dom/server";
import { Chart } from "../../app/admin/reports/chart";
import { money, whole } from "../../app/admin/reports/format";
import type { ChartProps } from "../../app/admin/reports/rows";
import { dateStep, linePath, percentOf, ticksOf } from "../../app/admin/reports/scale";

test("an axis has few round values around all figures and zero", () => {
  assert.deepEqual(ticksOf([3, 58, 41], 1), [0, 20, 40, 60]);
  assert.deepEqual(ticksOf([7], 1), [0, 2, 4, 6, 8]);
  assert.deepEqual(ticksOf([40, 80], 1), [0, 20, 40, 60, 80], "a figure may be at the top");
  assert.deepEqual(ticksOf([680_20, 0, -49_99], 100), [-200_00, 0, 200_00, 400_00, 600_00, 800_00]);
  assert.deepEqual(ticksOf([-30, -10], 1), [-30, -20, -10, 0], "zero is at the top");
});

test("an axis has at least one step, of a whole unit", () => {
  for (const values of [[], [0], [0, 0, 0], [1]]) assert.deepEqual(ticksOf(values, 1), [0, 1]);
  assert.deepEqual(ticksOf([1_50], 100), [0, 1_00, 2_00], "no fractions of dollars");
});

test("an axis stays short and exact, however large the figures are", () => {
  assert.deepEqual(
    ticksOf([1, 2, 10_000_000_00], 100),
    [0, 2_000_000_00, 4_000_000_00, 6_000_000_00, 8_000_000_00, 10_000_000_00],
  );
  for (let most = 1; most < 1e15; most *= 3)
    for (const least of [0, -1, -most]) {
      const ticks = ticksOf([least, most], 1);
      assert.ok(ticks.length <= 7 && ticks.every(Number.isSafeInteger), `${least} to ${most}`);
      assert.ok((ticks[0] ?? 1) <= least && (ticks.at(-1) ?? 0) >= most, `${least} to ${most}`);
      assert.ok(ticks.includes(0));
    }
});

test("a line has gaps where figures are unknown, and a figure between gaps shows", () => {
  const y = (value: number) => 100 - value;
  assert.equal(linePath([], y), "");
  assert.equal(linePath([null, null], y), "");
  assert.equal(linePath([40], y), "M0.25 60h0.5");
  const values = [0, 40, null, 20, null, 10, 10];
  assert.equal(linePath(values, y), "M0.5 100L1.5 60M3.25 80h0.5M5.5 90L6.5 90");
});

test("dates are few, and every other one may be hidden", () => {
  assert.deepEqual([0, 1, 7, 8, 9, 30, 90, 400].map(dateStep), [1, 1, 1, 1, 2, 4, 16, 64]);
});

test("positions are rounded, so that server and browser write the same", () => {
  assert.equal(percentOf(1, 3), 33.33);
  assert.equal(percentOf(0, 7), 0);
  assert.equal(percentOf(7, 7), 100);
});

/** The HTML of a chart with one row per day. */
function drawn(now: (number | null)[], more: Partial<ChartProps> = {}): string {
  const rows = now.map((value, index) => {
    const first = new Date(Date.UTC(2026, 0, 1 + index)).toISOString().slice(0, 10);
    return { first, label: first.slice(5), span: first, now: value, before: 5 };
  });
  const props = { title: "Visits by day", rows, now: "Visits", before: "Before", format: whole };
  return renderToStaticMarkup(<Chart {...props} {...more} />);
}

/** The number of times that a text occurs. */
const occurrences = (html: string, text: string) => html.split(text).length - 1;

test("every chart can be drawn", () => {
  const days = Array.from({ length: 400 }, (_, index) => (index * 7919) % 1000);
  const charts = {
    none: [],
    one: [12],
    zero: [0, 0, 0],
    unknown: [null, null],
    negative: [-5, 3, -8],
    outlier: [1, 2, 1_000_000_000, 3],
    days,
  };
  for (const [name, values] of Object.entries(charts)) {
    const html = drawn(values);
    assert.doesNotMatch(html, /NaN|Infinity|undefined|\d\.\d{3}/, name);
    assert.equal(occurrences(html, "<rect"), values.filter((value) => value).length, name);
    assert.equal(occurrences(html, "<tr"), values.length + 1, `${name}: the table has every row`);
    assert.equal(occurrences(html, "<input"), values.length > 0 ? 1 : 0, name);
  }
  const [, dates = ""] = drawn(days).split("chart-dates");
  assert.equal(occurrences(dates, "--at"), 7);
});

test("bars end at their values, on both sides of zero", () => {
  const html = drawn([30, -10], { before: null });
  assert.match(html, /<svg y="0%" height="75%"[^>]*><rect x="25%" y="0%" height="110%"/);
  assert.match(html, /<svg y="75%" height="25%"[^>]*><rect x="75%" y="-10%" height="110%"/);
});

test("the figures of the previous period count only if they are shown", () => {
  assert.match(drawn([2]), /<path/);
  assert.doesNotMatch(drawn([2], { before: null }), /<path/);
  assert.match(drawn([2], { before: null }), /<span>2<\/span><\/div>/, "the axis ends at 2");
});

test("the exact figures of the last day can be read", () => {
  const html = drawn([1_00, 1_234_50], { title: "Revenue by day", now: "Revenue", format: money });
  assert.match(html, /aria-label="Revenue by day"/);
  assert.match(html, /aria-valuetext="2026-01-02: Revenue \$1,234.50, Before \$0.05"/);
  assert.match(drawn([null]), /aria-valuetext="2026-01-01: Visits –, Before 5"/);
});

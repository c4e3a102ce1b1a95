import assert from "node:assert/strict";
import { test } from "node:test";
import {
  change,
  duration,
  money,
  percent,
  short,
  span,
  whole,
} from "../../app/admin/reports/format";

test("a difference is said in full and in percent", () => {
  assert.deepEqual(change(150, 100, whole), {
    direction: "up",
    relative: "+50%",
    absolute: "+50",
  });
  assert.deepEqual(change(75_00, 100_00, money), {
    direction: "down",
    relative: "-25%",
    absolute: "-$25.00",
  });
  assert.equal(change(320, 400, percent).absolute, "-0.8 points", "rates differ by points");
});

test("of nothing there is no percentage", () => {
  assert.deepEqual(change(5, 0, whole), { direction: "up", relative: null, absolute: "+5" });
  assert.equal(change(-5_00, -10_00, money).relative, null, "nor of less than nothing");
  assert.equal(change(0, 0, whole).direction, "same");
});

test("figures are written as people read them", () => {
  assert.equal(whole(-1_234_567), "-1,234,567");
  assert.equal(percent(642), "6.42%");
  assert.deepEqual([45, 75, 3_725].map(duration), ["45 s", "1 min 15 s", "1 h 2 min"]);
  assert.deepEqual([-300_00, 1_234_50, 1_234_500].map(short(money)), ["-$300", "$1,235", "$12.3k"]);
  assert.deepEqual([90, 12_300].map(short(whole)), ["90", "12.3k"]);
  assert.equal(span("2026-11-21", "2026-11-21"), "Sat, Nov 21, 2026");
  assert.equal(span("2026-11-16", "2026-11-22"), "Nov 16 to Nov 22, 2026");
  assert.equal(span("2026-12-28", "2027-01-03"), "Dec 28, 2026 to Jan 3, 2027");
  assert.equal(span("2025-11-21", "2026-11-21"), "Nov 21, 2025 to Nov 21, 2026");
});

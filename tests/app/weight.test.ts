import assert from "node:assert/strict";
import { test } from "node:test";
import { formatWeight, parseWeight } from "../../app/lib/weight.ts";

test("weights read in ounces and pounds", () => {
  const cases: [number, string][] = [
    [0, "0 oz"],
    [1, "0.04 oz"],
    [68, "2.4 oz"],
    [340, "12 oz"],
    [454, "1 lb"],
    [680, "1 lb 8 oz"],
    [500, "1 lb 1.64 oz"],
    [1_000_000, "2204 lb 9.96 oz"],
  ];
  for (const [grams, text] of cases) assert.equal(formatWeight(grams), text);
});

test("each gram comes back from what is shown of it", () => {
  for (let grams = 0; grams <= 1_000_000; grams += grams < 50_000 ? 1 : 97)
    assert.equal(parseWeight(formatWeight(grams)), grams);
});

test("weights are typed with any unit, or with none for ounces", () => {
  const cases: [string, number][] = [
    ["12", 340],
    [" 12oz ", 340],
    ["0.5", 14],
    [".5 oz", 14],
    ["1 lb", 454],
    ["2.5 LBS", 1_134],
    ["1 lb 4 oz", 567],
    ["1lb4oz", 567],
    ["1 lb, 4 oz", 567],
    ["1lb ,4oz", 567],
    ["1,000 lb, 1,000.5 g", 454_593],
    ["1,000 lb", 453_592],
    ["1,000,000.4 g", 1_000_000],
    ["68 g", 68],
    ["1.2 kg", 1_200],
  ];
  for (const [text, grams] of cases) assert.equal(parseWeight(text), grams, text);
  for (const text of [
    "",
    "heavy",
    "-1",
    "1 st",
    "1 lb 4",
    "1 lb, 4",
    "1 lb,, 4 oz",
    "1 2",
    "1e3",
    "1.2.3",
    "oz",
  ])
    assert.equal(parseWeight(text), -1, text);
});

test("a comma in a weight only separates thousands", () => {
  for (const text of [
    "1,5 lb",
    "1,5",
    "12,34 oz",
    "1,0000 g",
    "1234,567 g",
    ",500 g",
    "1,000,5 g",
    "1, lb 4 oz",
  ])
    assert.equal(parseWeight(text), -1, text);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import type { ComponentProps } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { Validity, ValidityFields } from "../../app/admin/settings/validity";

function told(valid_from: string, valid_until: string | null): string | undefined {
  const html = renderToStaticMarkup(
    <Validity valid_from={valid_from} valid_until={valid_until} phase="in_force" />,
  );
  return /<small>(.*)<\/small>/.exec(html)?.[1];
}

test("a rule says from which day through which it counts", () => {
  assert.equal(told("2026-01-01", null), "from January 1, 2026");
  // It ends before that day.
  assert.equal(told("2026-01-01", "2026-07-01"), "from January 1, 2026 through June 30, 2026");
  assert.equal(told("2026-01-01", "2026-01-01"), "corrected on January 1, 2026");
});

/** The first day and the end that are filled in on November 21. */
function filledIn(replaced: ComponentProps<typeof ValidityFields>["replaced"] = {}): string[] {
  const html = renderToStaticMarkup(
    <ValidityFields today="2026-11-21" replaced={replaced} about={() => undefined} />,
  );
  const inputs = html.match(/<input[^>]*>/g) ?? [];
  return ["valid_from", "valid_until"].map((name) => {
    const input = inputs.find((each) => each.includes(`name="${name}"`)) ?? "";
    return / value="([^"]*)"/.exec(input)?.[1] ?? "";
  });
}

test("what is replaced is replaced from its first day or today on, until it would end", () => {
  const days = { valid_from: "2026-12-01", valid_until: "2026-12-10", own_end: "2026-12-15" };
  assert.deepEqual(filledIn(), ["2026-11-21", ""]);
  assert.deepEqual(filledIn({ ...days, phase: "coming" }), ["2026-12-01", "2026-12-15"]);
  const current = { ...days, valid_from: "2026-01-01", phase: "in_force" } as const;
  assert.deepEqual(filledIn(current), ["2026-11-21", "2026-12-15"]);
  assert.deepEqual(filledIn({ ...current, own_end: null }), ["2026-11-21", ""]);
});

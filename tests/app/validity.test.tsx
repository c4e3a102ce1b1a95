import assert from "node:assert/strict";
import { test } from "node:test";
import { renderToStaticMarkup } from "react-dom/server";
import { Validity } from "../../app/admin/settings/validity";

function told(valid_from: string, valid_until: string | null): string | undefined {
  const html = renderToStaticMarkup(
    <Validity valid_from={valid_from} valid_until={valid_until} phase="in_force" />,
  );
  return /<small>(.*)<\/small>/.exec(html)?.[1];
}

test("a rule says from when until when it counts", () => {
  assert.equal(told("2026-01-01", null), "from January 1, 2026");
  assert.equal(told("2026-01-01", "2026-07-01"), "from January 1, 2026 until July 1, 2026");
  assert.equal(told("2026-01-01", "2026-01-01"), "corrected on January 1, 2026");
});

// What the markup of forms must say, read from the sources.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

const app = join(import.meta.dirname, "../../app");

/** GET forms: searches, filters, and a button that shows another form. */
const SEARCHES = [
  "account/form.tsx",
  "admin/analytics/period-picker.tsx",
  "admin/parts/list-tools.tsx",
  "catalog/price-filter.tsx",
  "shell/search-box.tsx",
  "ui/search-form.tsx",
];

const sources = readdirSync(app, { recursive: true, encoding: "utf8" })
  .filter((path) => path.endsWith(".tsx"))
  .map((path) => ({ path, source: readFileSync(join(app, path), "utf8") }));

// Form input must never end up in a URL, not even before the scripts run: each form declares its method first.
test("a form is posted, unless it is a search", () => {
  const forms = sources.flatMap(({ path, source }) =>
    [...source.matchAll(/<form\b\s*(method="\w+")?/g)].map(([, method]) => ({ path, method })),
  );
  assert.ok(forms.length > 20, "the forms are found");
  const others = forms.filter(({ method }) => method !== 'method="post"');
  assert.deepEqual([...new Set(others.map(({ path }) => path))].toSorted(), SEARCHES);
  assert.ok(others.every(({ method }) => method === 'method="get"'));
});

// ARIA in HTML allows no other input to be one; axe is less strict.
test("a combobox is an input of type text", () => {
  const others = [];
  let count = 0;
  for (const { path, source } of sources)
    for (const [input] of source.matchAll(/<input\b[\s\S]*?\/>/g)) {
      if (!input.includes('role="combobox"')) continue;
      count += 1;
      if (!input.includes('type="text"')) others.push(path);
    }
  assert.ok(count >= 3, "they are found");
  assert.deepEqual(others, []);
});

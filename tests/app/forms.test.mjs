// Form input must never end up in a URL, not even before the scripts run: each form declares its method first.

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

test("a form is posted, unless it is a search", () => {
  const forms = readdirSync(app, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".tsx"))
    .flatMap((path) => {
      const source = readFileSync(join(app, path), "utf8");
      return [...source.matchAll(/<form\b\s*(method="\w+")?/g)].map(([, method]) => ({
        path,
        method,
      }));
    });
  assert.ok(forms.length > 20, "the forms are found");
  const others = forms.filter(({ method }) => method !== 'method="post"');
  assert.deepEqual([...new Set(others.map(({ path }) => path))].toSorted(), SEARCHES);
  assert.ok(others.every(({ method }) => method === 'method="get"'));
});

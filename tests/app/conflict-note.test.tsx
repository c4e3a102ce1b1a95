import assert from "node:assert/strict";
import { test } from "node:test";
import { renderToStaticMarkup } from "react-dom/server";
import { ConflictNote } from "../../app/admin/products/conflict-note";
import { CATEGORY_LABELS } from "../../app/admin/products/field-labels";

function told(changed: string[], both: string[]): string | undefined {
  const html = renderToStaticMarkup(
    <ConflictNote
      what="category"
      labels={CATEGORY_LABELS}
      changed={changed}
      both={both}
      onKeep={() => {}}
      onDiscard={() => {}}
    />,
  );
  return /<\/b>: (.*?)<\/p>/.exec(html)?.[1];
}

test("a conflict names the fields as the form does", () => {
  assert.equal(
    told(["version", "slug", "parent_id"], ["slug"]),
    "Address, Parent category. You both changed: Address. Keeping your version replaces theirs.",
  );
  assert.equal(told(["version"], []), "nothing shown here.");
});

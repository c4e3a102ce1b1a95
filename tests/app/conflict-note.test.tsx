import assert from "node:assert/strict";
import { test } from "node:test";
import { renderToStaticMarkup } from "react-dom/server";
import { ConflictNote } from "../../app/admin/products/conflict-note";
import { CATEGORY_LABELS } from "../../app/admin/products/field-labels";
import { ChangeErrors } from "../../app/admin/settings/use-change";

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

test("who has lost an answer is not told that it was someone else", () => {
  const change = {
    form: { current: null },
    version: 1,
    busy: false,
    isConflict: true,
    about: () => undefined,
    problem: undefined,
    errors: {},
    ask: async () => false,
    send: async () => false,
    reload: async () => {},
    moveToLatest: () => {},
  };
  const html = renderToStaticMarkup(<ChangeErrors change={change} />);
  assert.match(html, /or an earlier try of yours was saved\./);
});

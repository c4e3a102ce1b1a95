import assert from "node:assert/strict";
import { test } from "node:test";
import { renderToStaticMarkup } from "react-dom/server";
import { emptyContent } from "../../app/admin/products/product-content";
import { PublishingPanel } from "../../app/admin/products/publishing-panel";
import { editor } from "../../app/samples/products";

test("a refused collection is said below the collections, even if none is left", () => {
  for (const collections of [editor.collections, []]) {
    const html = renderToStaticMarkup(
      <PublishingPanel
        {...editor}
        collections={collections}
        content={emptyContent}
        set={() => {}}
        about={(field) => (field === "collections" ? "It was deleted." : undefined)}
        readOnly={false}
      />,
    );
    assert.match(html, /It was deleted\.<\/p><\/section>$/);
  }
});

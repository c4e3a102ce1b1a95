import assert from "node:assert/strict";
import { test } from "node:test";
import { renderToStaticMarkup } from "react-dom/server";
import { emptyContent } from "../../app/admin/products/product-content";
import { PublishingPanel } from "../../app/admin/products/publishing-panel";
import { editor } from "../../app/samples/products";

const render = (props: Partial<Parameters<typeof PublishingPanel>[0]>) =>
  renderToStaticMarkup(
    <PublishingPanel
      {...editor}
      content={emptyContent}
      set={() => {}}
      about={() => undefined}
      readOnly={false}
      {...props}
    />,
  );

test("a refused collection is said below the collections, even if none is left", () => {
  for (const collections of [editor.collections, []]) {
    const html = render({
      collections,
      about: (field) => (field === "collections" ? "It was deleted." : undefined),
    });
    assert.match(html, /It was deleted\.<\/p><\/section>$/);
  }
});

test("a deleted collection can be unchecked", () => {
  const content = { ...emptyContent, collections: ["gifts", "gone"] };
  for (const collections of [editor.collections, []]) {
    const html = render({ collections, content });
    assert.match(html, /<input type="checkbox" checked=""\/>Deleted collection<\/label>/);
  }
  assert.doesNotMatch(render({ content: { ...content, collections: ["gifts"] } }), /Deleted/);
});

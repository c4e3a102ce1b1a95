import assert from "node:assert/strict";
import { test } from "node:test";
import { renderToStaticMarkup } from "react-dom/server";
import { emptyContent } from "../../app/admin/products/product-content";
import { SearchListingPanel } from "../../app/admin/products/search-listing-panel";
import { SharedContext } from "../../app/lib/shared";
import type { ProductContent, Shared } from "../../app/lib/types";

const shared = { company: { name: "Shop" } } as unknown as Shared;

const render = (fields: Partial<ProductContent>) =>
  renderToStaticMarkup(
    <SharedContext value={shared}>
      <SearchListingPanel
        content={{ ...emptyContent, ...fields }}
        set={() => {}}
        about={() => undefined}
        readOnly={false}
        origin="https://shop.example"
        wasReleased={false}
      />
    </SharedContext>,
  );

test("a title is previewed and counted as its page has it, with the shop's name", () => {
  const html = render({ title: "Rack", seo_title: "Pipe racks" });
  assert.match(html, /<b>Pipe racks \| Shop<\/b>/);
  assert.match(html, />17 of about 60 characters shown/);
  assert.match(render({ title: "Rack" }), /<b>Rack \| Shop<\/b>/);
});

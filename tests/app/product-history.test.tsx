import assert from "node:assert/strict";
import { test } from "node:test";
import { renderToStaticMarkup } from "react-dom/server";
import { History } from "../../app/admin/products/history";

test("a product's history names the fields as the form does", () => {
  const change = {
    at: "2026-11-21T12:00:05",
    actor: "Ann",
    action: "product.update",
    before: { seo_title: "", category_id: "1", "variant RACK-D": { price: 4500 } },
    after: {
      seo_title: "Racks",
      category_id: "2",
      "variant RACK-D": { price: 4400 },
      pictures: [],
    },
  };
  const html = renderToStaticMarkup(<History history={[change]} />);
  assert.equal(
    /<small>(.*?)<\/small>/.exec(html)?.[1],
    "Page title, Category, Variant RACK-D, Images",
  );
});

import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { fetchPage } from "../../app/admin/products/latest-page";
import { shared } from "../../app/samples/base";
import { editor } from "../../app/samples/products";

test("the page of a product is taken only from an answer of this build", async (t) => {
  t.after(() => mock.restoreAll());
  const page = { page: "", url: "", status: 200, shared, props: editor, meta: { title: "Rack" } };
  const after = (answer: () => Response | Promise<Response>) => {
    mock.method(globalThis, "fetch", async () => answer());
    return fetchPage("sample", shared.build);
  };
  assert.deepEqual(await after(() => Response.json(page)), { page: editor, title: "Rack" });
  for (const other of [
    () => Response.json({ ...page, status: 500 }, { status: 500 }),
    () => Response.json({ ...page, shared: { ...shared, build: "newer" } }),
    () => Response.json({ status: 401, title: "Unauthorized" }, { status: 401 }),
    () => new Response("<p>Bad gateway</p>", { status: 502 }),
    () => Promise.reject(new TypeError("offline")),
  ])
    assert.equal(await after(other), null);
});

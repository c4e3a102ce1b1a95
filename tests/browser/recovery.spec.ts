// What the browser does about payloads, code and style sheets that do not load, and about errors of the app.
import type { Route } from "@playwright/test";
import { addAndSync, newEmail, payButton } from "./checkout-form";
import { documents, expect, heading, open, type Page, saveData, shopAll, test } from "./shop";
import { signIn } from "./staff";

const PRODUCTS = "All products";
/** What the page has in one test below. */
declare let held: (() => void)[] | null;
declare const fail: (message: string) => void;
const LIST_STYLES = "**/assets/catalog-*.css";

for (const [failure, answer] of [
  ["aborted", (route: Route) => route.abort()],
  ["no JSON", (route: Route) => route.fulfill({ status: 502, body: "<h1>Bad gateway</h1>" })],
  ["no page", (route: Route) => route.fulfill({ json: { page: 1 } })],
] as const) {
  test.describe(failure, () => {
    test("a payload that fails becomes a full page load", async ({ page }) => {
      await saveData(page);
      await open(page, "/");
      const loads = documents(page);
      await page.route("**/_payload.json", answer);
      await shopAll(page).click();
      await expect(heading(page)).toHaveText(PRODUCTS);
      expect(loads).toEqual(["/products"]);
    });
  });
}

test("a fault in a handler becomes the error page, but not for crawlers", async ({
  page,
  browser,
  baseURL,
}) => {
  const crawler = await browser.newContext({ baseURL: baseURL ?? "", userAgent: "Googlebot/2.1" });
  await crawler.addCookies(await page.context().cookies());
  for (const visitor of [page, await crawler.newPage()]) {
    // Pictures that still have to be rendered would occupy the connections.
    await visitor.route("**/images/**", (route) => route.abort());
    await open(visitor, "/product/double-blade-cutter");
    await visitor.evaluate(() => {
      history.replaceState = () => {
        throw new TypeError("the history is closed");
      };
    });
    const reported = visitor.waitForRequest("**/api/client-errors");
    await visitor.locator(".picker").getByRole("link", { name: "Brass" }).click();
    expect((await reported).postDataJSON()).toMatchObject({ kind: "window" });
    if (visitor === page)
      await expect(page.locator(".error-message")).toHaveText("the history is closed");
    else await expect(visitor.getByRole("heading", { level: 1 })).toContainText("Cutter");
  }
  await crawler.close();
});

test("a page that throws in the browser becomes the error page, and the shop hears of it", async ({
  page,
}) => {
  await saveData(page);
  await open(page, "/");
  const reported = page.waitForRequest("**/api/client-errors");
  // Fetched in advance, because the app cancels its own request when it navigates again.
  const response = await page.request.get("/products/_payload.json");
  const envelope = await response.json();
  envelope.props.items = [null];
  await page.route("**/products/_payload.json", (route) => route.fulfill({ json: envelope }));
  await shopAll(page).click();
  await expect(page.locator(".error-message")).toContainText("of null");
  expect((await reported).postDataJSON()).toMatchObject({ kind: "render", url: "/products" });
  await page.locator(".cart-link").click();
  await expect(heading(page)).toHaveText("Your cart");
});

test("a navigation ends when the error page comes before its page", async ({ page }) => {
  await page.addInitScript(() => {
    Object.assign(window, {
      // While messages are held, React does not go on with what it has to do.
      held: null,
      // In a handler of the app.
      fail(message: string) {
        const clicked = document.createElement("i");
        clicked.closest = () => {
          throw new TypeError(message);
        };
        document.body.append(clicked);
        clicked.click();
      },
    });
    const { postMessage } = MessagePort.prototype;
    MessagePort.prototype.postMessage = function (...args: [unknown]) {
      const post = () => postMessage.apply(this, args);
      if (held) held.push(post);
      else post();
    };
  });
  await open(page, "/");
  // The code of the error page is here after the first one.
  await page.evaluate(() => fail("first"));
  await expect(page.locator(".error-message")).toHaveText("first");
  await page.locator(".cart-link").click();
  await expect(heading(page)).toHaveText("Your cart");
  await page.evaluate(() => {
    const { pushState } = history;
    history.pushState = function (...args) {
      history.pushState = pushState;
      pushState.apply(this, args);
      held = [];
      setTimeout(() => fail("second"));
    };
  });
  await shopAll(page).click();
  await expect(page).toHaveURL("/products");
  await page.evaluate(async () => {
    for (let frame = 0; frame < 5; frame++) await new Promise(requestAnimationFrame);
    const messages = held ?? [];
    held = null;
    for (const post of messages) post();
  });
  await expect(page.locator(".error-message")).toHaveText("second");
  await expect(page.locator(".progress")).toHaveCount(0);
});

test("a page that the server could not render is rendered by the browser", async ({ page }) => {
  await page.route("**/products", async (route) => {
    const response = await route.fetch();
    const html = await response.text();
    const start = html.indexOf('<div id="root">') + '<div id="root">'.length;
    const end = html.lastIndexOf('</div><script type="application/json" id="page">');
    await route.fulfill({ response, status: 503, body: html.slice(0, start) + html.slice(end) });
  });
  await open(page, "/products");
  await expect(heading(page)).toHaveText(PRODUCTS);
  await expect(page.locator(".card")).toHaveCount(48);
});

test("a chunk that fails to load in a navigation reloads the page once", async ({ page }) => {
  // Before they can be fetched ahead.
  await blockChunks(page, "catalog/list");
  await open(page, "/cart");
  const loads = documents(page);
  const failures = mountFailures(page);
  await shopAll(page).click();
  await expect.poll(() => failures.length).toBe(1);
  await page.waitForLoadState("networkidle");
  expect(loads).toEqual(["/products"]);
  // The server-rendered page is still readable.
  await expect(heading(page)).toHaveText(PRODUCTS);
});

test("a chunk that fails to load with its document reloads it once", async ({ page }) => {
  await open(page, "/cart");
  await blockChunks(page, "catalog/list");
  const loads = documents(page);
  const failures = mountFailures(page);
  const thrown: Error[] = [];
  page.on("pageerror", (error) => thrown.push(error));
  await page.goto("/products");
  await expect.poll(() => failures.length).toBe(2);
  // It is not only logged.
  await expect.poll(() => thrown.at(-1)?.message).toMatch(/catalog\/list did not load/);
  await page.waitForLoadState("networkidle");
  expect(loads).toEqual(["/products", "/products"]);
});

test("without its own code a page works as without scripts", async ({ page }) => {
  await blockChunks(page, "catalog/product");
  const failures = mountFailures(page);
  await page.goto("/product/double-blade-cutter");
  await expect.poll(() => failures.length).toBe(2);
  // It would do nothing.
  await expect(page.getByRole("button", { name: "Increase quantity" })).toBeHidden();
  await page.getByRole("button", { name: /^Add to cart/ }).click();
  await expect(page).toHaveURL(/\/cart$/);
  await expect(page.getByRole("textbox", { name: "Quantity" })).toHaveValue("1");
});

test("the answer to a form is not loaded again for missing code, and works as without scripts", async ({
  page,
}) => {
  await blockChunks(page, "checkout");
  await addAndSync(page, "/product/unbleached-papers-king?variant=UPK-ONBO");
  const failures = mountFailures(page);
  const posts: string[] = [];
  page.on("request", (request) => {
    if (request.method() === "POST" && request.isNavigationRequest()) posts.push(request.url());
  });
  await page.goto("/checkout");
  await expect.poll(() => failures.length).toBe(2);
  await page.getByLabel("Email").fill(newEmail());
  await page.locator("input[name=delivery][value=pickup]").check();
  // As if it took more than ten seconds to fill in the form.
  await page.evaluate(() => sessionStorage.removeItem("shop.reload"));
  await payButton(page).click();
  await expect(page.getByText("Enter a first name.")).toBeVisible();
  await expect.poll(() => failures.length).toBe(3);
  await page.waitForLoadState("networkidle");
  expect(posts).toHaveLength(1);
  await payButton(page).click();
  await expect.poll(() => posts.length).toBe(2);
});

test("where the code does not load, a notice is shown as without scripts", async ({
  page,
  context,
  baseURL,
}) => {
  await context.addCookies([{ name: "notice", value: "unsaved", url: baseURL ?? "" }]);
  await page.route("**/assets/client-*.js", (route) => route.abort());
  const loads = documents(page);
  await page.goto("/products");
  await expect(page.getByText("nothing was saved")).toBeVisible();
  await page.waitForLoadState("networkidle");
  // Another document would not have it.
  expect(loads).toEqual(["/products"]);
});

test("in the admin area what was typed stays where the code did not load, and a notice says so", async ({
  page,
}) => {
  await signIn(page, "Sample Admin", "/admin/settings/company");
  const blocks = [
    () => blockChunks(page, "admin/settings/company"),
    () => page.route("**/assets/client-*.js", (route) => route.abort()),
  ];
  for (const block of blocks) {
    await block();
    await page.goto("/admin/settings/company");
    await expect(page.locator("[data-unloaded]")).toHaveCount(1);
    const phone = page.getByLabel("Phone");
    await phone.fill("614 555 0199");
    const loads = documents(page);
    await page.getByRole("button", { name: "Save company" }).click();
    await page.waitForLoadState("networkidle");
    await expect(phone).toHaveValue("614 555 0199");
    expect(loads).toEqual([]);
    const notice = await page
      .locator(".admin main")
      .evaluate((main) => getComputedStyle(main, "::before").content);
    expect(notice).toContain("The code of this page did not load");
  }
});

test("the app's own code that fails to load reloads the page once", async ({ page }) => {
  await page.route("**/assets/client-*.js", (route) => route.abort());
  const loads = documents(page);
  const failures: Error[] = [];
  page.on("pageerror", (error) => failures.push(error));
  await page.goto("/products");
  // Messages of the first document may be lost when it is unloaded.
  await expect.poll(() => loads.length).toBe(2);
  await expect.poll(() => failures.length).toBeGreaterThan(0);
  await page.waitForLoadState("networkidle");
  expect(loads).toEqual(["/products", "/products"]);
  await expect(heading(page)).toHaveText(PRODUCTS);
});

test("style sheets that did not load are loaded by the navigation that needs them", async ({
  page,
}) => {
  await page.route(LIST_STYLES, (route) => route.abort());
  const failed = page.waitForEvent("requestfailed");
  await open(page, "/cart");
  await failed;
  await page.waitForLoadState("networkidle");
  await page.unroute(LIST_STYLES);
  const loads = documents(page);
  await shopAll(page).click();
  await expect(heading(page)).toHaveText(PRODUCTS);
  expect(await styles(page)).toHaveLength(5);
  expect(loads).toEqual([]);
});

test("a page whose style sheet still does not load is loaded with its document", async ({
  page,
}) => {
  await page.route(LIST_STYLES, (route) => route.abort());
  await open(page, "/cart");
  const loads = documents(page);
  await page.route("**/products", async (route) => {
    await page.unroute(LIST_STYLES);
    await route.continue();
  });
  await shopAll(page).click();
  await expect(heading(page)).toHaveText(PRODUCTS);
  // The heading of a document is there before its style sheets.
  await expect.poll(() => styles(page)).toContain("catalog");
  expect(loads).toEqual(["/products"]);
});

/** Blocks the code that only this page needs. */
async function blockChunks(page: Page, name: string): Promise<void> {
  const { id } = await (await page.request.get("/builds/latest.json")).json();
  const { pages } = await (await page.request.get(`/builds/meta/${id}.json`)).json();
  const others = Object.keys(pages).filter((key) => key !== name);
  const own: string[] = pages[name].js.filter(
    (file: string) => !others.some((key) => pages[key].js.includes(file)),
  );
  expect(own.length).toBeGreaterThan(0);
  await page.route(
    (url) => own.some((file) => url.pathname.endsWith(file)),
    (route) => route.abort(),
  );
}

/** Names of the style sheets that the page has. */
function styles(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.styleSheets].map(({ href }) => /(\w+)-\w+\.css$/.exec(href ?? "")?.[1] ?? ""),
  );
}

function mountFailures(page: Page): string[] {
  const failures: string[] = [];
  page.on("console", (message) => {
    if (message.text().startsWith("Error while mounting app:")) failures.push(message.text());
  });
  return failures;
}

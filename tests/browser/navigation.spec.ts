import type { Route } from "@playwright/test";
import {
  documents,
  expect,
  heading,
  hydrated,
  open,
  type Page,
  payloads,
  saveData,
  shopAll,
  test,
  withoutBeforeUnload,
} from "./shop";
import { signIn } from "./staff";

const PRODUCTS = "All products";
const CUTTER = "Double-Blade Cutter";
/** What the page has in one test below. */
declare let held: (() => void)[] | null;
declare const fail: (message: string) => void;
const LIST_STYLES = "**/assets/catalog-*.css";

test("a link fetches the payload of the next page and loads no document", async ({ page }) => {
  await open(page, "/");
  const loads = documents(page);
  const asked = payloads(page);
  await shopAll(page).click();
  await expect(heading(page)).toHaveText(PRODUCTS);
  await expect(page).toHaveURL("/products");
  expect(asked).toContain("/products/_payload.json");
  expect(loads).toEqual([]);
});

test("an image is lazy until it is inside its picture", async ({ page }) => {
  // Like Safari, which loads what an image names at once.
  await page.addInitScript(() => {
    const early: string[] = [];
    Object.assign(window, { early });
    const { setAttribute } = Element.prototype;
    Element.prototype.setAttribute = function (name, value) {
      const isLoaded = this instanceof HTMLImageElement && this.loading !== "lazy";
      if (isLoaded && name === "src" && !this.closest("picture")) early.push(value);
      setAttribute.call(this, name, value);
    };
  });
  await open(page, "/cart");
  await shopAll(page).click();
  const first = page.locator("img[fetchpriority=high]").first();
  await expect(heading(page)).toHaveText(PRODUCTS);
  await expect(first).toHaveAttribute("loading", "eager");
  await card(page, CUTTER).click();
  await expect(heading(page)).toHaveText(CUTTER);
  await expect(first).toHaveAttribute("loading", "eager");
  expect(await page.evaluate("early")).toEqual([]);
});

test("a new page brings its title, description and address, and takes the focus", async ({
  page,
}) => {
  const complaints: string[] = [];
  page.on("console", (message) => complaints.push(message.text()));
  await open(page, "/products");
  await card(page, CUTTER).click();
  await expect(heading(page)).toHaveText(CUTTER);
  await expect(heading(page)).toBeFocused();
  await expect(page).toHaveTitle(/Double-Blade Cutter/);
  await expect(page.locator("body > [role=status]")).toHaveText(await page.title());
  const head = await headOf(page);
  await page.reload();
  await hydrated(page);
  expect(await headOf(page)).toEqual(head);
  expect(complaints).toEqual([]);
});

test("back and forward restore the scroll position", async ({ page }) => {
  await open(page, "/products");
  const link = page.locator(".card a").nth(20);
  await link.hover();
  const left = await page.evaluate(() => scrollY);
  expect(left).toBeGreaterThan(500);
  await link.click();
  await expect(page.locator(".product h1")).toBeVisible();
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(0);
  await page.goBack();
  await expect(heading(page)).toHaveText(PRODUCTS);
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(left);
  await page.goForward();
  await expect(page.locator(".product h1")).toBeVisible();
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(0);
  await page.goBack();
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(left);
  await page.reload();
  await hydrated(page);
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(left);
});

test("back restores the position while the page that is left still scrolls", async ({ page }) => {
  await open(page, "/products");
  const link = page.locator(".card a").nth(20);
  await link.hover();
  // Without the scrolling of a real click.
  const left = await link.evaluate((link: HTMLElement) => {
    link.click();
    return scrollY;
  });
  await expect(page.locator(".product h1")).toBeVisible();
  await page.evaluate(() => {
    const scroll = () => {
      if (!document.querySelector(".product")) return;
      scrollBy({ top: scrollY > 5 ? -5 : 5, behavior: "instant" });
      requestAnimationFrame(scroll);
    };
    scroll();
  });
  await page.goBack();
  await expect(heading(page)).toHaveText(PRODUCTS);
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(left);
});

test("a filter leaves the reader where he is", async ({ page }) => {
  await open(page, "/products");
  const link = page.locator(".facet li a", { hasText: "On sale" });
  await link.click();
  await expect(page).toHaveURL("/products?sale=1");
  await expect(link).toHaveAttribute("aria-current");
  await expect(link).toBeFocused();
  await expect(link).toBeInViewport();
});

test("back leads to where an order was chosen", async ({ page }) => {
  await open(page, "/products");
  await page.locator(".card a").nth(20).hover();
  // Without the scrolling of a real click.
  const click = (link: HTMLElement) => link.click();
  await page.locator(".sort a", { hasText: "Name" }).evaluate(click);
  await expect(page).toHaveURL("/products?sort=name");
  await expect(page.locator(".sort summary")).toContainText("Name");
  const left = await page.evaluate(() => scrollY);
  expect(left).toBeGreaterThan(500);
  await page.locator(".card a").nth(20).evaluate(click);
  await expect(page.locator(".product h1")).toBeVisible();
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(0);
  await page.goBack();
  await expect(heading(page)).toHaveText(PRODUCTS);
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(left);
});

test("a newer navigation cancels the one before it", async ({ page }) => {
  await saveData(page);
  await open(page, "/");
  const entries = await page.evaluate(() => history.length);
  const held = hold(page, "**/products/_payload.json");
  const canceled = page.waitForEvent("requestfailed", (request) =>
    request.url().endsWith("/products/_payload.json"),
  );
  await shopAll(page).click();
  const route = await held;
  await page.locator(".cart-link").click();
  await canceled;
  await route.continue().catch(() => {});
  await expect(heading(page)).toHaveText("Your cart");
  await expect(page).toHaveURL("/cart");
  expect(await page.evaluate(() => history.length)).toBe(entries + 1);
});

test("the same link pressed twice is one navigation, with a bar while it lasts", async ({
  page,
}) => {
  await saveData(page);
  await open(page, "/");
  const asked = payloads(page);
  const entries = await page.evaluate(() => history.length);
  const held = hold(page, "**/products/_payload.json");
  await shopAll(page).click();
  const route = await held;
  await shopAll(page).click();
  await expect(page.locator(".progress")).toBeVisible();
  await route.continue();
  await expect(heading(page)).toHaveText(PRODUCTS);
  await expect(page.locator(".progress")).toHaveCount(0);
  expect(asked).toEqual(["/products/_payload.json"]);
  expect(await page.evaluate(() => history.length)).toBe(entries + 1);
});

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

test("the payload of another build becomes a full page load", async ({ page }) => {
  await saveData(page);
  await open(page, "/");
  const loads = documents(page);
  await page.route("**/products/_payload.json", async (route) => {
    const response = await route.fetch();
    const envelope = await response.json();
    envelope.shared.build = "another";
    await route.fulfill({ response, json: envelope });
  });
  await shopAll(page).click();
  await expect(heading(page)).toHaveText(PRODUCTS);
  expect(loads).toEqual(["/products"]);
});

test("a page that does not exist is shown in place with its status and message", async ({
  page,
}) => {
  await open(page, "/");
  const loads = documents(page);
  await page.evaluate(() => {
    document.querySelector<HTMLAnchorElement>(".cart-link")?.setAttribute("href", "/nowhere");
  });
  await page.locator(".cart-link").click();
  await expect(heading(page)).toHaveText("Page not found");
  await expect(page.locator(".error-message")).toHaveText("Page not found: /nowhere");
  expect(loads).toEqual([]);
});

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

test("a newer build makes the next navigation a full page load", async ({ page }) => {
  await page.clock.install();
  // A second after the page becomes idle it requests its own build's manifest, and from then on hourly.
  const quiet = page.waitForResponse("**/builds/meta/*.json");
  await open(page, "/");
  expect((await quiet).status()).toBe(200);
  const loads = documents(page);
  await page.route("**/builds/latest.json", (route) => route.fulfill({ json: { id: "newer" } }));
  await page.route("**/builds/meta/newer.json", (route) =>
    route.fulfill({ json: { id: "newer", pages: {} } }),
  );
  const checked = page.waitForResponse("**/builds/meta/newer.json");
  await page.clock.fastForward(3_600_000);
  await (await checked).finished();
  await shopAll(page).click();
  await expect(heading(page)).toHaveText(PRODUCTS);
  expect(loads).toEqual(["/products"]);
});

test("a build that is still the newest changes nothing", async ({ page }) => {
  await page.clock.install();
  const quiet = page.waitForResponse("**/builds/meta/*.json");
  await open(page, "/");
  await quiet;
  const loads = documents(page);
  const checked = page.waitForResponse("**/builds/latest.json");
  await page.clock.fastForward(3_600_000);
  await (await checked).finished();
  await shopAll(page).click();
  await expect(heading(page)).toHaveText(PRODUCTS);
  expect(loads).toEqual([]);
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
  await page.getByRole("button", { name: /^Add to cart/ }).click();
  await expect(page).toHaveURL(/\/cart$/);
  await expect(page.getByRole("textbox", { name: "Quantity" })).toHaveValue("1");
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

test("who leaves during a navigation that then fails gets where they wanted", async ({ page }) => {
  await saveData(page);
  await open(page, "/");
  const payload = hold(page, "**/products/_payload.json");
  await shopAll(page).click();
  const given = await payload;
  const next = hold(page, "**/checkout");
  const left = page.evaluate(() => location.assign("/checkout"));
  const document = await next;
  // Chromium lets the request go on while the next document is on its way; Firefox fails it.
  await given.abort().catch(() => {});
  await left;
  await document.continue();
  await page.waitForURL("/checkout");
  await hydrated(page);
  await expect(page).toHaveURL("/checkout");
});

for (const [means, leave] of [
  [
    "a link",
    (link: HTMLAnchorElement) => {
      link.href = "/checkout";
      link.click();
    },
  ],
  [
    "a form",
    (link: HTMLAnchorElement) => {
      const form = document.createElement("form");
      form.action = "/checkout";
      link.after(form);
      form.requestSubmit();
    },
  ],
] as const) {
  test(`who leaves by ${means} gets there in Safari, which fails the navigation before it`, async ({
    page,
  }) => {
    await saveData(page);
    await withoutBeforeUnload(page);
    await open(page, "/");
    const payload = hold(page, "**/products/_payload.json");
    await shopAll(page).click();
    const given = await payload;
    const next = hold(page, /\/checkout\??$/);
    const failed = page.waitForEvent("requestfailed", (request) =>
      request.url().endsWith("/products/_payload.json"),
    );
    await page.locator(".cart-link").evaluate(leave);
    const document = await next;
    await given.abort().catch(() => {});
    await failed;
    await document.continue();
    await page.waitForURL(/\/checkout/);
    await hydrated(page);
    await expect(page).toHaveURL(/\/checkout/);
  });
}

test("what is left to the browser but stays on the page does not end a navigation", async ({
  page,
}) => {
  await saveData(page);
  await open(page, "/");
  const payload = hold(page, "**/products/_payload.json");
  await shopAll(page).click();
  const given = await payload;
  await page.locator(".cart-link").evaluate((link: HTMLAnchorElement) => {
    // The browser would open a window, or another program.
    addEventListener("click", (event) => event.preventDefault());
    link.href = "/checkout";
    link.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true, ctrlKey: true }));
    link.target = "_blank";
    link.click();
    link.target = "";
    link.href = "mailto:shop@shop.example";
    link.click();
  });
  await given.continue();
  await expect(heading(page)).toHaveText(PRODUCTS);
});

function card(page: Page, title: string) {
  return page.locator(".card").getByRole("link", { name: title });
}

/** The metadata of a page for search engines and browsers. */
function headOf(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const texts = [
      ...document.head.querySelectorAll(
        "title, meta[name], meta[property], link[rel=canonical], script[type='application/ld+json']",
      ),
    ].map((element) =>
      element instanceof HTMLScriptElement
        ? JSON.stringify(JSON.parse(element.text))
        : element.outerHTML,
    );
    return texts.sort();
  });
}

/** Holds the first request for a URL until the test releases it. */
function hold(page: Page, pattern: string | RegExp): Promise<Route> {
  return new Promise((resolve, reject) => {
    page.route(pattern, resolve, { times: 1 }).catch(reject);
  });
}

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

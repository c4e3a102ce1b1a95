// Navigation without loading a document: what it changes, and how it is canceled, repeated or left.
import type { Route } from "@playwright/test";
import {
  documents,
  expect,
  heading,
  hydrated,
  open,
  type Page,
  payloads,
  refreshes,
  saveData,
  shopAll,
  test,
  withoutBeforeUnload,
} from "./shop";

const PRODUCTS = "All products";
const CUTTER = "Double-Blade Cutter";

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

test("a new page brings its title, description and address, and takes the focus", async ({
  page,
}) => {
  const complaints: string[] = [];
  page.on("console", (message) => complaints.push(message.text()));
  await open(page, "/products");
  await page.locator(".card").getByRole("link", { name: CUTTER }).click();
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
  const held = firstRequest(page, "**/products/_payload.json");
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
  const held = firstRequest(page, "**/products/_payload.json");
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

test("a link within the page does not end its refresh", async ({ page }) => {
  await saveData(page);
  await open(page, "/");
  let answer = () => {};
  const answered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route("**/_payload.json", async (route) => {
    await answered;
    const response = await route.fetch();
    const envelope = await response.json();
    envelope.meta.title = "Fetched again";
    await route.fulfill({ response, json: envelope });
  });
  await refreshes(page);
  await page.locator(".skip-link").press("Enter");
  await expect(page).toHaveURL("/#main");
  answer();
  await expect(page).toHaveTitle("Fetched again");
  await expect(page).toHaveURL("/#main");
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

test("who leaves during a navigation that then fails gets where they wanted", async ({ page }) => {
  await saveData(page);
  await open(page, "/");
  const payload = firstRequest(page, "**/products/_payload.json");
  await shopAll(page).click();
  const given = await payload;
  const next = firstRequest(page, "**/checkout");
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
    const payload = firstRequest(page, "**/products/_payload.json");
    await shopAll(page).click();
    const given = await payload;
    const next = firstRequest(page, /\/checkout\??$/);
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
  const payload = firstRequest(page, "**/products/_payload.json");
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
function firstRequest(page: Page, pattern: string | RegExp): Promise<Route> {
  return new Promise((resolve, reject) => {
    page.route(pattern, resolve, { times: 1 }).catch(reject);
  });
}

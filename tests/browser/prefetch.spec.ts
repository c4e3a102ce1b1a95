import type { Route } from "@playwright/test";
import {
  documents,
  expect,
  guestCartIsSent,
  heading,
  open,
  PAGES,
  type Page,
  payloads,
  saveData,
  shopAll,
  test,
} from "./shop";

const PRODUCTS = "All products";
/** After this time the clock of a test reports that a page is idle. */
const IDLE_MS = 50;

test("prefetch on intent serves the click that follows", async ({ page }) => {
  // From the start: on a slow machine the page prefetches its links before the pointer is on one.
  const asked = payloads(page);
  const fetched = page.waitForResponse("**/products/_payload.json");
  await open(page, "/cart");
  await shopAll(page).hover();
  await (await fetched).finished();
  await shopAll(page).click();
  await expect(heading(page)).toHaveText(PRODUCTS);
  expect(asked.filter((path) => path === "/products/_payload.json")).toHaveLength(1);
});

test("a prefetch that is late does not hold up the click that follows", async ({ page }) => {
  // Never answered, as behind pictures that hold all connections.
  await page.route("**/products/_payload.json", () => {}, { times: 1 });
  const asked = payloads(page);
  const fetched = page.waitForRequest("**/products/_payload.json");
  await open(page, "/cart");
  const loads = documents(page);
  await shopAll(page).hover();
  await fetched;
  await shopAll(page).click();
  await expect(heading(page)).toHaveText(PRODUCTS, { timeout: 5000 });
  expect(asked.filter((path) => path === "/products/_payload.json")).toHaveLength(2);
  expect(loads).toEqual([]);
});

test("a click asks again for what the server could not answer in advance", async ({ page }) => {
  await page.route(
    "**/products/_payload.json",
    async (route) => {
      const response = await page.request.get(`${PAGES.missing}/_payload.json`);
      const json = { ...(await response.json()), url: "/products", status: 503 };
      await route.fulfill({ status: 503, json });
    },
    { times: 1 },
  );
  const asked = payloads(page);
  // The page of the error is loaded in advance, too, when its data has arrived.
  const failed = page.waitForRequest(/\/assets\/error-page-.*\.js/);
  await open(page, "/cart");
  const loads = documents(page);
  await shopAll(page).hover();
  await failed;
  await shopAll(page).click();
  await expect(heading(page)).toHaveText(PRODUCTS);
  expect(asked.filter((path) => path === "/products/_payload.json")).toHaveLength(2);
  expect(loads).toEqual([]);
});

test("a link is prefetched when the pointer has rested on it for 100 ms", async ({ page }) => {
  await openStill(page, "/products");
  const asked = payloads(page);
  const fetched = page.waitForRequest("**/products/_payload.json?sale=1");
  await page.locator(".facet li a", { hasText: "On sale" }).hover();
  await page.clock.runFor(99);
  expect(asked).toEqual([]);
  await page.clock.runFor(1);
  await fetched;
});

test("links in view are prefetched a second after the page is quiet, four at a time", async ({
  page,
}) => {
  const waiting: Route[] = [];
  await page.route("**/_payload.json", (route) => {
    waiting.push(route);
  });
  await openStill(page, "/cart");
  await page.clock.runFor(999 - IDLE_MS);
  expect(waiting).toEqual([]);
  await page.clock.runFor(4001 + IDLE_MS);
  await expect.poll(() => waiting.length).toBe(4);
  await waiting[0]?.continue();
  await expect.poll(() => waiting.length).toBe(5);
});

test("of a list that is scrolled to its end six links are prefetched, and the one under the pointer", async ({
  page,
}) => {
  await openStill(page, "/products");
  const asked = payloads(page);
  await page.clock.runFor(2000);
  for (const at of [0, 12, 24, 36, 47]) {
    await page.locator(".card a").nth(at).scrollIntoViewIfNeeded();
    await page.clock.runFor(1000);
  }
  await expect.poll(() => asked.length).toBe(6);
  const fetched = page.waitForRequest("**/products/_payload.json?page=2");
  await page.getByRole("link", { name: "Next" }).hover();
  await page.clock.runFor(100);
  await fetched;
  expect(asked).toHaveLength(7);
});

test("nothing is prefetched for a visitor who saves data", async ({ page }) => {
  await page.clock.install();
  await saveData(page);
  const manifests: string[] = [];
  page.on("request", (request) => {
    if (request.url().includes("/builds/")) manifests.push(request.url());
  });
  await open(page, "/cart");
  const asked = payloads(page);
  await page.waitForLoadState("load");
  await page.clock.runFor(5000);
  await shopAll(page).hover();
  await page.clock.runFor(5000);
  expect(asked).toEqual([]);
  await shopAll(page).click();
  await expect(heading(page)).toHaveText(PRODUCTS);
  expect(asked).toEqual(["/products/_payload.json"]);
  expect(manifests).toEqual([]);
});

test("the checkout, which is a document of its own, is fetched when its link is pressed", async ({
  page,
}) => {
  await open(page, PAGES.product);
  await page.getByRole("button", { name: /^Add to cart/ }).click();
  await guestCartIsSent(page);
  await page.locator(".cart-link").click();
  const client = await page.context().newCDPSession(page);
  const fetched = new Promise<void>((resolve) => {
    client.on("Preload.prefetchStatusUpdated", ({ status }) => status === "Ready" && resolve());
  });
  await client.send("Preload.enable");
  await page.getByRole("link", { name: "Checkout", exact: true }).hover();
  await page.mouse.down();
  await fetched;
  await page.mouse.up();
  await page.waitForURL("/checkout");
  await expect(page.locator(".bought li")).toHaveCount(1);
  const [load] = await page.evaluate(() => performance.getEntriesByType("navigation"));
  expect(load).toMatchObject({ deliveryType: "navigational-prefetch" });
});

/** Loads a page whose clock only the test advances, from the moment at which the code of the navigation runs. */
async function openStill(page: Page, path: string): Promise<void> {
  await page.clock.install({ time: 0 });
  // Later than the current time can be, however slow the machine is.
  await page.clock.pauseAt(3_600_000);
  await page.goto(path);
  // The app's code is loaded after the first frame, that of the navigation when the page is idle.
  await expect(async () => {
    await page.clock.runFor(IDLE_MS);
    await expect(page.locator("body > [role=status]")).toHaveCount(1, { timeout: 1 });
  }).toPass();
  await page.clock.runFor(IDLE_MS);
}

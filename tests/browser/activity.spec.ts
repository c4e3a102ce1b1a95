import { expect, heading, open, type Page, saveData, test } from "./shop";

const PATH = "/api/me/activity";
const PRODUCT = "/product/double-blade-cutter";

interface Event {
  type: string;
  page: string | null;
  feature?: string;
  action?: string;
  session_duration?: number;
  session_id: string;
  timestamp: string;
}

interface Report {
  events: Event[];
  /** True for what a page sends when it is closed. */
  beacon: boolean;
}

/** Collects what the page reports after this call. */
function reports(page: Page): Report[] {
  const found: Report[] = [];
  page.on("request", (request) => {
    if (new URL(request.url()).pathname !== PATH) return;
    const beacon = request.resourceType() === "ping";
    found.push({ ...(JSON.parse(request.postData() ?? "") as { events: Event[] }), beacon });
  });
  return found;
}

const told = (found: Report[]) =>
  found.flatMap(({ events }) =>
    events.map(({ type, page, feature, action }) =>
      [type, page, feature, action].filter(Boolean).join(" "),
    ),
  );

/** Opens a page and waits until its activity is recorded. */
async function watched(page: Page, path: string): Promise<void> {
  const recorder = page.waitForResponse(/\/assets\/recorder-/);
  await open(page, path);
  await (await recorder).finished();
}

/** Simulates that another tab comes to the front. */
function setHidden(page: Page, hidden: boolean): Promise<void> {
  return page.evaluate((value) => {
    Object.defineProperty(document, "hidden", { value, configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
  }, hidden);
}

test("each page is told once, by client navigation too", async ({ page }) => {
  const complaints: string[] = [];
  page.on("console", (message) => complaints.push(message.text()));
  const found = reports(page);
  await open(page, "/products");
  await expect.poll(() => told(found)).toEqual(["page_view /products"]);
  await page.locator(".cart-link").click();
  await expect.poll(() => told(found)).toEqual(["page_view /products", "page_view /cart"]);
  await page.goBack();
  await expect.poll(() => told(found)).toHaveLength(3);
  const events = found.flatMap((each) => each.events);
  expect(events.at(-1)?.page).toBe("/products");
  expect(new Set(events.map(({ session_id }) => session_id)).size).toBe(1);
  expect(events[0]?.session_id).toMatch(/^[0-9a-f-]{36}$/);
  expect(Math.abs(Date.parse(events[0]?.timestamp ?? "") - Date.now())).toBeLessThan(60_000);
  expect(complaints).toEqual([]);
});

test("the server takes what a browser sends", async ({ page }) => {
  const answer = page.waitForResponse((response) => response.url().endsWith(PATH));
  await open(page, PRODUCT);
  expect((await answer).status()).toBe(202);
  expect(await (await answer).json()).toEqual({ accepted: 1 });
  expect(await page.context().cookies()).toHaveLength(1);
});

test("a missing page is no view", async ({ page }) => {
  await page.clock.install();
  const found = reports(page);
  await watched(page, "/no-such-page");
  await page.clock.fastForward(10_000);
  await page.locator(".cart-link").click();
  await page.clock.fastForward(10_000);
  await expect.poll(() => told(found)).toEqual(["page_view /cart"]);
});

test("a search is told once, a second after the last key", async ({ page }) => {
  const found = reports(page);
  await watched(page, "/");
  const box = page.getByRole("combobox", { name: "Search the shop" });
  await box.pressSequentially("hu");
  await box.pressSequentially("midor ");
  await expect.poll(() => told(found)).toEqual(["page_view /", "search / humidor"]);
  await box.press("Enter");
  await expect.poll(() => told(found).at(-1)).toBe("page_view /products");
  expect(told(found)).toHaveLength(3);
});

test("what happens to the cart is told once, wherever it happens", async ({ page, context }) => {
  const other = await context.newPage();
  const elsewhere = reports(other);
  await watched(other, "/cart");
  const found = reports(page);
  await open(page, PRODUCT);
  // The recorder is not loaded yet: the event waits for it.
  await page.getByRole("button", { name: /^Add to cart/ }).click();
  await expect.poll(() => told(found).length).toBe(2);
  const id = await page.evaluate(() => JSON.parse(localStorage["shop.cart"]).items[0].id);
  expect(told(found)).toEqual([`page_view ${PRODUCT}`, `cart_action ${PRODUCT} ${id} add`]);
  await page.locator(".cart-link").click();
  // The product's page has such a button, too.
  await expect(heading(page)).toHaveText("Your cart");
  await page.getByRole("button", { name: "Increase quantity" }).click();
  await page.getByRole("button", { name: "Remove Double-Blade Cutter" }).click();
  await expect.poll(() => told(found).length).toBe(5);
  expect(told(found).slice(3)).toEqual([
    `cart_action /cart ${id} quantity`,
    `cart_action /cart ${id} remove`,
  ]);
  expect(told(elsewhere)).toEqual(["page_view /cart"]);
});

test("filters, sorting and the gallery are features", async ({ page }) => {
  const found = reports(page);
  await watched(page, PRODUCT);
  await page.locator(".gallery-thumbs a").nth(1).click();
  await expect.poll(() => told(found)).toContain(`feature_usage ${PRODUCT} gallery`);
  found.length = 0;
  await watched(page, "/products");
  await page.locator(".facet li a").first().click();
  await page.locator(".sort summary").click();
  await page.locator(".sort a").nth(1).click();
  await expect.poll(() => told(found)).toContain("feature_usage /products sort");
  expect(told(found)).toEqual([
    "page_view /products",
    "feature_usage /products filters",
    "feature_usage /products sort",
  ]);
});

test("hiding the page after more than 30 s tells how long it was active, by beacon", async ({
  page,
}) => {
  await page.clock.install();
  const found = reports(page);
  await watched(page, "/");
  await expect.poll(() => told(found)).toEqual(["page_view /"]);
  await setHidden(page, true);
  await setHidden(page, false);
  await page.clock.fastForward(31_000);
  expect(told(found)).toEqual(["page_view /"]);
  await setHidden(page, true);
  await expect.poll(() => told(found)).toEqual(["page_view /", "session_activity /"]);
  const report = found.at(-1);
  expect(report?.beacon).toBe(true);
  expect(report?.events[0]?.session_duration).toBeGreaterThanOrEqual(31);
  expect(report?.events[0]?.session_duration).toBeLessThan(60);
  await page.clock.fastForward(600_000);
  await page.evaluate(() => dispatchEvent(new PageTransitionEvent("pagehide")));
  expect(told(found)).toHaveLength(2);
});

test("closing a page that was never hidden tells how long it was active, by beacon", async ({
  page,
}) => {
  await page.clock.install();
  const found = reports(page);
  await watched(page, "/");
  await expect.poll(() => told(found)).toEqual(["page_view /"]);
  await page.clock.fastForward(31_000);
  await page.evaluate(() => dispatchEvent(new PageTransitionEvent("pagehide")));
  await expect.poll(() => told(found)).toEqual(["page_view /", "session_activity /"]);
  expect(found.at(-1)?.beacon).toBe(true);
});

test("a long visit is told every 300 s", async ({ page }) => {
  await page.clock.install();
  const found = reports(page);
  await watched(page, "/");
  await page.clock.runFor(302_000);
  await expect.poll(() => told(found)).toEqual(["page_view /", "session_activity /"]);
  await page.clock.runFor(300_000);
  await expect.poll(() => told(found)).toHaveLength(3);
  const durations = found.flatMap(({ events }) => events.map((each) => each.session_duration));
  expect(durations).toEqual([undefined, 300, 600]);
});

for (const [signal, property, value] of [
  ["Do Not Track", "doNotTrack", "1"],
  ["Global Privacy Control", "globalPrivacyControl", true],
] as const) {
  test(`nothing is told of a visitor who sends ${signal}`, async ({ page }) => {
    await page.addInitScript(
      ([name, given]) => Object.defineProperty(navigator, name, { value: given }),
      [property, value] as const,
    );
    await page.clock.install();
    const found = reports(page);
    await watched(page, PRODUCT);
    await page.getByRole("button", { name: /^Add to cart/ }).click();
    await page.getByRole("combobox", { name: "Search the shop" }).pressSequentially("humidor");
    await page.clock.fastForward(60_000);
    await setHidden(page, true);
    await page.locator(".cart-link").click();
    await expect(page).toHaveURL("/cart");
    await page.clock.fastForward(400_000);
    expect(found).toEqual([]);
    expect(await page.evaluate(() => sessionStorage.getItem("shop.session"))).toBeNull();
  });
}

test("a report that fails is logged and disturbs nobody", async ({ page }) => {
  const said: string[] = [];
  page.on("console", (message) => said.push(message.text()));
  page.on("pageerror", (error) => said.push(`uncaught: ${error.message}`));
  await page.route(`**${PATH}`, (route) => route.fulfill({ status: 500 }));
  await open(page, "/products");
  await expect.poll(() => said).toContain("Activity was not recorded: 500");
  await page.locator(".cart-link").click();
  await expect(page).toHaveURL("/cart");
  expect(said.filter((text) => text.startsWith("uncaught"))).toEqual([]);
});

test("without a connection events wait, and the console stays empty", async ({ page, context }) => {
  await page.clock.install();
  // Browsers report what is under way when the connection ends.
  await saveData(page);
  const found = reports(page);
  const answered = page.waitForResponse((response) => response.url().endsWith(PATH));
  await watched(page, PRODUCT);
  await (await answered).finished();
  expect(told(found)).toEqual([`page_view ${PRODUCT}`]);
  const said: string[] = [];
  page.on("console", (message) => said.push(message.text()));
  await context.setOffline(true);
  await page.getByRole("button", { name: /^Add to cart/ }).click();
  await page.clock.fastForward(10_000);
  expect(told(found)).toHaveLength(1);
  expect(said).toEqual([]);
  await context.setOffline(false);
  await page.getByRole("button", { name: /^Add to cart/ }).click();
  await page.clock.fastForward(10_000);
  await expect.poll(() => told(found)).toHaveLength(3);
});

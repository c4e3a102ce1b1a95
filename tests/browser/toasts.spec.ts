import { backgroundRuns, expect, open, type Page, test } from "./shop";

const PRODUCT = "/product/double-blade-cutter";
const TOAST_MS = 5000;
/** The code that shows messages. */
const CODE = "**/assets/toast-messages-*";

test("a message is announced politely and stands at the top right", async ({ page }) => {
  await frozen(page);
  await addInFrozen(page);
  const toast = page.getByRole("status").locator(".toast-success");
  await expect(toast).toContainText("Added to cart");
  await expect(toast).toContainText("1 × Double-Blade Cutter");
  const box = await toast.boundingBox();
  const { width } = page.viewportSize() ?? { width: 0 };
  if (!box) throw new Error("the message has no place");
  expect(box.y).toBeLessThan(200);
  expect(box.x).toBeGreaterThan(width / 2);
  expect(width - box.x - box.width).toBeLessThan(60);
  // On a small screen the header scrolls away, and the message does not stay below it.
  await page.setViewportSize({ width: 390, height: 640 });
  await page.evaluate(() => scrollTo({ top: 600, behavior: "instant" }));
  await expect.poll(async () => (await toast.boundingBox())?.y).toBeLessThan(40);
});

test("an error is announced at once and stays until it is closed", async ({ page }) => {
  await page.clock.install();
  // Before it can be fetched ahead.
  await page.route("**/assets/list-page*", (route) => route.abort());
  await open(page, PRODUCT);
  // The page has just been reloaded because of this chunk, so the guard forbids another reload.
  await page.evaluate(() => {
    sessionStorage.setItem("shop.reload", JSON.stringify({ "/products": Date.now() }));
  });
  await page.locator(".menu-top", { hasText: "Shop all" }).click();
  const toast = page.getByRole("alert").locator(".toast-error");
  await expect(toast).toContainText("This page didn’t load");
  await page.clock.runFor(60_000);
  await expect(toast).toBeVisible();
  // Escape closes what is open first.
  await page.locator("#menu summary").first().click();
  await page.keyboard.press("Escape");
  await expect(page.locator("#menu details[open]")).toHaveCount(0);
  await expect(toast).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(toast).toHaveCount(0);
});

test("a message whose code did not load tries again", async ({ page }) => {
  let failed = 0;
  page.on("requestfailed", (request) => {
    if (request.url().includes("/assets/toast-messages-")) failed += 1;
  });
  await page.route(CODE, (route) => route.abort());
  await open(page, PRODUCT);
  await expect.poll(() => failed).toBe(1);
  await page.unroute(CODE);
  await add(page);
  await expect(page.getByRole("status").locator(".toast-success")).toContainText("Added to cart");
});

test("a message leaves when its life ends, and not under the pointer or the focus", async ({
  page,
}) => {
  await frozen(page);
  await addInFrozen(page);
  const toast = page.locator(".toast");
  await page.clock.runFor(TOAST_MS - 1);
  await toast.hover();
  await toast.getByRole("button").focus();
  await page.clock.runFor(TOAST_MS);
  await page.mouse.move(0, 0);
  await page.clock.runFor(TOAST_MS);
  await expect(toast).toHaveCount(1);
  await page.locator(".cart-link").focus();
  await page.clock.runFor(1);
  await expect(toast).toHaveCount(0);
});

test.describe("on a touch screen", () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  test("a message whose link was tapped leaves when its life ends", async ({ page }) => {
    await frozen(page);
    await addInFrozen(page);
    await page.getByRole("link", { name: "View cart" }).tap();
    const cart = page.getByRole("heading", { name: "Your cart", level: 1 });
    while ((await cart.count()) === 0) await page.clock.runFor(1);
    await page.clock.runFor(TOAST_MS);
    await expect(page.locator(".toast")).toHaveCount(0);
  });
});

test("a message is closed by its button", async ({ page }) => {
  await frozen(page);
  await addInFrozen(page);
  await page.getByRole("button", { name: "Close notification" }).click();
  await expect(page.locator(".toast")).toHaveCount(0);
});

test("the area of messages is raised, and sinks 200 ms after the last has left", async ({
  page,
}) => {
  await frozen(page);
  const zIndex = () => page.locator(".toasts").evaluate((area) => area.style.zIndex);
  expect(await zIndex()).toBe("");
  await addInFrozen(page);
  await expect.poll(async () => Number(await zIndex())).toBeGreaterThan(0);
  await page.getByRole("button", { name: "Close notification" }).click();
  await expect(page.locator(".toast")).toHaveCount(0);
  await page.clock.runFor(199);
  expect(await zIndex()).not.toBe("");
  await page.clock.runFor(1);
  expect(await zIndex()).toBe("");
});

test("a pressed button shows ink, which is gone after 401 ms", async ({ page }) => {
  await frozen(page);
  await add(page);
  const ink = page.locator(".ripple-ink");
  await expect(ink).toHaveCount(1);
  await expect(ink).toHaveCSS("animation-duration", "0.4s");
  await page.clock.runFor(400);
  await expect(ink).toHaveCount(1);
  await page.clock.runFor(1);
  await expect(ink).toHaveCount(0);
});

test("a visitor who wants less motion sees no ink", async ({ page }) => {
  await page.emulateMedia({ reducedMotion: "reduce" });
  await frozen(page);
  await addInFrozen(page);
  await expect(page.locator(".toast")).toHaveCount(1);
  await expect(page.locator(".ripple-ink")).toHaveCount(0);
});

/** Opens a product in a browser whose clock only the test advances. */
async function frozen(page: Page): Promise<void> {
  await page.clock.install();
  await open(page, PRODUCT);
  await backgroundRuns(page);
  await page.clock.pauseAt(Date.now() + 60_000);
}

async function add(page: Page): Promise<void> {
  await page.getByRole("button", { name: /^Add to cart/ }).click();
}

/** Advances the clock to the message, which comes after the next frame. */
async function addInFrozen(page: Page): Promise<void> {
  await add(page);
  while ((await page.locator(".toast").count()) === 0) await page.clock.runFor(1);
}

// Back and forward show a page at once and as it was left, if the browser may keep it. Chromium without the code of its window
// keeps none, but also reports what in a page would forbid it.
import { args, fullPath } from "./chromium.mjs";
import { expect, open, PAGES, type Page, test } from "./shop";

const NEVER_KEEPS = "BackForwardCacheDisabledForDelegate";

test.use({
  launchOptions: {
    executablePath: fullPath,
    args,
    // The runner turns the cache off.
    ignoreDefaultArgs: ["--disable-back-forward-cache"],
  },
});

// No browser keeps a page whose status is an error.
const { missing: _, ...found } = PAGES;

for (const [name, path] of Object.entries(found)) {
  test(`the browser may keep the page when it is left: ${name}`, async ({ page }) => {
    await leaveAndReturn(page, path);
  });
}

test("the browser may keep a filled cart and the account when they are left", async ({ page }) => {
  await page.goto("/auth/login?return_to=/account");
  await page.getByText("Create an account").click();
  await page.getByLabel("Name").fill("Iris Vane");
  await page.getByLabel("Email").fill(`back-${crypto.randomUUID()}@shop.example`);
  await page.getByRole("button", { name: "Create account" }).click();
  await page.waitForURL("/account");
  await leaveAndReturn(page, "/account");
  await open(page, PAGES.product);
  await page.getByRole("button", { name: /^Add to cart/ }).click();
  await expect(page.locator(".cart-count")).not.toHaveText("");
  await leaveAndReturn(page, "/cart");
  await leaveAndReturn(page, "/checkout");
});

/** Opens a page, leaves it for another document, and returns to what was left. */
async function leaveAndReturn(page: Page, path: string): Promise<void> {
  const client = await page.context().newCDPSession(page);
  const causes: { type: string; reason: string }[] = [];
  await client.send("Page.enable");
  client.on("Page.backForwardCacheNotUsed", ({ notRestoredExplanations }) =>
    causes.push(...notRestoredExplanations),
  );
  await open(page, path);
  await page.evaluate(() => {
    document.documentElement.dataset.left = "";
  });
  await page.goto("/robots.txt");
  // Later, so that it does not end its own evaluation.
  await page.evaluate(() => void setTimeout(() => history.back()));
  // A page that is not kept is loaded again, which ends what is evaluated meanwhile.
  await expect(async () => {
    expect(await page.evaluate(() => location.pathname + location.search)).toBe(path);
  }).toPass();
  expect(causes.filter(({ type }) => type !== "Circumstantial")).toEqual([]);
  if (causes.some(({ reason }) => reason === NEVER_KEEPS)) return;
  expect(causes).toEqual([]);
  await expect(page.locator("html")).toHaveAttribute("data-left");
}

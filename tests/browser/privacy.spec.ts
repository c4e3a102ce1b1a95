import { expect, open, PAGES, test } from "./shop";

test("nothing is asked of anybody else, and no beacon is loaded, unless it is configured", async ({
  page,
  baseURL,
}) => {
  const foreign: string[] = [];
  page.on("request", (request) => {
    const { origin, protocol } = new URL(request.url());
    if (protocol !== "data:" && origin !== baseURL) foreign.push(request.url());
  });
  for (const path of Object.values(PAGES)) {
    await open(page, path);
    await page.waitForLoadState("networkidle");
    await expect(page.locator("script[data-cf-beacon]")).toHaveCount(0);
  }
  expect(foreign).toEqual([]);
});

test("the page after a private one is not told its address", async ({ page, baseURL }) => {
  await open(page, "/checkout/confirm?link=secret");
  await page.getByRole("link", { name: "Go to your cart" }).click();
  await page.waitForURL("/cart");
  expect(await page.evaluate(() => document.referrer)).toBe(`${baseURL}/`);
});

test("the beacon is loaded when the page is quiet, if it is configured and nobody objects", async ({
  page,
  context,
}) => {
  await page.route("/", async (route) => {
    const answer = await route.fetch();
    const html = await answer.text();
    await route.fulfill({
      response: answer,
      body: html.replace('"beacon":null', '"beacon":{"token":"t0ken","site":"shop.example"}'),
    });
  });
  await open(page, "/");
  const beacon = page.locator("script[data-cf-beacon]");
  await expect(beacon).toHaveAttribute("data-cf-beacon", /"token":"t0ken"/);
  await expect(beacon).toHaveCount(1);
  await context.addInitScript(() => Object.defineProperty(navigator, "doNotTrack", { value: "1" }));
  // The beacon is loaded by the end of this file, or not at all.
  await page.route(/\/assets\/recorder-/, async (route) => {
    const answer = await route.fetch();
    const body = `${await answer.text()}\nglobalThis.recorderHasRun = true;`;
    await route.fulfill({ response: answer, body });
  });
  await open(page, "/");
  await page.waitForFunction(() => "recorderHasRun" in globalThis);
  await expect(beacon).toHaveCount(0);
});

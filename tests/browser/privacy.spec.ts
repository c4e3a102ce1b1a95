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

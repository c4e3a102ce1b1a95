import { layoutShifts } from "./layout-shifts";
import { expect, hydrated, PAGES, type Page, test } from "./shop";

for (const [name, path] of Object.entries(PAGES)) {
  test(`fonts that arrive right after the first paint move nothing: ${name}`, async ({ page }) => {
    await delayFonts(page);
    await page.goto(path);
    await hydrated(page);
    await page.waitForLoadState("networkidle");
    expect(await layoutShifts(page)).toEqual([]);
  });
}

test("style sheets of other pages bring no font that was too late", async ({ page }) => {
  await delayFonts(page);
  let arrived = () => {};
  const last = new Promise<void>((resolve) => {
    arrived = resolve;
  });
  await page.route("**/assets/buying-*.css", async (route) => {
    const response = page.waitForResponse(/buying-.*\.css/);
    await route.continue();
    await (await response).finished();
    arrived();
  });
  await page.route("**/assets/catalog-*.css", async (route) => {
    await last;
    await route.continue();
  });
  await page.goto(PAGES.missing);
  await page.waitForFunction(() => document.styleSheets.length === 5);
  expect(await layoutShifts(page)).toEqual([]);
});

async function delayFonts(page: Page): Promise<void> {
  await page.route("**/*.woff2", async (route) => {
    await page.waitForFunction(() => performance.getEntriesByType("paint").length > 0);
    await route.continue();
  });
}

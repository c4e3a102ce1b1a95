import { layoutShifts } from "./layout-shifts";
import { expect, hydrated, PAGES, test } from "./shop";

for (const [name, path] of Object.entries(PAGES)) {
  test(`fonts that arrive right after the first paint move nothing: ${name}`, async ({ page }) => {
    await page.route("**/*.woff2", async (route) => {
      await page.waitForFunction(() => performance.getEntriesByType("paint").length > 0);
      await route.continue();
    });
    await page.goto(path);
    await hydrated(page);
    await page.waitForLoadState("networkidle");
    expect(await layoutShifts(page)).toEqual([]);
  });
}

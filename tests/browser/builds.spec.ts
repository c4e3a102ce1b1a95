// What an open page does when the server has another build.
import { documents, expect, heading, open, saveData, shopAll, test } from "./shop";

const PRODUCTS = "All products";

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

import { violationsInBoth } from "./axe";
import { layoutShifts } from "./layout-shifts";
import { expect, heading, open, PAGES, type Page, scrollThrough, shopAll, test } from "./shop";

/** The age gate is the same everywhere; on phones it is tested over pages that are short, long and full of pictures. */
const GATED_ON_PHONES = new Set<string>([PAGES.home, PAGES.product, PAGES.cart, PAGES.terms]);

for (const [name, path] of Object.entries(PAGES)) {
  test.describe(name, () => {
    test("every page hydrates with an empty console, moves nothing, and axe finds nothing wrong", {
      tag: "@phone",
    }, async ({ page }) => {
      const complaints = complaintsOf(page, path);
      await readThrough(page, path);
      expect(await layoutShifts(page)).toEqual([]);
      expect(await violationsInBoth(page)).toEqual([]);
      expect(complaints).toEqual([]);
    });

    test.describe("gate", () => {
      test.use({ verified: false });

      test("the age gate over any page is quiet, stands still, and axe finds nothing wrong", {
        tag: GATED_ON_PHONES.has(path) ? "@phone" : [],
      }, async ({ page }) => {
        const complaints = complaintsOf(page, path);
        await open(page, path);
        await page.waitForLoadState("networkidle");
        await expect(page.getByRole("dialog")).toBeVisible();
        expect(await layoutShifts(page)).toEqual([]);
        expect(await violationsInBoth(page)).toEqual([]);
        expect(complaints).toEqual([]);
      });
    });
  });
}

test("a script that gets into a page does not run", async ({ page }) => {
  await page.addInitScript(() => {
    const blocked: string[] = [];
    addEventListener("securitypolicyviolation", ({ effectiveDirective }) =>
      blocked.push(effectiveDirective),
    );
    Object.assign(window, { blocked });
  });
  // As if a text were not escaped.
  const injected = '<script>ran = true</script><img src="data:," alt="" onerror="ran = true">';
  for (const path of [PAGES.product, PAGES.checkout]) {
    await page.route(`**${path}`, async (route) => {
      const response = await route.fetch();
      const html = await response.text();
      await route.fulfill({ response, body: html.replace("<body>", `$&${injected}`) });
    });
    await open(page, path);
    await expect
      .poll(() => page.evaluate(() => (window as unknown as { blocked: string[] }).blocked))
      .toEqual(expect.arrayContaining(["script-src-elem", "script-src-attr"]));
    expect(await page.evaluate(() => "ran" in window)).toBe(false);
  }
});

test("an image is lazy until it is inside its picture", async ({ page }) => {
  // Like Safari, which loads what an image names at once.
  await page.addInitScript(() => {
    const early: string[] = [];
    Object.assign(window, { early });
    const { setAttribute } = Element.prototype;
    Element.prototype.setAttribute = function (name, value) {
      const isLoaded = this instanceof HTMLImageElement && this.loading !== "lazy";
      if (isLoaded && name === "src" && !this.closest("picture")) early.push(value);
      setAttribute.call(this, name, value);
    };
  });
  await open(page, "/cart");
  await shopAll(page).click();
  const first = page.locator("img[fetchpriority=high]").first();
  await expect(heading(page)).toHaveText("All products");
  await expect(first).toHaveAttribute("loading", "eager");
  await page.locator(".card").getByRole("link", { name: "Double-Blade Cutter" }).click();
  await expect(heading(page)).toHaveText("Double-Blade Cutter");
  await expect(first).toHaveAttribute("loading", "eager");
  expect(await page.evaluate("early")).toEqual([]);
});

/** Collects console messages, uncaught errors, and failed requests. */
function complaintsOf(page: Page, path: string): string[] {
  const complaints: string[] = [];
  page.on("console", (message) => {
    // The browser itself reports a missing document.
    const expected = path === PAGES.missing && /status of 404/.test(message.text());
    if (!expected) complaints.push(`${message.type()}: ${message.text()}`);
  });
  page.on("pageerror", (error) => complaints.push(`uncaught: ${error.message}`));
  page.on("requestfailed", (request) => {
    complaints.push(`failed: ${request.url()} ${request.failure()?.errorText}`);
  });
  return complaints;
}

async function readThrough(page: Page, path: string): Promise<void> {
  await open(page, path);
  await scrollThrough(page);
  await page.waitForLoadState("networkidle");
}

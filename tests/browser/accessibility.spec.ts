import { AxeBuilder } from "@axe-core/playwright";
import { expect, hydrated, open, PAGES, type Page, test } from "./shop";

const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22a", "wcag22aa", "best-practice"];

for (const colorScheme of ["light", "dark"] as const) {
  for (const [name, path] of Object.entries(PAGES)) {
    test.describe(`${name}, ${colorScheme}`, () => {
      test.use({ colorScheme });

      test("axe finds nothing wrong with any page", async ({ page }) => {
        await open(page, path);
        expect(await violations(page)).toEqual([]);
      });

      test.describe("gate", () => {
        test.use({ verified: false });

        test("axe finds nothing wrong with the age gate over any page", async ({ page }) => {
          await open(page, path);
          await expect(page.getByRole("dialog")).toBeVisible();
          expect(await violations(page)).toEqual([]);
        });
      });
    });
  }

  test.describe(colorScheme, () => {
    test.use({ colorScheme });

    test("axe finds nothing wrong with signing up, signing in and the account", async ({
      page,
    }) => {
      await open(page, "/");
      await page.getByRole("link", { name: "Create an account" }).click();
      const dialog = page.getByRole("dialog", { name: "Create an account" });
      await dialog.getByRole("button", { name: "Continue" }).click();
      await expect(dialog.getByText("Choose a state.")).toBeVisible();
      expect(await violations(page)).toEqual([]);
      await page.goto("/auth/login?return_to=/account");
      await page.getByText("Create an account").click();
      expect(await violations(page)).toEqual([]);
      await page.getByRole("button", { name: "Sample Staff" }).click();
      await hydrated(page);
      await page.getByRole("button", { name: "Add an address" }).click();
      await page.getByRole("button", { name: "Save address" }).click();
      await expect(page.getByText("Enter a city.")).toBeVisible();
      await page.locator("header summary[aria-label^='Account of']").click();
      expect(await violations(page)).toEqual([]);
      await page.keyboard.press("Escape");
      await expect(page.getByRole("link", { name: "Account", exact: true })).toBeHidden();
      await page.getByRole("button", { name: "Delete my account" }).click();
      expect(await violations(page)).toEqual([]);
    });

    test("axe finds nothing wrong with a message and a full cart", async ({ page }) => {
      await open(page, PAGES.product);
      await page.getByRole("button", { name: /^Add to cart/ }).click();
      await expect(page.locator(".toast")).toBeVisible();
      expect(await violations(page)).toEqual([]);
      await page.locator(".cart-link").click();
      await expect(page.locator(".cart-line")).toHaveCount(1);
      expect(await violations(page)).toEqual([]);
    });
  });
}

async function violations(page: Page): Promise<string[]> {
  // A colour that is still fading in is not the colour that will be read.
  await page.evaluate(() =>
    Promise.all(document.getAnimations().map(({ finished }) => finished.catch(() => {}))),
  );
  const { violations } = await new AxeBuilder({ page }).withTags(RULES).analyze();
  return violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(" ")).join(", ")}`,
  );
}

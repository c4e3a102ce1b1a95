import { violationsInBoth } from "./axe";
import { backgroundRuns, expect, hydrated, open, PAGES, test } from "./shop";

test("axe finds nothing wrong with signing up, signing in and the account", {
  tag: "@phone",
}, async ({ page }) => {
  await open(page, "/");
  await backgroundRuns(page);
  await page.getByRole("link", { name: "Create an account" }).click();
  const dialog = page.getByRole("dialog", { name: "Create an account" });
  await dialog.getByRole("button", { name: "Continue" }).click();
  await expect(dialog.getByText("Choose a state.")).toBeVisible();
  expect(await violationsInBoth(page)).toEqual([]);
  await page.goto("/auth/login?return_to=/account");
  await page.getByText("Create an account").click();
  expect(await violationsInBoth(page)).toEqual([]);
  await page.getByRole("button", { name: "Sample Staff" }).click();
  await hydrated(page);
  await page.getByRole("button", { name: "Add an address" }).click();
  await page.getByRole("button", { name: "Save address" }).click();
  await expect(page.getByText("Enter a city.")).toBeVisible();
  // The message of the one does not stretch the other, which is beside it.
  const heightOf = async (label: string) => (await page.getByLabel(label).boundingBox())?.height;
  expect(await heightOf("Company (optional)")).toBe(await heightOf("Street address"));
  await page.locator(".account > summary").click();
  expect(await violationsInBoth(page)).toEqual([]);
  await page.keyboard.press("Escape");
  await expect(page.getByRole("link", { name: "Account", exact: true })).toBeHidden();
  await page.getByRole("button", { name: "Delete my account" }).click();
  expect(await violationsInBoth(page)).toEqual([]);
});

test("axe finds nothing wrong with a message and a full cart", { tag: "@phone" }, async ({
  page,
}) => {
  await open(page, PAGES.product);
  await page.getByRole("button", { name: /^Add to cart/ }).click();
  await expect(page.locator(".toast")).toBeVisible();
  expect(await violationsInBoth(page)).toEqual([]);
  await page.locator(".cart-link").click();
  await expect(page.locator(".cart-line")).toHaveCount(1);
  expect(await violationsInBoth(page)).toEqual([]);
});

// The form in which staff enter a new order.
import { violations } from "./axe";
import { dialog, itemSearch } from "./orders";
import { expect, test } from "./shop";
import { complaints, signIn } from "./staff";

test("an order is made for somebody at the counter, paid for, handed over, and all of that undone", {
  tag: "@phone",
}, async ({ page }) => {
  const heard = complaints(page);
  await signIn(page, "Sample Admin", "/admin/orders");
  await page.getByRole("link", { name: "New order" }).click();
  await itemSearch(page).fill("UPK-ONBO");
  await page.getByRole("option", { name: /UPK-ONBO/ }).click();
  await page.getByLabel("First name").fill("Bo");
  await page.getByLabel("Last name").fill("Lind");
  await page.getByRole("button", { name: /^Place order for/ }).click();
  await expect(page.getByText("Enter an email address")).toBeVisible();
  expect(await violations(page)).toEqual([]);
  await page.getByLabel("Email").fill("bo@shop.example");
  await page.getByRole("button", { name: /^Place order for/ }).click();
  await page.getByRole("button", { name: "Record payment" }).click();
  await dialog(page)
    .getByLabel(/photo ID/)
    .check();
  await dialog(page).getByRole("button", { name: "Record payment" }).click();
  await page.getByRole("button", { name: "Mark as picked up" }).click();
  await dialog(page).getByRole("button", { name: "Mark as picked up" }).click();
  await expect(dialog(page).getByText(/Check a photo ID first/)).toBeVisible();
  await dialog(page)
    .getByLabel(/photo ID/)
    .check();
  await dialog(page).getByRole("button", { name: "Mark as picked up" }).click();
  await expect(page.locator(".admin-title").getByText("Fulfilled", { exact: true })).toBeVisible();
  expect(await violations(page)).toEqual([]);

  // Both belonged to another order.
  await page.getByRole("button", { name: "Undo pickup" }).click();
  await expect(dialog(page).getByText(/haven’t left the store/)).toBeVisible();
  expect(await violations(page)).toEqual([]);
  await dialog(page).getByRole("button", { name: "Undo pickup" }).click();
  await expect(page.locator(".admin-title").getByText("Unfulfilled")).toBeVisible();
  await page.getByRole("button", { name: "Undo payment" }).click();
  await dialog(page).getByRole("button", { name: "Undo payment" }).click();
  await expect(page.getByRole("button", { name: "Record payment" })).toBeVisible();
  await expect(page.getByText("Undone: picked up in store: 1", { exact: false })).toBeVisible();
  expect(heard).toEqual([]);
});

test("of many items that are found, the one that the keys have reached is in view", async ({
  page,
}) => {
  await signIn(page, "Sample Admin", "/admin/orders/new");
  await itemSearch(page).fill("pipe");
  const options = page.getByRole("listbox", { name: "Found" }).getByRole("option");
  await expect(options).toHaveCount(12);
  for (let presses = 0; presses < 8; presses += 1) await page.keyboard.press("ArrowDown");
  await expect(options.nth(8)).toHaveAttribute("aria-selected", "true");
  await expect(options.nth(8)).toBeInViewport({ ratio: 0.9 });
});

test("an SKU that is scanned adds its variant", async ({ page }) => {
  await signIn(page, "Sample Admin", "/admin/orders/new");
  const items = page.locator(".new-goods > li");
  for (const [nth, sku] of ["TWT-THR", "TWT-SIN"].entries()) {
    await itemSearch(page).focus();
    await page.keyboard.type(sku);
    await page.keyboard.press("Enter");
    await expect(itemSearch(page)).toHaveValue("");
    await expect(items).toHaveCount(nth + 1);
    await expect(items.nth(nth)).toContainText(sku);
  }
});

test("a wrong quantity is said at its line, until it is corrected", async ({ page }) => {
  await signIn(page, "Sample Admin", "/admin/orders/new");
  for (const sku of ["UPK-ONBO", "TWT-SIN"]) {
    await itemSearch(page).fill(sku);
    await page.getByRole("option", { name: new RegExp(sku) }).click();
  }
  const quantities = page.getByRole("spinbutton", { name: /^Quantity of/ });
  const second = quantities.last();
  const message = "Enter a quantity from 1 to 10.";
  // As if its barcode were scanned into it.
  await second.fill("0123456789012");
  await expect(second).toHaveAccessibleDescription(message);
  await expect(quantities.first()).toHaveAttribute("aria-invalid", "false");
  expect(await violations(page)).toEqual([]);
  await second.fill("");
  await expect(second).toHaveAttribute("aria-invalid", "false");
  await page.keyboard.press("Enter");
  await expect(second).toHaveAccessibleDescription(message);
  await second.fill("2");
  await expect(second).toHaveAttribute("aria-invalid", "false");
});

test("somebody with an account is filled in", async ({ page }) => {
  await signIn(page, "Sample Admin", "/admin/orders/new");
  await page.getByRole("combobox", { name: "Find a customer account" }).fill("sample admin");
  await page.getByRole("option", { name: /Sample Admin/ }).click();
  await expect(page.getByLabel("First name")).toHaveValue("Sample");
  await expect(page.getByLabel("Email")).toHaveValue(/@/);
  await page.getByLabel("Payment link").check();
  await expect(page.getByText("Account Sample Admin")).toBeVisible();
  await page.getByRole("button", { name: "Use guest instead" }).click();
  await expect(page.getByText("Account Sample Admin")).toHaveCount(0);
});

test("an account whose email address is only claimed says so", async ({ page }) => {
  await signIn(page, "Sample Admin", "/admin/orders/new");
  await page.route("**/api/admin/orders/buyers?*", async (route) => {
    const response = await route.fetch();
    const { buyers } = await response.json();
    const claimed = buyers.map((buyer: object) => ({ ...buyer, email_verified: false }));
    await route.fulfill({ response, json: { buyers: claimed } });
  });
  await page.getByRole("combobox", { name: "Find a customer account" }).fill("sample admin");
  const found = page.getByRole("option", { name: /Sample Admin/ });
  await expect(found).toContainText("email not verified");
  await found.click();
  await expect(page.getByLabel("First name")).toHaveValue("Sample");
  await expect(page.getByLabel("Email")).toHaveValue("");
  await page.getByLabel("Payment link").check();
  await expect(page.getByText("Account Sample Admin (email not verified)")).toBeVisible();
});

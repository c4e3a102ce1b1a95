// The list of orders, changes of many, and the list of unfinished checkouts.
import { violations } from "./axe";
import { buy, dialog, pay, TOOL } from "./orders";
import { expect, open, test } from "./shop";
import { complaints, hold, signIn } from "./staff";

test("which orders a bulk action left is told even if its dialog is closed", async ({ page }) => {
  await signIn(page, "Sample Admin", "/admin/orders");
  const number = await buy(page, [[...TOOL, 1]]);
  await open(page, `/admin/orders?q=${number}`);
  await page.getByLabel(`Select ${number}`).check();
  const address = "**/api/admin/orders/bulk";
  await page.route(address, (route) =>
    route.fulfill({ json: { changed: [number], unchanged: [] } }),
  );
  await page.getByRole("button", { name: "Archive" }).click();
  const archive = dialog(page).getByRole("button", { name: "Archive" });
  await expect(archive).toBeEnabled();
  const unchanged = [{ number, why: "It hasn’t shipped" }];
  const goOn = await hold(page, address, { json: { changed: [], unchanged } });
  const sent = page.waitForRequest(address);
  await archive.click();
  await sent;
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  goOn();
  await expect(page.getByRole("alert").locator(".toast-warn")).toContainText(
    "0 updated, 1 unchanged.",
  );
});

test("the list finds an order, and says what many would become", { tag: "@phone" }, async ({
  page,
}) => {
  const heard = complaints(page);
  await signIn(page, "Sample Staff", "/admin/orders");
  const number = await buy(page, [[...TOOL, 1]]);
  await open(page, `/admin/orders?q=${number.toLowerCase()}`);
  await expect(page.getByRole("row")).toHaveCount(2);
  await expect(page.locator(".admin-list-foot [aria-live]")).toHaveText("1 total");
  expect(await violations(page)).toEqual([]);
  await page.getByLabel(`Select ${number}`).check();
  await page.getByRole("button", { name: "Archive" }).click();
  await expect(dialog(page).getByRole("status")).toHaveText("No order would change.");
  await dialog(page).getByText("1 won’t change").click();
  await expect(dialog(page).getByText(`${number}: It hasn’t shipped`)).toBeVisible();
  await expect(dialog(page).getByRole("button", { name: "Archive" })).toBeDisabled();
  expect(await violations(page)).toEqual([]);
  await dialog(page).getByRole("button", { name: "Go back" }).click();
  await page.getByRole("link", { name: number }).click();
  await expect(page.getByRole("heading", { name: `Order ${number}` })).toBeVisible();
  expect(heard).toEqual([]);
});

test("of all that the list finds only the orders of the preview are changed", async ({ page }) => {
  await signIn(page, "Sample Staff", "/admin/orders");
  const email = `many-${crypto.randomUUID()}@shop.example`;
  const paid = await pay(page, [[...TOOL, 1]], "cnon:card-nonce-ok", email);
  const { number } = await paid.json();
  await pay(page, [[...TOOL, 1]], "cnon:card-nonce-ok", email);
  await open(page, `/admin/orders?q=${email}`);
  await page.getByLabel(`Select ${number}`).check();
  await page.getByRole("button", { name: "Select all 2" }).click();
  const planned = page.waitForRequest("**/api/admin/orders/bulk");
  await page.getByRole("button", { name: "Resend confirmation" }).click();
  await expect(dialog(page).getByText("2 of 2 orders would change:")).toBeVisible();
  expect((await planned).postDataJSON()).toMatchObject({ query: expect.any(String) });
  // After the preview the query finds another order.
  await pay(page, [[...TOOL, 1]], "cnon:card-nonce-ok", email);
  const sent = page.waitForRequest("**/api/admin/orders/bulk");
  await dialog(page).getByRole("button", { name: "Resend confirmation" }).click();
  await expect(page.getByText("Resend confirmation: 2 updated.")).toBeVisible();
  const versions = { [number]: expect.any(Number) };
  expect((await sent).postDataJSON()).toMatchObject({ versions });
});

test("who unchecks one of all that the list finds keeps the others of the page", async ({
  page,
}) => {
  await signIn(page, "Sample Staff", "/admin/orders");
  const email = `all-${crypto.randomUUID()}@shop.example`;
  const buyOne = async () =>
    (await (await pay(page, [[...TOOL, 1]], "cnon:card-nonce-ok", email)).json()).number;
  const [one, other] = [await buyOne(), await buyOne()];
  await open(page, `/admin/orders?q=${email}`);
  await page.getByLabel(`Select ${one}`).check();
  await page.getByRole("button", { name: "Select all 2" }).click();
  await page.getByLabel(`Select ${other}`).uncheck();
  await expect(page.getByText("1 selected")).toBeVisible();
  await expect(page.getByLabel(`Select ${one}`)).toBeChecked();
});

test("a card that was refused is looked up, with what its buyer was told", async ({ page }) => {
  const heard = complaints(page);
  await signIn(page, "Sample Staff", "/admin/orders");
  const email = `zoe-${crypto.randomUUID()}@shop.example`;
  const refused = await pay(page, [[...TOOL, 2]], "cnon:card-nonce-rejected-cvv", email);
  expect(refused.status()).toBe(402);
  await page.getByRole("searchbox").fill(email);
  await page.keyboard.press("Enter");
  await page.getByRole("link", { name: "look in unfinished checkouts" }).click();
  const row = page.getByRole("row").filter({ hasText: email });
  await expect(row).toContainText("The security code was wrong");
  // A date is typed digit by digit and applied with its button.
  await page.locator("summary", { hasText: "Started" }).click();
  const from = page.getByLabel("From");
  await from.pressSequentially("01022026");
  await expect(from).toHaveValue("2026-01-02");
  await expect(from).toBeFocused();
  await page.getByRole("button", { name: "Show these days" }).click();
  await expect(page).toHaveURL(/started_from=2026-01-02/);
  await expect(row).toBeVisible();
  expect(await violations(page)).toEqual([]);
  await row.getByRole("link").first().click();
  const why = page.getByRole("region", { name: "Why it was not finished" });
  await expect(why).toContainText("do not belong to the card number");
  await expect(why).toContainText((await refused.json()).detail);
  expect(await violations(page)).toEqual([]);
  // Unsaved input must be confirmed before it is lost.
  const note = page.getByLabel("Staff note");
  await note.fill("Called back.");
  let asked = 0;
  page.on("dialog", (question) => {
    asked += 1;
    void (asked === 1 ? question.dismiss() : question.accept());
  });
  const away = page.getByRole("link", { name: "Unfinished checkouts" }).first();
  await away.click();
  await expect.poll(() => asked).toBe(1);
  await expect(note).toHaveValue("Called back.");
  await away.click();
  await page.waitForURL("/admin/orders/unfinished");
  expect(asked).toBe(2);
  expect(heard).toEqual([]);
});

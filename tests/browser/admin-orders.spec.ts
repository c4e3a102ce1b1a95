// Staff manage an order: packages, refunds, notes, cancellations, returns, and its papers.
import { violations } from "./axe";
import { BUTANE, buy, dialog, quantity, TOOL } from "./orders";
import { expect, open, test } from "./shop";
import { complaints, hold, STALE, signIn, signInAgain } from "./staff";

test("an order leaves in two parcels, and one arrives", { tag: "@phone" }, async ({ page }) => {
  const heard = complaints(page);
  await signIn(page, "Sample Staff", "/admin/orders");
  const number = await buy(page, [
    [...TOOL, 2],
    [...BUTANE, 1],
  ]);
  await open(page, `/admin/orders/${number}`);
  await expect(page.getByRole("button", { name: "Refund", exact: true })).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Cancel", exact: true })).toHaveCount(0);
  await page.getByRole("button", { name: "Ship items" }).click();
  await quantity(page, /Pipe Tool/).fill("1");
  await quantity(page, /Butane/).fill("0");
  await dialog(page).getByRole("button", { name: "Mark as shipped" }).click();
  await expect(dialog(page).getByText("Enter 1 to 80 characters.")).toBeVisible();
  await dialog(page).getByLabel("Tracking number").fill("1Z999");
  await dialog(page).getByRole("button", { name: "Mark as shipped" }).click();
  await expect(dialog(page).getByText(/needs an adult signature/)).toBeVisible();
  // From then on its colors change no more.
  await expect(dialog(page).getByRole("button", { name: "Mark as shipped" })).toBeEnabled();
  expect(await violations(page)).toEqual([]);
  await dialog(page)
    .getByLabel(/adult signature/)
    .check();
  await dialog(page)
    .getByLabel(/marked as its contents require/)
    .check();
  await dialog(page).getByRole("button", { name: "Mark as shipped" }).click();
  await expect(page.locator(".admin-title").getByText("Partially fulfilled")).toBeVisible();

  await page.getByRole("button", { name: "Ship items" }).click();
  await dialog(page).getByLabel("Tracking number").fill("1Z888");
  await dialog(page)
    .getByLabel(/adult signature/)
    .check();
  await dialog(page)
    .getByLabel(/marked as its contents require/)
    .check();
  await dialog(page).getByRole("button", { name: "Mark as shipped" }).click();
  await expect(page.locator(".admin-title").getByText("Fulfilled", { exact: true })).toBeVisible();
  await expect(page.getByRole("button", { name: "Ship items" })).toHaveCount(0);

  for (const left of [1, 0]) {
    await page.getByRole("button", { name: "Mark as delivered" }).first().click();
    await expect(page.getByRole("button", { name: "Mark as delivered" })).toHaveCount(left);
  }
  await expect(page.locator(".admin-title").getByText("Delivered")).toBeVisible();
  await page.getByLabel("Staff note").fill("Called about the color.");
  await page.getByRole("button", { name: "Add note" }).click();
  await expect(page.getByRole("blockquote")).toHaveText("Called about the color.");
  await expect(page.getByLabel("Staff note")).toHaveValue("");
  expect(await violations(page)).toEqual([]);
  expect(heard).toEqual([]);
});

test("a line is refunded after a fresh sign-in, and what was typed stays", async ({ page }) => {
  const heard = complaints(page);
  await signIn(page, "Sample Admin", "/admin/orders");
  const number = await buy(page, [[...TOOL, 3]]);
  await open(page, `/admin/orders/${number}`);
  // The first call fails because the sign-in is too old.
  await page.route("**/refunds", (route) => route.fulfill(STALE), { times: 1 });
  await page.getByRole("button", { name: "Refund", exact: true }).click();
  await quantity(page, /Pipe Tool/).fill("2");
  const give = page.getByRole("button", { name: "Refund $12.96" });
  await give.click();
  await signInAgain(page, "Sample Admin");
  await give.click();
  await expect(page.getByText("Refund of $12.96 to the card started.")).toBeVisible();
  await expect(page.locator("#money ~ ul").getByText("2 × Three-Way Pipe Tool")).toBeVisible();
  await expect(async () => {
    await page.reload();
    await expect(page.getByText("Refunded").first()).toBeVisible();
    await expect(page.locator(".admin-title")).toContainText("Partially refunded");
  }).toPass();
  expect(heard).toEqual([]);
});

test("whoever signs in again in an open dialog is told of others’ changes, too", async ({
  page,
  context,
}) => {
  await signIn(page, "Sample Admin", "/admin/orders");
  const number = await buy(page, [[...TOOL, 3]]);
  const other = await context.newPage();
  for (const each of [page, other]) {
    await open(each, `/admin/orders/${number}`);
    await each.getByRole("button", { name: "Refund", exact: true }).click();
    await quantity(each, /Pipe Tool/).fill("1");
  }
  await other.getByRole("button", { name: "Refund $6.48" }).click();
  await expect(other.getByText("Refund of $6.48 to the card started.")).toBeVisible();
  await page.route("**/refunds", (route) => route.fulfill(STALE), { times: 1 });
  const give = page.getByRole("button", { name: "Refund $6.48" });
  await give.click();
  await signInAgain(page, "Sample Admin");
  await give.click();
  const conflict = dialog(page).getByText("Someone else has changed this order");
  await expect(conflict).toBeVisible();
  const refunded = page.locator("#money ~ ul").getByText("1 × Three-Way Pipe Tool");
  await expect(refunded).toHaveCount(1);
  await dialog(page).getByRole("button", { name: "Reload order" }).click();
  await expect(conflict).toBeHidden();
  await give.click();
  await expect(page.getByText("Refund of $6.48 to the card started.")).toBeVisible();
  await expect(refunded).toHaveCount(2);
});

test("a note that could not be saved stays", async ({ page }) => {
  await signIn(page, "Sample Admin", "/admin/orders");
  const number = await buy(page, [[...TOOL, 1]]);
  await open(page, `/admin/orders/${number}`);
  await page.route("**/notes", (route) => route.abort(), { times: 1 });
  const note = page.getByLabel("Staff note");
  await note.fill("Call before delivery");
  await page.getByRole("button", { name: "Add note" }).click();
  await expect(page.locator(".toast-error")).toBeVisible();
  await expect(note).toHaveValue("Call before delivery");
  await page.getByRole("button", { name: "Add note" }).click();
  await expect(page.getByText("Note added.")).toBeVisible();
  await expect(note).toHaveValue("");
});

test("what is written while a note is being saved stays", async ({ page }) => {
  await signIn(page, "Sample Admin", "/admin/orders");
  const number = await buy(page, [[...TOOL, 1]]);
  await open(page, `/admin/orders/${number}`);
  const note = page.getByLabel("Staff note");
  await note.fill("Called.");
  const goOn = await hold(page, "**/notes");
  const sent = page.waitForRequest("**/notes");
  await page.getByRole("button", { name: "Add note" }).click();
  await sent;
  await note.fill("Called. Nobody answered.");
  goOn();
  await expect(page.getByText("Note added.")).toBeVisible();
  await expect(note).toHaveValue("Called. Nobody answered.");
});

test("an order is canceled", async ({ page }) => {
  await signIn(page, "Sample Admin", "/admin/orders");
  const number = await buy(page, [[...TOOL, 1]]);
  await open(page, `/admin/orders/${number}`);
  await page.getByRole("button", { name: "Cancel", exact: true }).click();
  // Nothing is not everything.
  await quantity(page, /Pipe Tool/).fill("0");
  await dialog(page).getByRole("button", { name: "Cancel these items" }).click();
  await expect(dialog(page).getByText("Choose at least one item.")).toBeVisible();
  await quantity(page, /Pipe Tool/).fill("1");
  await expect(
    dialog(page).getByText("The whole order is canceled, including shipping."),
  ).toBeVisible();
  // What can't be found is not for sale, unless staff say so.
  const restock = dialog(page).getByLabel("Restock items");
  await expect(restock).toBeChecked();
  await dialog(page).getByLabel("Us: we can’t fulfill it").check();
  await expect(restock).not.toBeChecked();
  await dialog(page).getByLabel("Customer", { exact: true }).check();
  await expect(restock).toBeChecked();
  await restock.uncheck();
  await restock.check();
  await dialog(page).getByLabel("Us: we can’t fulfill it").check();
  await expect(restock).toBeChecked();
  await dialog(page).getByRole("button", { name: "Cancel order" }).click();
  await expect(page.locator(".admin-title").getByText("Canceled", { exact: true })).toBeVisible();
  await expect(page.getByRole("button", { name: "Ship items" })).toHaveCount(0);
});

test("goods come back and are refunded", async ({ page }) => {
  const heard = complaints(page);
  await signIn(page, "Sample Admin", "/admin/orders");
  const number = await buy(page, [[...TOOL, 2]]);
  await open(page, `/admin/orders/${number}`);
  await page.getByRole("button", { name: "Ship items" }).click();
  await dialog(page).getByLabel("Tracking number").fill("1Z777");
  await dialog(page)
    .getByLabel(/adult signature/)
    .check();
  await dialog(page).getByRole("button", { name: "Mark as shipped" }).click();
  await page.getByRole("button", { name: "Create return" }).click();
  await quantity(page, /Pipe Tool/).fill("2");
  await dialog(page).getByLabel("Customer’s reason").fill("It does not fit");
  await dialog(page).getByRole("button", { name: "Create return" }).click();
  await page.getByRole("button", { name: "Approve" }).click();
  await dialog(page).getByRole("button", { name: "Approve" }).click();
  await page.getByRole("button", { name: "Mark as received" }).click();
  await dialog(page)
    .getByLabel(/: restock/)
    .fill("1");
  await dialog(page)
    .getByLabel(/write off/)
    .fill("1");
  expect(await violations(page)).toEqual([]);
  await dialog(page).getByRole("button", { name: "Mark as received" }).click();
  await page.getByRole("button", { name: "Refund return" }).click();
  await dialog(page).getByRole("button", { name: "Refund $12.96" }).click();
  await expect(page.locator("#returns ~ ul").getByText("Refunded")).toBeVisible();
  expect(heard).toEqual([]);
});

test.describe("without scripts", () => {
  test.use({ javaScriptEnabled: false });

  test("a packing slip and an invoice can be read and printed", async ({ page }) => {
    await page.goto("/auth/login?return_to=/admin/orders");
    await page.getByRole("button", { name: "Sample Staff" }).click();
    await page.waitForURL("/admin/orders");
    const number = await buy(page, [[...TOOL, 2]]);
    await page.goto(`/admin/orders/${number}`);
    await page.getByRole("link", { name: "Packing slip" }).click();
    await expect(page.getByRole("heading", { name: "Packing slip" })).toBeVisible();
    await expect(page.getByRole("row", { name: /Three-Way Pipe Tool/ })).toContainText("2");
    await expect(page.getByText("$")).toHaveCount(0);
    await page.goto(`/admin/orders/${number}/invoice`);
    await expect(page.getByText("Ohio sales tax, Franklin County")).toBeVisible();
    await page.emulateMedia({ media: "print" });
    await expect(page.getByText("Back to order")).toBeHidden();
  });
});

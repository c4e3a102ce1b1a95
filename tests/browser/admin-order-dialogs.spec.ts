// The dialogs of an order: edit conflicts, the keyboard, the focus, and answers that come after a dialog was closed.
import { buy, dialog, quantity, TOOL } from "./orders";
import { expect, open, test } from "./shop";
import { hold, signIn } from "./staff";

test("who is slower is told, and loses nothing of what they typed", async ({ page, context }) => {
  await signIn(page, "Sample Admin", "/admin/orders");
  const number = await buy(page, [[...TOOL, 2]]);
  await open(page, `/admin/orders/${number}`);
  const other = await context.newPage();
  await open(other, `/admin/orders/${number}`);
  await page.getByRole("button", { name: "Change address" }).click();
  await dialog(page).getByLabel("Street address").fill("80 Broad Street");

  await other.getByRole("button", { name: "Ship items" }).click();
  await quantity(other, /Pipe Tool/).fill("1");
  await dialog(other).getByLabel("Tracking number").fill("1Z666");
  await dialog(other)
    .getByLabel(/adult signature/)
    .check();
  await dialog(other).getByRole("button", { name: "Mark as shipped" }).click();
  await expect(other.locator(".admin-title").getByText("Partially fulfilled")).toBeVisible();

  await dialog(page).getByRole("button", { name: "Save address" }).click();
  await expect(dialog(page).getByText("Someone else has changed this order")).toBeVisible();
  await dialog(page).getByRole("button", { name: "Reload order" }).click();
  await expect(page.locator(".admin-title").getByText("Partially fulfilled")).toBeVisible();
  await expect(dialog(page).getByLabel("Street address")).toHaveValue("80 Broad Street");
  await dialog(page).getByRole("button", { name: "Save address" }).click();
  await expect(dialog(page).getByText("the address can’t be changed")).toBeVisible();
});

test("a parcel and a refund need no mouse", async ({ page }) => {
  await signIn(page, "Sample Admin", "/admin/orders");
  const number = await buy(page, [[...TOOL, 2]]);
  await open(page, `/admin/orders/${number}`);
  const { keyboard } = page;
  const tabTo = async (
    name: string | RegExp,
    role: "button" | "textbox" | "checkbox" | "spinbutton",
  ) => {
    const wanted = page.getByRole(role, { name, ...(typeof name === "string" && { exact: true }) });
    for (let at = 0; at < 60; at += 1) {
      if (await wanted.last().evaluate((element) => element === document.activeElement)) return;
      await keyboard.press("Tab");
    }
    throw new Error(`No way to ${name}`);
  };
  await tabTo("Ship items", "button");
  await keyboard.press("Enter");
  await tabTo(/Quantity of/, "spinbutton");
  await keyboard.press("ArrowDown");
  await tabTo("Tracking number", "textbox");
  await keyboard.type("1Z555");
  await tabTo(/adult signature/, "checkbox");
  await keyboard.press("Space");
  await tabTo("Mark as shipped", "button");
  await keyboard.press("Enter");
  await expect(page.locator(".admin-title").getByText("Partially fulfilled")).toBeVisible();
  await expect(page.getByRole("dialog")).toHaveCount(0);

  await tabTo("Refund", "button");
  await keyboard.press("Enter");
  await tabTo(/Quantity of/, "spinbutton");
  await keyboard.press("ArrowUp");
  await tabTo("Refund $6.48", "button");
  await keyboard.press("Enter");
  await expect(page.getByText("Refund of $6.48 to the card started.")).toBeVisible();
});

test("who closes a dialog is back at the button that opened it", async ({ page }) => {
  await signIn(page, "Sample Admin", "/admin/orders");
  const number = await buy(page, [[...TOOL, 1]]);
  await open(page, `/admin/orders/${number}`);
  const refund = page.getByRole("button", { name: "Refund", exact: true });
  for (const name of ["Go back", "Close"]) {
    await refund.focus();
    await page.keyboard.press("Enter");
    await dialog(page).getByRole("button", { name }).focus();
    await page.keyboard.press("Enter");
    await expect(page.getByRole("dialog")).toHaveCount(0);
    await expect(refund).toBeFocused();
  }
});

test("a refused dialog leads to its first wrong field in a low window", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 320 });
  await signIn(page, "Sample Staff", "/admin/orders");
  const number = await buy(page, [[...TOOL, 1]]);
  await open(page, `/admin/orders/${number}`);
  await page.getByRole("button", { name: "Ship items" }).click();
  await dialog(page).getByRole("button", { name: "Mark as shipped" }).click();
  const tracking = dialog(page).getByLabel("Tracking number");
  await expect(tracking).toBeFocused();
  await expect(tracking).toBeInViewport();
});

test("the answer to a closed dialog closes no other one, and a refusal is told", async ({
  page,
}) => {
  await signIn(page, "Sample Admin", "/admin/orders");
  const number = await buy(page, [[...TOOL, 2]]);
  await open(page, `/admin/orders/${number}`);
  /** Sends a package, and closes the dialog while the answer is held. */
  const shipAndClose = async () => {
    await page.getByRole("button", { name: "Ship items" }).click();
    await quantity(page, /Pipe Tool/).fill("1");
    await dialog(page).getByLabel("Tracking number").fill("1Z444");
    await dialog(page)
      .getByLabel(/adult signature/)
      .check();
    const sent = page.waitForRequest("**/shipment");
    await dialog(page).getByRole("button", { name: "Mark as shipped" }).click();
    await sent;
    await page.keyboard.press("Escape");
    await expect(page.getByRole("dialog")).toHaveCount(0);
  };
  const refuse = await hold(page, "**/shipment", {
    status: 409,
    json: { detail: "Somebody was faster.", code: "changed_meanwhile", errors: {} },
  });
  await shipAndClose();
  refuse();
  await expect(page.locator(".toast-error")).toContainText("Somebody was faster.");
  await page.unroute("**/shipment");

  const accept = await hold(page, "**/shipment");
  await shipAndClose();
  await page.getByRole("button", { name: "Refund", exact: true }).click();
  const reason = dialog(page).getByLabel("Reason", { exact: true });
  await reason.fill("Arrived broken");
  accept();
  await expect(page.getByText(/^Marked as shipped/)).toBeVisible();
  await expect(page.locator(".admin-title").getByText("Partially fulfilled")).toBeVisible();
  await expect(reason).toHaveValue("Arrived broken");
});

test("an open dialog does not follow to another order", async ({ page }) => {
  await signIn(page, "Sample Admin", "/admin/orders");
  const first = await buy(page, [[...TOOL, 1]]);
  const second = await buy(page, [[...TOOL, 1]]);
  await open(page, `/admin/orders/${first}`);
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox", { name: /^Search orders/ }).fill(second);
  await expect(page.getByRole("option", { name: new RegExp(second) })).toBeVisible();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: `Order ${second}` })).toBeVisible();
  await page.getByRole("button", { name: "Change address" }).click();
  await expect(dialog(page)).toBeVisible();
  await page.goBack();
  await expect(page.getByRole("heading", { name: `Order ${first}` })).toBeVisible();
  await expect(page.getByRole("dialog")).toHaveCount(0);
});

test("a package that is marked with a double click is marked once", async ({ page }) => {
  await signIn(page, "Sample Staff", "/admin/orders");
  const number = await buy(page, [[...TOOL, 1]]);
  await open(page, `/admin/orders/${number}`);
  await page.getByRole("button", { name: "Ship items" }).click();
  await dialog(page).getByLabel("Tracking number").fill("1Z333");
  await dialog(page)
    .getByLabel(/adult signature/)
    .check();
  await dialog(page).getByRole("button", { name: "Mark as shipped" }).click();
  let sent = 0;
  page.on("request", (request) => {
    if (request.url().endsWith("/delivery")) sent += 1;
  });
  const goOn = await hold(page, "**/delivery");
  await page.getByRole("button", { name: "Mark as delivered" }).dblclick();
  goOn();
  await expect(page.locator(".admin-title").getByText("Delivered")).toBeVisible();
  expect(sent).toBe(1);
  await expect(page.locator(".toast-error")).toHaveCount(0);
});

// Staff manage an order: packages, refunds, cancellations, returns, and edit conflicts.
import { violations } from "./axe";
import { expect, open, type Page, test } from "./shop";
import { complaints, hold, STALE, signIn, signInAgain } from "./staff";

/** Buys through the API as a visitor's browser would, and waits until the payment is captured. */
async function buy(page: Page, goods: Goods): Promise<string> {
  const paid = await pay(page, goods, "cnon:card-nonce-ok", "ada@shop.example");
  expect(paid.status()).toBe(200);
  const { number } = await paid.json();
  await expect
    .poll(async () => {
      const envelope = await page.request.get(`/admin/orders/${number}/_payload.json`);
      return (await envelope.json()).props.order.payment_status;
    })
    .toBe("paid");
  return number;
}

type Goods = [path: string, sku: string, qty: number][];

/** A payment with one of the provider's test cards. */
async function pay(page: Page, goods: Goods, card: string, email: string) {
  const items = [];
  for (const [handle, sku, qty] of goods) {
    const envelope = await (await page.request.get(`/product/${handle}/_payload.json`)).json();
    const { variants } = envelope.props;
    items.push({ id: variants.find((each: { sku: string }) => each.sku === sku).id, qty });
  }
  const order = {
    checkout_id: crypto.randomUUID(),
    click_id: crypto.randomUUID(),
    items,
    email,
    address: {
      first_name: "Ada",
      last_name: "Reed",
      line1: "12 High Street",
      city: "Columbus",
      state: "OH",
      postal_code: "43215",
    },
    shipping_method: "ground",
    payment_method: "square",
    source_id: card,
  };
  const asked = { ...order, state: "OH", postal_code: "43215" };
  const headers = { origin: new URL(page.url()).origin, "sec-fetch-site": "same-origin" };
  const quote = await page.request.post("/api/checkout/quote", { data: asked, headers });
  const { total } = await quote.json();
  return page.request.post("/api/checkout/pay", {
    data: { ...order, expected_total: total },
    headers,
  });
}

const TOOL = ["three-way-pipe-tool", "TWT-SIN"] as const;
const BUTANE = ["butane-300ml", "BUT-SIN"] as const;

const dialog = (page: Page) => page.getByRole("dialog").last();
const quantity = (page: Page, title: RegExp) =>
  dialog(page).getByRole("spinbutton", { name: title });

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
  await expect(page.locator(".toast-warn")).toContainText("0 updated, 1 unchanged.");
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

test("the list finds an order, and says what many would become", { tag: "@phone" }, async ({
  page,
}) => {
  const heard = complaints(page);
  await signIn(page, "Sample Staff", "/admin/orders");
  const number = await buy(page, [[...TOOL, 1]]);
  await open(page, `/admin/orders?q=${number.toLowerCase()}`);
  await expect(page.getByRole("row")).toHaveCount(2);
  expect(await violations(page)).toEqual([]);
  await page.getByLabel(`Select ${number}`).check();
  await page.getByRole("button", { name: "Archive" }).click();
  await expect(dialog(page).getByText("0 of 1 orders would change:")).toBeVisible();
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
  await dialog(page).getByRole("button", { name: "Resend confirmation" }).click();
  await expect(page.getByText("Resend confirmation: 2 updated.")).toBeVisible();
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

test("an order is made for somebody at the counter, paid for, handed over, and all of that undone", {
  tag: "@phone",
}, async ({ page }) => {
  const heard = complaints(page);
  await signIn(page, "Sample Admin", "/admin/orders");
  await page.getByRole("link", { name: "New order" }).click();
  await page.getByRole("combobox", { name: "Add items" }).fill("UPK-ONBO");
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

test("a wrong quantity is said at its line, until it is corrected", async ({ page }) => {
  await signIn(page, "Sample Admin", "/admin/orders/new");
  for (const sku of ["UPK-ONBO", "TWT-SIN"]) {
    await page.getByRole("combobox", { name: "Add items" }).fill(sku);
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

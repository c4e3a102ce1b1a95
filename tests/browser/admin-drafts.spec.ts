// Draft orders that staff prepare and a customer pays through a link.
import { violations } from "./axe";
import { fillCard } from "./checkout-form";
import { mailTo } from "./mailbox";
import { itemSearch } from "./orders";
import { expect, open, type Page, test } from "./shop";
import { complaints, STALE, signIn, signInAgain } from "./staff";

/** Adds one item of this SKU with the keyboard. */
async function add(page: Page, sku: string): Promise<void> {
  await itemSearch(page).fill(sku);
  await expect(page.getByRole("option", { name: new RegExp(sku) })).toBeVisible();
  await page.keyboard.press("Enter");
  await expect(itemSearch(page)).toHaveValue("");
}

/** Creates an order for Ada Reed in Columbus; returns the path of its page. */
async function make(page: Page, email: string): Promise<string> {
  await open(page, "/admin/orders/new");
  await add(page, "TWT-SIN");
  await page.getByLabel("First name").fill("Ada");
  await page.getByLabel("Last name").fill("Reed");
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Payment link").check();
  await page.getByLabel("Street address").fill("12 High Street");
  await page.getByLabel("City").fill("Columbus");
  await page.getByRole("combobox", { name: "State" }).selectOption("OH");
  await page.getByLabel("ZIP code").fill("43215");
  await page.getByRole("button", { name: /^Create order and email the link · \$/ }).click();
  await page.waitForURL("**/admin/orders/drafts/D-*");
  return new URL(page.url()).pathname;
}

/** The link in the newest email to an address. */
async function linkTo(page: Page, baseURL: string | undefined, email: string): Promise<string> {
  let text = "";
  await expect
    .poll(async () => {
      text = (await mailTo(page.request, baseURL, email))[0]?.text ?? "";
      return text;
    })
    .toContain("/checkout?draft=");
  return /\S+\/checkout\?draft=\S+/.exec(text)?.[0] ?? "";
}

async function passGate(page: Page): Promise<void> {
  await page.getByLabel("Date of birth").fill("1980-05-17");
  await page.getByRole("button", { name: "Enter" }).click();
  await expect(page.getByRole("dialog")).toHaveCount(0);
}

async function pay(page: Page): Promise<void> {
  await fillCard(page, "4111 1111 1111 1111");
  await page.getByRole("button", { name: /^Pay \$/ }).click();
  await page.waitForURL("**/order-confirmation**");
}

test("an order made without a mouse is paid by its customer", async ({
  page,
  browser,
  baseURL,
}) => {
  const heard = complaints(page);
  const email = `${crypto.randomUUID()}@shop.example`;
  await signIn(page, "Sample Admin", "/admin/orders/new");
  const { keyboard } = page;
  const tabTo = async (
    name: string | RegExp,
    role: "button" | "textbox" | "combobox" | "radio",
  ) => {
    const wanted = page.getByRole(role, { name });
    for (let at = 0; at < 60; at += 1) {
      if (await wanted.last().evaluate((element) => element === document.activeElement)) return;
      await keyboard.press("Tab");
    }
    throw new Error(`No way to ${name}`);
  };
  await tabTo("Add items", "combobox");
  await keyboard.type("three-way pipe");
  await expect(page.getByRole("option").first()).toBeVisible();
  expect(await violations(page)).toEqual([]);
  await keyboard.press("ArrowDown");
  await keyboard.press("ArrowUp");
  await keyboard.press("Enter");
  await keyboard.type("BUT-SIN");
  await expect(page.getByRole("option", { name: /BUT-SIN/ })).toBeVisible();
  await keyboard.press("Enter");
  await tabTo("First name", "textbox");
  await keyboard.type("Ada");
  await tabTo("Last name", "textbox");
  await keyboard.type("Reed");
  await tabTo("Email", "textbox");
  await keyboard.type(email);
  await tabTo(/In store/, "radio");
  await keyboard.press("ArrowDown");
  await tabTo("Street address", "textbox");
  await keyboard.type("12 High Street");
  await tabTo("City", "textbox");
  await keyboard.type("Anchorage");
  await tabTo("State", "combobox");
  await keyboard.type("Alaska");
  await tabTo("ZIP code", "textbox");
  await keyboard.type("99501");
  await expect(page.getByText(/no ground service reaches Alaska/)).toBeVisible();
  await tabTo(/^Create order/, "button");
  await keyboard.press("Enter");
  await expect(page.getByText("Choose a delivery method.")).toBeVisible();
  expect(await violations(page)).toEqual([]);
  await page.getByLabel("City").fill("Columbus");
  await page.getByRole("combobox", { name: "State" }).selectOption("OH");
  await page.getByLabel("ZIP code").fill("43215");
  await page.getByLabel("ZIP code").focus();
  await expect(
    page.getByRole("button", { name: /^Create order and email the link · \$/ }),
  ).toBeVisible();
  await tabTo(/^Create order/, "button");
  await keyboard.press("Enter");
  await page.waitForURL("**/admin/orders/drafts/D-*");
  await expect(page.locator(".admin-title").getByText("Open")).toBeVisible();
  expect(await violations(page)).toEqual([]);
  expect(heard).toEqual([]);

  const link = await linkTo(page, baseURL, email);
  const visit = await browser.newContext();
  const customer = await visit.newPage();
  const complained = complaints(customer);
  await customer.goto(link);
  await passGate(customer);
  await expect(customer.getByLabel("Street address")).toHaveValue("12 High Street");
  await expect(customer.getByText(/Prepared for you as D-/)).toBeVisible();
  await expect(customer.getByRole("link", { name: "Edit cart" })).toHaveCount(0);
  await expect(customer.getByText("Add a promo code")).toHaveCount(0);
  // A frame that comes while axe looks is one that it complains about in the console.
  await expect(customer.frameLocator("iframe").getByLabel("Card number")).toBeVisible();
  expect(await violations(customer)).toEqual([]);
  await pay(customer);
  await expect(customer.getByText(/Three-Way Pipe Tool/)).toBeVisible();
  expect(complained).toEqual([]);
  await customer.goto(link);
  await expect(customer.getByRole("heading", { name: "This order has been placed" })).toBeVisible();
  expect(await violations(customer)).toEqual([]);
  await visit.close();

  await expect(async () => {
    await page.reload();
    await expect(page.getByText("Paid", { exact: true })).toBeVisible({ timeout: 1_000 });
  }).toPass();
  await expect(page.locator(".admin-title").getByText("Ordered")).toBeVisible();
  expect(await violations(page)).toEqual([]);
  await page
    .locator("#main")
    .getByRole("link", { name: /^Order / })
    .click();
  await expect(page.getByText(/Created as draft D-/)).toBeVisible();
  expect(heard).toEqual([]);
});

test("a draft is found, changed, sent again and withdrawn", { tag: "@phone" }, async ({
  page,
  browser,
  baseURL,
}) => {
  const heard = complaints(page);
  const email = `${crypto.randomUUID()}@shop.example`;
  await signIn(page, "Sample Admin", "/admin/orders");
  const path = await make(page, email);
  const first = await linkTo(page, baseURL, email);
  await expect(page.getByRole("textbox", { name: "Link" })).toHaveValue(first);
  const visit = await browser.newContext();
  const customer = await visit.newPage();
  await customer.goto(first);
  await passGate(customer);
  await expect(customer.getByRole("button", { name: /^Pay \$/ })).toBeVisible();
  const untouched = await visit.newPage();
  await open(untouched, first);
  await expect(untouched.getByLabel("Street address")).toHaveValue("12 High Street");

  // A staff member changes it while the customer has it open.
  await page.getByRole("link", { name: "Change" }).click();
  await page.getByLabel("Street address").fill("14 High Street");
  await page.getByLabel(/Quantity of Three-Way/).fill("3");
  await expect(page.getByText("$18.00").first()).toBeVisible();
  await page.getByRole("button", { name: /^Save · \$/ }).click();
  await page.waitForURL(`**${path}`);
  await expect(page.getByText("3 × $6.00")).toBeVisible();
  await customer.getByLabel("Phone").fill("614 555 0142");
  await customer.getByLabel("ZIP code").first().fill("43216");
  await expect(customer.getByText(/We’ve updated this order/)).toBeVisible();
  await customer.reload();
  await expect(customer.getByText("Quantity 3")).toBeVisible();
  // What was entered stays, all else is what staff have corrected.
  await expect(customer.getByLabel("Street address")).toHaveValue("12 High Street");
  await untouched.reload();
  await expect(untouched.getByText("Quantity 3")).toBeVisible();
  await expect(untouched.getByLabel("Street address")).toHaveValue("14 High Street");

  await page.getByRole("button", { name: "Resend payment link" }).click();
  const dialog = page.getByRole("dialog");
  expect(await violations(page)).toEqual([]);
  await dialog.getByRole("button", { name: "Send email" }).click();
  await expect(dialog).toHaveCount(0);
  await expect.poll(async () => (await mailTo(page.request, baseURL, email)).length).toBe(2);
  await page.getByRole("button", { name: "Withdraw" }).click();
  expect(await violations(page)).toEqual([]);
  await dialog.getByRole("button", { name: "Withdraw" }).click();
  await expect(page.locator(".admin-title").getByText("Withdrawn")).toBeVisible();
  await customer.reload();
  await expect(
    customer.getByRole("heading", { name: "This link is no longer valid" }),
  ).toBeVisible();
  expect(await violations(customer)).toEqual([]);
  await visit.close();

  await open(page, `/admin/orders/drafts?q=${path.split("/").at(-1)}`);
  await expect(page.getByRole("row")).toHaveCount(2);
  await expect(page.getByRole("row").last()).toContainText("Withdrawn");
  expect(await violations(page)).toEqual([]);
  expect(heard).toEqual([]);
});

test("who is slower is told, and loses nothing of what they typed", async ({ page, context }) => {
  await signIn(page, "Sample Admin", "/admin/orders");
  const path = await make(page, `${crypto.randomUUID()}@shop.example`);
  await open(page, `${path}/edit`);
  const other = await context.newPage();
  await open(other, `${path}/edit`);
  await page.getByLabel("Message in the email").fill("For your brother.");
  await other.getByLabel(/Quantity of Three-Way/).fill("2");
  await other.getByRole("button", { name: /^Save · \$/ }).click();
  await other.waitForURL(`**${path}`);

  await page.getByRole("button", { name: /^Save · \$/ }).click();
  await expect(page.getByText("Someone else has changed this order.")).toBeVisible();
  expect(await violations(page)).toEqual([]);
  await page.getByRole("button", { name: "Keep my changes" }).click();
  await expect(page.getByText("Someone else has changed")).toHaveCount(0);
  await expect(page.getByLabel("Message in the email")).toHaveValue("For your brother.");
  await page.getByRole("button", { name: /^Save · \$/ }).click();
  await page.waitForURL(`**${path}`);
  await expect(page.getByText("For your brother.")).toBeVisible();

  // So is whoever signs in again in an open dialog.
  await other.getByRole("button", { name: "Withdraw" }).click();
  await other.route("**/withdrawal", (route) => route.fulfill(STALE), { times: 1 });
  const question = other.getByRole("dialog", { name: "Withdraw draft order" });
  const withdraw = question.getByRole("button", { name: "Withdraw" });
  await withdraw.click();
  await signInAgain(other, "Sample Admin");
  await withdraw.click();
  const conflict = question.getByText("Someone else has changed this order");
  await expect(conflict).toBeVisible();
  await question.getByRole("button", { name: "Reload order" }).click();
  await expect(conflict).toBeHidden();
  await withdraw.click();
  await expect(other.locator(".admin-title").getByText("Withdrawn")).toBeVisible();
});

test("the form of a draft does not follow to another one", async ({ page }) => {
  await signIn(page, "Sample Admin", "/admin/orders");
  const emails = [1, 2].map(() => `${crypto.randomUUID()}@shop.example`) as [string, string];
  const number = async (email: string) => (await make(page, email)).split("/").at(-1) ?? "";
  const [first, second] = [await number(emails[0]), await number(emails[1])];
  const email = page.getByLabel("Email", { exact: true });
  const follow = (name: string) =>
    page.getByRole("main").getByRole("link", { name, exact: true }).click();
  await open(page, `/admin/orders/drafts/${first}`);
  await follow("Change");
  await expect(email).toHaveValue(emails[0]);
  await follow(first);
  await follow("Draft orders");
  await follow(second);
  await follow("Change");
  await expect(email).toHaveValue(emails[1]);
  // As with the list that the Back button shows.
  await page.evaluate(() => history.go(-4));
  await expect(page.getByRole("heading", { level: 1 })).toContainText(first);
  await expect(email).toHaveValue(emails[0]);
});

import {
  add,
  addAndSync,
  complaintsOf,
  confirmed,
  expectNoViolations,
  fillContact,
  goToCheckout,
  newEmail,
  payButton,
  tooWide,
} from "./checkout-form";
import { mailTo } from "./mailbox";
import { expect, hydrated, open, type Page, test } from "./shop";

const PAPERS = "/product/unbleached-papers-king?variant=UPK-ONBO";

/**
 * A guest's order to be picked up, which waits for the link in an email; returns its address. A network may reserve ten a day, and each
 * repetition of a test that failed is another one: so there are six, and all tests but the first place theirs at one width.
 */
async function reservePapers(page: Page): Promise<string> {
  const email = newEmail();
  await add(page, PAPERS);
  await goToCheckout(page);
  await fillContact(page, email);
  await page.getByRole("button", { name: "Pick up everything in our store" }).click();
  await payButton(page).click();
  await expect(page.getByRole("heading", { name: "Check your email" })).toBeFocused();
  return email;
}

/** The path of the link in the newest email to an address. */
async function linkOf(page: Page, email: string): Promise<string> {
  const { baseURL } = test.info().project.use;
  const link = async () => {
    const [newest] = await mailTo(page.request, baseURL, email);
    return /\/checkout\/confirm\?link=\S+/.exec(newest?.text ?? "")?.[0] ?? "";
  };
  await expect.poll(link, { timeout: 20_000 }).not.toBe("");
  return link();
}

test("papers are picked up and paid in the store, once the link in an email was followed", {
  tag: "@phone",
}, async ({ page, browser }) => {
  const complaints = complaintsOf(page);
  const email = `${"w".repeat(40)}${newEmail()}`;
  await add(page, PAPERS);
  await goToCheckout(page);
  await fillContact(page, email);
  const told = page.getByText("Rolling papers are handed over in our store only").first();
  await expect(told).toBeVisible();
  await page.getByRole("button", { name: "Pick up everything in our store" }).click();
  await expect(told).toBeHidden();
  await expect(page.getByText("You pay in the store")).toBeVisible();
  await expect(payButton(page)).toHaveText(/at pickup$/);
  await payButton(page).click();
  await expect(page.getByRole("heading", { name: "Check your email" })).toBeFocused();
  await expect(page.getByText(email)).toBeVisible();
  expect(await tooWide(page)).toBe(0);
  await expectNoViolations(page);
  await page.reload();
  await expect(page.getByRole("heading", { name: "Check your email" })).toBeVisible();
  await expect(page.locator(".cart-count")).toContainText("item");
  // The email is opened in another browser.
  const phone = await browser.newContext({ viewport: { width: 390, height: 844 } });
  const other = await phone.newPage();
  const ownComplaints = complaintsOf(other);
  await open(other, await linkOf(page, email));
  await other.getByLabel("Date of birth").fill("1980-05-17");
  await other.getByRole("button", { name: "Enter" }).click();
  await expect(other.getByRole("dialog")).toHaveCount(0);
  await expect(other.getByRole("heading", { level: 1 })).toHaveText("Confirm your order");
  await expectNoViolations(other);
  await other.getByRole("button", { name: "Confirm order" }).click();
  await confirmed(other);
  await expect(other.getByRole("heading", { name: "Pickup" })).toBeVisible();
  expect(ownComplaints).toEqual([]);
  await phone.close();
  // The first browser finds out by polling.
  await confirmed(page);
  await expect(page.locator(".cart-count")).toHaveText("");
  expect(complaints).toEqual([]);
});

test("a pickup that is confirmed after its tab was closed is no longer in the cart", async ({
  page,
  context,
}) => {
  const email = await reservePapers(page);
  const link = await linkOf(page, email);
  const later = await context.newPage();
  await page.close();
  await open(later, link);
  await expect(later.locator(".cart-count")).toContainText("item");
  await later.getByRole("button", { name: "Confirm order" }).click();
  await confirmed(later);
  await expect(later.locator(".cart-count")).toHaveText("");
});

test("a pickup leaves the cart once, also when its checkout is still open", async ({
  page,
  context,
}) => {
  const email = await reservePapers(page);
  // The checkout hears of the order only after the shopper has begun another cart.
  const status = /\/api\/checkout\/[0-9a-f-]{36}(\?|$)/;
  await page.route(status, (route) => route.abort("failed"));
  const other = await context.newPage();
  await open(other, await linkOf(page, email));
  await other.getByRole("button", { name: "Confirm order" }).click();
  await confirmed(other);
  await expect(other.locator(".cart-count")).toHaveText("");
  await add(other, PAPERS);
  await page.unroute(status);
  await confirmed(page);
  await expect(page.locator(".cart-count")).toHaveText("1 item");
});

test("a wrong address is corrected before the link was followed", async ({ page }) => {
  const complaints = complaintsOf(page);
  const wrong = newEmail();
  await add(page, PAPERS);
  await goToCheckout(page);
  await fillContact(page, wrong);
  await page.getByRole("button", { name: "Pick up everything in our store" }).click();
  await payButton(page).click();
  const first = await linkOf(page, wrong);
  await page.getByRole("link", { name: "Change my order" }).click();
  const right = newEmail();
  await page.getByLabel("Email").fill(right);
  await payButton(page).click();
  await expect(page.getByText(right)).toBeVisible();
  const second = await linkOf(page, right);
  await open(page, first);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("This link is no longer valid");
  await open(page, second);
  // The order is placed even if what would change the cart can't be loaded.
  await page.route(/\/assets\/pay-.*\.js$/, (route) => route.abort("failed"));
  await page.getByRole("button", { name: "Confirm order" }).click();
  await confirmed(page);
  expect(complaints.filter((complaint) => complaint.startsWith("uncaught"))).toEqual([]);
  await open(page, second);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Your order is confirmed");
});

test("an order that waits for its email is changed also where the code that pays does not load", async ({
  page,
}) => {
  await addAndSync(page, PAPERS);
  // Like the answer to an order that was posted before the scripts ran.
  await page.route(
    "**/checkout",
    async (route) => {
      const response = await route.fetch();
      const html = await response.text();
      const start = html.indexOf('<div id="root">') + '<div id="root">'.length;
      const end = html.lastIndexOf('</div><script type="application/json" id="page">');
      const body = (html.slice(0, start) + html.slice(end)).replace(
        '"mailed":false',
        '"mailed":true',
      );
      await route.fulfill({ response, body });
    },
    { times: 1 },
  );
  await page.route(/\/assets\/pay-.*\.js$/, (route) => route.abort("failed"));
  await open(page, "/checkout");
  await expect(page.getByRole("heading", { name: "Check your email" })).toBeVisible();
  await page.getByRole("link", { name: "Change my order" }).click();
  await expect(page.getByLabel("Email")).toBeVisible();
});

test("fields of an order that was refused take the focus once", async ({ page }) => {
  await add(page, PAPERS);
  await goToCheckout(page);
  await page.getByLabel("Email").fill(newEmail());
  await page.locator("input[name=delivery][value=pickup]").check();
  await expect(page.getByText("You pay in the store")).toBeVisible();
  // As browsers do whose scripts did not load; those of the answer do.
  await page.locator("form.checkout-columns").evaluate((element) => {
    const form = element as HTMLFormElement;
    const action = document.createElement("input");
    Object.assign(action, { type: "hidden", name: "do", value: "order" });
    form.append(action);
    form.submit();
  });
  await expect(page.getByText("Enter a first name.")).toBeVisible();
  await hydrated(page);
  await expect(page.getByLabel("First name")).toBeFocused();
  await page.locator("input[name=delivery][value=pickup]").focus();
  await page.keyboard.press("ArrowUp");
  await expect(page.getByLabel("Street address")).toBeVisible();
  await expect(page.locator("input[name=delivery][value=ship]")).toBeFocused();
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("an order to pick up is placed by forms alone, and its link confirmed", {
    tag: "@phone",
  }, async ({ page, isMobile }) => {
    const email = newEmail();
    await page.goto(PAPERS);
    await page.getByRole("button", { name: /^Add to cart/ }).click();
    await page.getByRole("link", { name: "Checkout", exact: true }).click();
    // As after "Skip to content". Browsers focus nothing by themselves in a page that is opened at a fragment.
    await page.goto("/checkout#main");
    await page.getByLabel("Email").fill(email);
    await page.locator("input[name=delivery][value=pickup]").check();
    await page.getByRole("button", { name: "Update delivery and total" }).click();
    await expect(page.locator(".cart-total dd")).toContainText("$");
    await payButton(page).click();
    await expect(page.getByText("Enter a first name.")).toBeVisible();
    // The page does not look as if it were merely loaded again.
    await expect(page.getByLabel("First name")).toBeFocused();
    await expect(page.getByLabel("Email")).toHaveValue(email);
    await page.getByLabel("First name").fill("Ada");
    await page.getByLabel("Last name").fill("Reed");
    // See reservePapers.
    if (isMobile) return;
    await payButton(page).click();
    await expect(page.getByRole("heading", { name: "Check your email" })).toBeVisible();
    await page.goto(await linkOf(page, email));
    await page.getByRole("button", { name: "Confirm order" }).click();
    await expect(page).toHaveURL(/order-confirmation/);
    await page.goto("/cart");
    await expect(page.locator(".cart-line")).toHaveCount(0);
  });
});

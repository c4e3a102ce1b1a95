import {
  add,
  card,
  complaintsOf,
  confirmed,
  expectNoViolations,
  fillCard,
  fillContact,
  goToCheckout,
  newEmail,
  payButton,
  tooWide,
} from "./checkout-form";
import { backgroundRuns, documents, expect, guestCartIsSent, open, type Page, test } from "./shop";
import { newcomer } from "./staff";

const TOOL = "/product/three-way-pipe-tool?variant=TWT-SIN";
const CLEANERS = "/product/cotton-pipe-cleaners?variant=CPC-50";
const MATCHES = "/product/long-pipe-matches?variant=LPM-SIN";

const GOOD = "4111111111111111";
const DECLINED = "4000000000000002";
/** The bank asks for a code. */
const CHALLENGED = "5248480000210034";

/** A guest with a completed checkout form, ready to pay. */
async function readyToPay(page: Page, number = GOOD): Promise<string> {
  const email = newEmail();
  await add(page, TOOL);
  await goToCheckout(page);
  await fillContact(page, email);
  await fillCard(page, number);
  await expect(payButton(page)).toHaveText(/^Pay \$/);
  await expect(payButton(page)).toBeEnabled();
  return email;
}

/** A buyer's successful payments, from Square's stand-in. */
async function paymentsOf(page: Page, email: string): Promise<{ status: string }[]> {
  const shop = new URL(test.info().project.use.baseURL ?? "");
  const answer = await page.request.get(
    `http://localhost:${Number(shop.port) + 2}/v2/payments?sort_order=DESC`,
    { headers: { authorization: "Bearer stand-in-access-token" } },
  );
  const { payments = [] } = (await answer.json()) as {
    payments?: { status: string; buyer_email_address?: string }[];
  };
  return payments.filter(
    ({ buyer_email_address, status }) => buyer_email_address === email && status !== "FAILED",
  );
}

/** The stand-in's lists lag by some seconds, like Square's. */
async function expectOnePayment(page: Page, email: string): Promise<void> {
  await expect
    .poll(async () => (await paymentsOf(page, email)).length, { timeout: 20_000 })
    .toBe(1);
}

test("a guest buys, with an empty console, and finds the order", { tag: "@phone" }, async ({
  page,
}) => {
  const complaints = complaintsOf(page);
  const email = await readyToPay(page);
  await expect(page.locator(".checkout-summary .cart-total dd")).toHaveText(/^\$\d+\.\d\d$/);
  await page.getByLabel("Street address").fill("S".repeat(100));
  await payButton(page).click();
  await confirmed(page);
  await expect(page.getByText("Three-Way Pipe Tool")).toBeVisible();
  expect(await tooWide(page)).toBe(0);
  await expect(page.getByText("Visa ending in 1111")).toBeVisible();
  await expect(page.getByText("We’ve received your order.")).toBeVisible();
  await expect(page.getByText("An adult 21 or older must show ID and sign")).toBeVisible();
  // The browser stores neither the bought items nor any input.
  await expect(page.locator(".cart-count")).toHaveText("");
  const kept = await page.evaluate(() => JSON.stringify([localStorage, sessionStorage]));
  expect(kept).not.toContain(email);
  await expectOnePayment(page, email);
  expect(complaints).toEqual([]);
});

test("a declined card may be followed by a good one", async ({ page }) => {
  const email = await readyToPay(page, DECLINED);
  // A refused promo code prevents no order, and takes the focus from no refusal.
  await page.getByText("Add a promo code").click();
  await page.getByLabel("Promo code").fill("nonsense");
  await page.getByLabel("Promo code").press("Enter");
  await expect(page.getByText("This code isn’t valid.")).toBeVisible();
  await payButton(page).click();
  await expect(page.locator("#refusal")).toContainText("declined");
  await expect(page.locator("#refusal")).toBeFocused();
  await expect(card(page).getByLabel("Card number")).toHaveValue(/0002$/);
  await card(page).getByLabel("Card number").fill(GOOD);
  await payButton(page).click();
  await confirmed(page);
  await expectOnePayment(page, email);
});

test("the bank's question can be answered within the page, even after minutes", async ({
  page,
}) => {
  await page.clock.install();
  await readyToPay(page, CHALLENGED);
  await payButton(page).click();
  await card(page).getByRole("textbox", { name: "Code", exact: true }).fill("123456");
  await page.clock.fastForward(5 * 60_000);
  await card(page).getByRole("button", { name: "Confirm" }).click();
  await confirmed(page);
});

test("a double click on Pay is one payment", async ({ page }) => {
  const email = await readyToPay(page);
  const sent: string[] = [];
  page.on("request", (request) => {
    if (request.url().endsWith("/api/checkout/pay")) sent.push(request.postData() ?? "");
  });
  await payButton(page).dblclick();
  await confirmed(page);
  expect(sent).toHaveLength(1);
  await expectOnePayment(page, email);
});

test("the way back after paying leads to no checkout that can be paid", async ({ page }) => {
  const email = await readyToPay(page);
  await payButton(page).click();
  await confirmed(page);
  await page.goBack();
  await expect(page).toHaveURL("/cart");
  await expect(page.getByText("Your cart is empty.")).toBeVisible();
  await page.goto("/checkout");
  await expect(page.getByText("your cart is empty")).toBeVisible();
  await expect(payButton(page)).toHaveCount(0);
  await expectOnePayment(page, email);
});

test("an answer that is lost is asked about, and there is one payment", async ({ page }) => {
  const email = await readyToPay(page);
  let sent = 0;
  await page.route("**/api/checkout/pay", async (route) => {
    sent += 1;
    // The request reaches the server, and the connection is lost before the response.
    await route.fetch();
    await page.context().setOffline(true);
    await route.abort("internetdisconnected");
  });
  await payButton(page).click();
  await expect(
    page.getByText("You’re offline. We’ll continue as soon as you’re back online."),
  ).toBeVisible();
  await page.context().setOffline(false);
  await confirmed(page);
  expect(sent).toBe(1);
  await expectOnePayment(page, email);
});

test("a click that never arrived goes again as the same click", async ({ page }) => {
  const email = await readyToPay(page);
  const clicks: string[] = [];
  await page.route("**/api/checkout/pay", async (route) => {
    clicks.push(route.request().postDataJSON().click_id);
    if (clicks.length === 1) await route.abort("connectionfailed");
    else await route.continue();
  });
  await payButton(page).click();
  await confirmed(page);
  expect(clicks).toHaveLength(2);
  expect(new Set(clicks).size).toBe(1);
  await expectOnePayment(page, email);
});

test("a reload while paying finds the order", async ({ page }) => {
  const email = await readyToPay(page);
  await page.route("**/api/checkout/pay", async (route) => {
    await route.fetch();
    // The page is closed before the response arrives.
    await route.abort("failed").catch(() => {});
  });
  const asked = page.waitForRequest("**/api/checkout/pay");
  await page.route(/\/api\/checkout\/[0-9a-f-]{36}(\?|$)/, (route) => route.abort("failed"));
  await payButton(page).click();
  await asked;
  await expect(page.getByText("We’re checking on your payment.")).toBeVisible();
  // The page hears of nothing until then, so that it does not go on by itself meanwhile.
  await page.reload();
  await page.unrouteAll({ behavior: "ignoreErrors" });
  await confirmed(page);
  await expectOnePayment(page, email);
});

test("a payment whose tab was closed is found by the next checkout, and not made again", async ({
  page,
  context,
}) => {
  const email = await readyToPay(page);
  // Nobody hears the answer.
  await page.route("**/api/checkout/pay", async (route) => {
    await route.fetch();
  });
  await payButton(page).click();
  await expectOnePayment(page, email);
  const later = await context.newPage();
  await page.close();
  await open(later, "/cart");
  await expect(later.locator(".cart-count")).toHaveText("1 item");
  await later.goto("/checkout");
  await confirmed(later);
  await expect(later.locator(".cart-count")).toHaveText("");
  await expectOnePayment(later, email);
  // The same again, on purpose.
  await add(later, TOOL);
  await goToCheckout(later);
  await fillContact(later, email);
  await fillCard(later, GOOD);
  await payButton(later).click();
  await confirmed(later);
  await expect
    .poll(async () => (await paymentsOf(later, email)).length, { timeout: 20_000 })
    .toBe(2);
});

test("a payment is looked for also where the code for it did not load at first", async ({
  page,
}) => {
  const email = await readyToPay(page);
  await page.route("**/api/checkout/pay", async (route) => {
    await route.fetch();
    await route.abort("failed").catch(() => {});
  });
  await page.route(/\/api\/checkout\/[0-9a-f-]{36}(\?|$)/, (route) => route.abort("failed"));
  await payButton(page).click();
  await expect(page.getByText("We’re checking on your payment.")).toBeVisible();
  const code = /\/assets\/pay-.*\.js$/;
  await page.route(code, (route) => route.abort("failed"), { times: 1 });
  const failed = page.waitForEvent("requestfailed", (request) => code.test(request.url()));
  await page.reload();
  await failed;
  await page.unrouteAll({ behavior: "ignoreErrors" });
  await confirmed(page);
  await expectOnePayment(page, email);
});

test("a reload on the way to the order's page leads there", async ({ page }) => {
  const email = await readyToPay(page);
  // The request for the page is on its way until the reload.
  await page.route(/\/order-confirmation\?/, () => {});
  const asked = page.waitForRequest(/\/order-confirmation\?/);
  await payButton(page).click();
  await asked;
  await page.unrouteAll({ behavior: "ignoreErrors" });
  await page.reload();
  await confirmed(page);
  await expectOnePayment(page, email);
  expect(await page.evaluate(() => sessionStorage.getItem("shop.checkout"))).toBeNull();
});

test("Pay that is clicked before its code is loaded keeps the form as it is", async ({ page }) => {
  let answer = () => {};
  const held = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route(/\/assets\/pay-.*\.js$/, async (route) => {
    await held;
    await route.continue();
  });
  await readyToPay(page);
  await payButton(page).click();
  await expect(page.getByText("Your order is being placed.")).toBeVisible();
  await expect(page.locator(".checkout-section").first()).toHaveAttribute("inert");
  answer();
  await confirmed(page);
});

test("when the age proof ends during the checkout, the order goes on after another one", async ({
  page,
  context,
}) => {
  const email = await readyToPay(page);
  await context.clearCookies({ name: "age" });
  await payButton(page).click();
  await page.getByLabel("Date of birth").fill("1980-05-17");
  await page.getByRole("button", { name: "Enter" }).click();
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(page.locator("#refusal")).toBeEmpty();
  await expect(payButton(page)).toBeEnabled();
  await payButton(page).click();
  await confirmed(page);
  await expectOnePayment(page, email);
});

test("Enter places no order while the total is out of date", async ({ page }) => {
  await readyToPay(page);
  const paid: string[] = [];
  page.on("request", (request) => {
    if (request.url().endsWith("/api/checkout/pay")) paid.push(request.url());
  });
  await page.route("**/api/checkout/quote", () => {});
  const zip = page.getByLabel("ZIP code");
  await zip.fill("43201");
  await expect(payButton(page)).toHaveAttribute("aria-disabled", "true");
  await zip.press("Enter");
  await expect(page.getByText("Your order is being placed.")).toHaveCount(0);
  await page.unrouteAll({ behavior: "ignoreErrors" });
  await zip.fill("43215");
  await expect(payButton(page)).toBeEnabled();
  expect(paid).toEqual([]);
  await zip.press("Enter");
  await confirmed(page);
  expect(paid).toHaveLength(1);
});

test("what is missing is said beside its field, and the first one has the focus", {
  tag: "@phone",
}, async ({ page }) => {
  await add(page, TOOL);
  await goToCheckout(page);
  await payButton(page).click();
  await expect(page.getByText("Enter an email address such as")).toBeVisible();
  await expect(page.getByText("Enter a street address.")).toBeVisible();
  await expect(page.getByLabel("Email")).toBeFocused();
  await expect(page.getByLabel("Email")).toHaveAttribute("aria-invalid", "true");
  await page.getByLabel("Email").fill("iris@shop.example");
  await expect(page.getByLabel("Email")).toHaveAttribute("aria-invalid", "false");
});

test("checkout leads to the first mistake each time, and forgets an account that signs out", async ({
  context,
}) => {
  const page = await newcomer(context, "Odd Mistake");
  await add(page, TOOL);
  await open(page, "/checkout");
  const email = page.getByLabel("Email");
  const pay = page.getByRole("button", { name: /^(Pay|Place order|Order, pay)/ });
  await expect(email).not.toHaveValue("");
  for (const wrong of ["nobody", "nobody@"]) {
    await email.fill(wrong);
    await expect(email).toHaveAttribute("aria-invalid", "false");
    await pay.click();
    await expect(email).toHaveAttribute("aria-invalid", "true");
    await expect(email).toBeFocused();
  }
  await page.getByLabel("First name").fill("Iris");
  await page.reload();
  await expect(page.getByLabel("First name")).toHaveValue("Iris");
  await open(page, "/account");
  await page.getByRole("main").getByRole("button", { name: "Sign out" }).click();
  await expect(page.locator(".toast")).toContainText("You’re signed out.");
  await add(page, TOOL);
  await open(page, "/checkout");
  await expect(page.getByLabel("First name")).toHaveValue("");
  await expect(email).toHaveValue("");
});

test("who signs in at the checkout finds their details beside what they have typed", {
  tag: "@phone",
}, async ({ page, isMobile }) => {
  await readyToPay(page);
  await page.getByLabel("Email").fill("");
  // On a phone, signing in is a redirect.
  const opened = isMobile ? null : page.waitForEvent("popup");
  await page.getByRole("main").getByRole("link", { name: "Sign in" }).click();
  const popup = await opened;
  const closed = popup?.waitForEvent("close");
  await (popup ?? page).getByRole("button", { name: "Sample Shopper" }).click();
  await closed;
  await expect(page.getByLabel("Email")).toHaveValue(/^shopper@/);
  await expect(page.getByLabel("First name")).toHaveValue("Iris");
  if (!isMobile) await expect(card(page).getByLabel("Card number")).toHaveValue(/1111$/);
});

test("who signs in at the checkout is offered what an account is, though nothing else has changed", async ({
  page,
}) => {
  await add(page, TOOL);
  await goToCheckout(page);
  // A form that the account changes nothing of.
  await page.locator("input[name=delivery][value=pickup]").check();
  await expect(page.locator(".checkout-summary .cart-total dd")).toHaveText(/^\$\d+\.\d\d$/);
  await expect(payButton(page)).toBeEnabled();
  await backgroundRuns(page);
  const opened = page.waitForEvent("popup");
  await page.getByRole("main").getByRole("link", { name: "Sign in" }).click();
  const popup = await opened;
  await popup.getByText("Create an account").click();
  await popup.getByLabel("Name").fill("Late Comer");
  await popup.getByLabel("Email").fill(newEmail());
  const asked = page.waitForRequest("**/api/checkout/quote");
  const closed = popup.waitForEvent("close");
  await popup.getByRole("button", { name: "Create account" }).click();
  await closed;
  await asked;
  await expect(page.getByLabel("Email")).not.toHaveValue("");
  await expect(payButton(page)).toBeEnabled();
});

test("a state that goods cannot go to is explained", async ({ page }) => {
  await add(page, MATCHES);
  await goToCheckout(page);
  // Screen readers announce only what is added to a place that was there before.
  const note = await page.locator("section:has(> #delivery) > [role=status]").elementHandle();
  await fillContact(page, newEmail(), "HI", "96813");
  await expect(page.getByText("no ground service reaches Hawaii").first()).toBeVisible();
  expect(await note?.textContent()).toContain("no ground service reaches Hawaii");
  await page.getByLabel("State", { exact: true }).selectOption("OH");
  await page.getByLabel("ZIP code").fill("43215");
  await expect(page.getByText("no ground service reaches Hawaii")).toHaveCount(0);
  await expect(payButton(page)).toHaveText(/^Pay \$/);
});

test("a chosen shipping method outlasts the correction of the address", async ({ page }) => {
  await add(page, TOOL);
  await goToCheckout(page);
  await fillContact(page, newEmail());
  const expedited = page.getByRole("radio", { name: /^Expedited/ });
  await expedited.check();
  await page.getByLabel("State", { exact: true }).selectOption("PA");
  await expect(page.getByText("That ZIP code isn’t in Pennsylvania.")).toBeVisible();
  await expect(expedited).toHaveCount(0);
  await page.getByLabel("ZIP code").fill("15222");
  await expect(expedited).toBeChecked();
  await expect(payButton(page)).toHaveText(/^Pay \$/);
  await expect(expedited).toBeChecked();
});

test("a price that has changed is told in the cart and at the checkout", async ({ page }) => {
  await add(page, TOOL);
  // At today's price.
  await guestCartIsSent(page);
  await page.evaluate(() => {
    const cart = JSON.parse(localStorage.getItem("shop.cart") ?? "");
    cart.items[0].price = 100;
    localStorage.setItem("shop.cart", JSON.stringify(cart));
  });
  await goToCheckout(page);
  const told = /changed from \$1\.00 to \$6\.00/;
  await expect(page.getByRole("status").getByText(told)).toBeVisible();
  await page.getByRole("link", { name: "Edit cart" }).click();
  await expect(page.locator(".line-note").getByText(told)).toBeVisible();
});

test("a promo code is taken, refused and removed", { tag: "@phone" }, async ({ page }) => {
  await add(page, TOOL);
  await open(page, "/cart");
  await backgroundRuns(page);
  await page.getByText("Add a promo code").click();
  await page.getByLabel("Promo code").fill("nonsense");
  await page.getByRole("button", { name: "Apply" }).click();
  await expect(page.locator(".promo-entry .field-error")).toBeVisible();
  await expect(page.getByLabel("Promo code")).toBeFocused();
  const [input, button] = await Promise.all([
    page.getByLabel("Promo code").boundingBox(),
    page.getByRole("button", { name: "Apply" }).boundingBox(),
  ]);
  expect(button?.y).toBeCloseTo(input?.y ?? 0, 1);
  await page.getByLabel("Promo code").fill("welcome10");
  await page.getByLabel("Promo code").press("Enter");
  await expect(page.locator(".promo")).toContainText("WELCOME10");
  await expect(page.getByRole("button", { name: "Remove promo code WELCOME10" })).toBeFocused();
  await expect(page.locator(".cart-total dd")).toHaveText("$5.40");
  await goToCheckout(page);
  await expect(page.locator(".totals")).toContainText("-$0.60");
  await page
    .locator(".promo")
    .getByRole("button", { name: /^Remove/ })
    .click();
  await expect(page.locator(".totals")).not.toContainText("Discount");
});

test("a card form that does not load says so and can be tried again", async ({ page }) => {
  const errors: string[] = [];
  page.on("console", (message) => errors.push(message.text()));
  await page.route("**/v1/square.js", (route) => route.abort("failed"));
  await add(page, TOOL);
  await goToCheckout(page);
  await fillContact(page, newEmail());
  await expect(page.getByText("The card form didn’t load.")).toBeVisible();
  expect(errors).toContain("Failed to load Square sdk");
  await page.unroute("**/v1/square.js");
  await page.locator(".card-field").getByRole("button", { name: "Try again" }).click();
  await expect(card(page).getByLabel("Card number")).toBeVisible();
});

test("only a document of its own shows the checkout, and only it loads the card form", async ({
  page,
}) => {
  const loaded = documents(page);
  const scripts: string[] = [];
  page.on("request", (request) => {
    if (request.url().includes("square.js")) scripts.push(request.url());
  });
  await add(page, TOOL);
  await page.locator(".cart-link").click();
  await expect(page).toHaveURL("/cart");
  expect(scripts).toEqual([]);
  await page.getByRole("link", { name: "Checkout", exact: true }).click();
  await page.waitForURL("/checkout");
  expect(loaded.map((path) => path.replace(/\?.*/, ""))).toEqual([
    "/product/three-way-pipe-tool",
    "/checkout",
  ]);
});

test("what is put aside is in no sum and comes back", async ({ page }) => {
  await add(page, TOOL);
  await add(page, CLEANERS);
  await open(page, "/cart");
  await page.getByRole("button", { name: /^Save for later Three-Way/ }).click();
  await expect(page.locator(".cart-line")).toHaveCount(1);
  await expect(page.locator(".cart-count")).toContainText("1 item");
  await expect(page.locator(".cart-total dd")).toHaveText("$3.00");
  await page.reload();
  await page.getByRole("button", { name: /^Move to cart/ }).click();
  await expect(page.locator(".cart-line")).toHaveCount(2);
});

test("when another tab empties the cart, the checkout says so", async ({ page, context }) => {
  await add(page, TOOL);
  await guestCartIsSent(page);
  await readyToPay(page);
  // With nothing to pay, no card is asked for.
  await expect(page.locator("#card-form")).toBeVisible();
  await page.route("**/api/checkout/quote", async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...(await response.json()), total: 0 } });
  });
  await page.getByLabel("ZIP code").fill("43201");
  await expect(page.getByText("There’s nothing to pay.")).toBeVisible();
  await expect(page.locator("#card-form")).toBeHidden();
  await payButton(page).click();
  await expect(page.locator("#refusal")).not.toBeEmpty();
  const other = await context.newPage();
  await open(other, "/cart");
  await other.getByRole("button", { name: /^Remove Three/ }).click();
  // What was refused concerned the items.
  await expect(page.locator(".nothing .lede")).toHaveText("Your cart is empty.");
});

test("a cart that the browser does not know yet is at the checkout from the first", async ({
  page,
  baseURL,
}) => {
  // No open page could sync it to the browser's own cart.
  const product = await (await page.request.get(TOOL)).text();
  const id = /name="id" value="([^"]+)"/.exec(product)?.[1] ?? "";
  await page.request.post("/cart", {
    form: { do: "add", id, qty: "2" },
    headers: { origin: baseURL ?? "" },
  });
  // Never respond to the later cart requests, so nothing can depend on them.
  await page.route("**/api/cart/**", () => {});
  await open(page, "/checkout");
  await expect(page.locator(".cart-count")).toHaveText("2 items");
  await expect(page.getByLabel("Email")).toBeVisible();
  await expect(page.locator(".bought")).toContainText("Three-Way Pipe Tool");
});

test("axe finds nothing wrong on the way to an order", { tag: "@phone" }, async ({ page }) => {
  await add(page, TOOL);
  await add(page, CLEANERS);
  await open(page, "/cart");
  await page.getByRole("button", { name: /^Save for later Cotton/ }).click();
  await page.getByText("Add a promo code").click();
  await expect(page.getByText("Saved for later")).toBeVisible();
  await expectNoViolations(page);
  await goToCheckout(page);
  await payButton(page).click();
  await expect(page.getByText("Enter a street address.")).toBeVisible();
  await expectNoViolations(page);
  await fillContact(page, newEmail());
  await fillCard(page, GOOD);
  // Its color changes once the quote of the address has arrived.
  await expect(payButton(page)).toBeEnabled();
  await expectNoViolations(page);
  await payButton(page).click();
  await confirmed(page);
  await expectNoViolations(page);
});

// The cart of a signed-in shopper: on two devices, offline, after a sign-out, and the orders in the account.
import { AxeBuilder } from "@axe-core/playwright";
import type { BrowserContext } from "@playwright/test";
import {
  add,
  addHere,
  confirmed,
  fillAddress,
  fillCard,
  payButton,
  saveAddress,
} from "./checkout-form";
import {
  backgroundRuns,
  expect,
  guestCartIsSent,
  hydrated,
  open,
  type Page,
  saveData,
  test,
} from "./shop";

const TOOL = "/product/three-way-pipe-tool?variant=TWT-SIN";
const CLEANERS = "/product/cotton-pipe-cleaners?variant=CPC-50";
const ACCOUNT_MENU = ".account > summary";

/** Creates an account at the provider and returns signed in. */
async function signUp(page: Page): Promise<string> {
  const email = `reader-${crypto.randomUUID().slice(0, 13)}@shop.example`;
  await page.goto("/auth/login?return_to=/cart");
  await page.getByText("Create an account").click();
  await page.getByLabel("Name").fill("Iris Vane");
  await page.getByLabel("Email").fill(email);
  await page.getByRole("button", { name: "Create account" }).click();
  await page.waitForURL("/cart");
  await hydrated(page);
  return email;
}

/** The items in the account's cart, as `SKU:quantity`. */
async function accountCart(context: BrowserContext): Promise<string[]> {
  const { items } = await (await context.request.get("/api/cart")).json();
  return items.map(({ sku, qty }: { sku: string; qty: number }) => `${sku}:${qty}`).sort();
}

/** Waits until this browser knows that the account has its cart. */
async function synced(page: Page): Promise<void> {
  await expect
    .poll(() => page.evaluate(() => localStorage.getItem("shop.cart.sync")))
    .toContain('"base":[{');
}

/** The same person on another device. */
async function otherDevice(
  page: Page,
  baseURL: string | undefined,
): Promise<{ context: BrowserContext; page: Page }> {
  const browser = page.context().browser();
  if (!browser) throw new Error("no browser");
  const context = await browser.newContext({ baseURL: baseURL ?? "" });
  await context.addCookies(await page.context().cookies());
  return { context, page: await context.newPage() };
}

test("a guest's cart joins the account, and two devices end with the same", async ({
  page,
  context,
  baseURL,
}) => {
  await add(page, TOOL);
  await signUp(page);
  await expect.poll(() => accountCart(context)).toEqual(["TWT-SIN:1"]);
  await synced(page);

  const other = await otherDevice(page, baseURL);
  await add(other.page, CLEANERS);
  await expect.poll(() => accountCart(context)).toEqual(["CPC-50:1", "TWT-SIN:1"]);
  await expect(other.page.locator(".cart-count")).toHaveText("2 items");

  await page.goto("/cart");
  await expect(page.locator(".cart-line")).toHaveCount(2);
  await backgroundRuns(page);
  await page.getByRole("button", { name: /^Remove Three/ }).click();
  // It is sent after the call that is under way, which may take ten seconds.
  await expect.poll(() => accountCart(context), { timeout: 20_000 }).toEqual(["CPC-50:1"]);
  await other.page.reload();
  await expect(other.page.locator(".cart-count")).toHaveText("1 item");
  await other.context.close();
});

test("a cart page that was fetched ahead takes nothing back", async ({ page, context }) => {
  await signUp(page);
  await open(page, TOOL);
  const fetched = page.waitForResponse("**/cart/_payload.json*");
  await page.locator(".cart-link").hover();
  await fetched;
  await page.getByRole("button", { name: /^Add to cart/ }).click();
  await expect.poll(() => accountCart(context)).toEqual(["TWT-SIN:1"]);
  await expect
    .poll(() => page.evaluate(() => localStorage.getItem("shop.cart.sync") ?? ""))
    .toMatch(/"base":\[\{.*"sent":null/);
  await page.locator(".cart-link").click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Your cart");
  await expect(page.locator(".cart-line")).toHaveCount(1);
  await expect(page.locator(".cart-count")).toHaveText("1 item");
});

test("what goes into the cart offline goes up when the connection is back", async ({
  page,
  context,
}) => {
  await saveData(page);
  await signUp(page);
  // On this page: what is under way when the connection ends is a failure that browsers report themselves.
  const synced = page.waitForResponse(/\/api\/cart(\/sync)?$/);
  // The last that a page sends on its own.
  const told = page.waitForResponse(
    (response) =>
      response.url().endsWith("/api/me/activity") &&
      (response.request().postData() ?? "").includes("three-way-pipe-tool"),
  );
  await open(page, TOOL);
  await (await synced).finished();
  await (await told).finished();
  await page.waitForLoadState("networkidle");
  const complaints: string[] = [];
  page.on("console", (message) => complaints.push(message.text()));
  await context.setOffline(true);
  await page.getByRole("button", { name: /^Add to cart/ }).click();
  await expect(page.locator(".cart-count")).toHaveText("1 item");
  await context.setOffline(false);
  await expect.poll(() => accountCart(context)).toEqual(["TWT-SIN:1"]);
  expect(complaints).toEqual([]);
});

test("two tabs of an account agree", async ({ page, context }) => {
  await signUp(page);
  const other = await context.newPage();
  await open(other, CLEANERS);
  await add(page, TOOL);
  await other.getByRole("button", { name: /^Add to cart/ }).click();
  await expect(page.locator(".cart-count")).toHaveText("2 items");
  await expect(other.locator(".cart-count")).toHaveText("2 items");
  await expect.poll(() => accountCart(context)).toEqual(["CPC-50:1", "TWT-SIN:1"]);
});

test("who signs out leaves the cart to the account", async ({ page, context }) => {
  await add(page, TOOL);
  const email = await signUp(page);
  await expect.poll(() => accountCart(context)).toEqual(["TWT-SIN:1"]);
  // The account may have it from the guest's cookie before this browser has synced.
  await synced(page);
  await page.goto("/account");
  await hydrated(page);
  await page.locator("main").getByRole("button", { name: "Sign out", exact: true }).click();
  await expect(page.getByRole("link", { name: "Sign in", exact: true })).toBeVisible();
  await expect.poll(() => page.evaluate(() => localStorage.getItem("shop.cart"))).toBeNull();
  expect(email).toContain("@");
});

test("a sign-out in one tab signs out the others, and what a guest enters later stays", async ({
  page,
  context,
}) => {
  await add(page, TOOL);
  await signUp(page);
  await synced(page);
  const other = await context.newPage();
  await open(other, TOOL);
  await expect(other.locator(ACCOUNT_MENU)).toBeVisible();
  await page.goto("/account");
  await hydrated(page);
  await page.locator("main").getByRole("button", { name: "Sign out", exact: true }).click();
  await expect(other.getByRole("link", { name: "Sign in", exact: true })).toBeVisible();
  await addHere(other);
  await open(other, "/cart");
  await other.getByText("Add a promo code").click();
  await other.getByLabel("Promo code").fill("welcome10");
  await other.getByRole("button", { name: "Apply" }).click();
  await expect(other.locator(".promo")).toContainText("WELCOME10");
  await other.reload();
  await hydrated(other);
  await expect(other.locator(".promo")).toContainText("WELCOME10");
  expect(await other.evaluate(() => localStorage.getItem("shop.cart.sync"))).toBeNull();
});

test("what an account entered at the checkout leaves it with a sign-out in another tab", async ({
  page,
  context,
}) => {
  await add(page, TOOL);
  const email = await signUp(page);
  await synced(page);
  await open(page, "/checkout");
  await expect(page.getByLabel("Email")).toHaveValue(email);
  await fillAddress(page);
  const other = await context.newPage();
  await open(other, "/account");
  await other.locator("main").getByRole("button", { name: "Sign out", exact: true }).click();
  const signIn = page.locator("header").getByRole("link", { name: "Sign in", exact: true });
  await expect(signIn).toBeVisible();
  await expect(page.locator(".nothing")).toContainText("Your cart is empty.");
  await add(page, TOOL);
  await open(page, "/checkout");
  await expect(page.getByLabel("Email")).toHaveValue("");
  await expect(page.getByLabel("Street address")).toHaveValue("");
});

test("who comes back to the cart after 7 days finds what the account has", async ({
  page,
  context,
}) => {
  await add(page, TOOL);
  await signUp(page);
  await synced(page);
  await page.evaluate(() => {
    const week = 7 * 24 * 60 * 60 * 1000;
    for (const [key, time] of [
      ["shop.cart", "timestamp"],
      ["shop.cart.sync", "at"],
    ] as const) {
      const stored = JSON.parse(localStorage.getItem(key) ?? "");
      localStorage.setItem(key, JSON.stringify({ ...stored, [time]: stored[time] - week }));
    }
  });
  await open(page, "/cart");
  await expect(page.locator(".cart-line")).toHaveCount(1);
  expect(await accountCart(context)).toEqual(["TWT-SIN:1"]);
});

test("a guest's page takes nothing from who signs in on another, and shows the account", async ({
  page,
  context,
  baseURL,
}) => {
  const guests = await context.newPage();
  await open(guests, TOOL);
  await backgroundRuns(guests);
  const device = await otherDevice(page, baseURL);
  await signUp(device.page);
  await add(device.page, CLEANERS);
  await expect.poll(() => accountCart(device.context)).toEqual(["CPC-50:1"]);
  await context.addCookies(await device.context.cookies());
  await open(page, "/cart");
  await expect(guests.locator(ACCOUNT_MENU)).toBeVisible();
  await expect(page.locator(".cart-line")).toHaveCount(1);
  await expect(page.locator(".cart-count")).toHaveText("1 item");
  await synced(page);
  await device.context.close();
});

test("a guest's page with a cart shows the account after a sign-in on another", async ({
  page,
  context,
}) => {
  const guests = await context.newPage();
  await add(guests, TOOL);
  await guestCartIsSent(guests);
  await signUp(page);
  await add(page, CLEANERS);
  await expect(guests.locator(ACCOUNT_MENU)).toBeVisible();
  await expect(guests.locator(".cart-count")).toHaveText("2 items");
  await expect.poll(() => accountCart(context)).toEqual(["CPC-50:1", "TWT-SIN:1"]);
});

test("a page that comes back after a sign-in on another shows the account", async ({
  page,
  context,
}) => {
  await open(page, TOOL);
  await backgroundRuns(page);
  const other = await context.newPage();
  await signUp(other);
  await expect
    .poll(() => page.evaluate(() => localStorage.getItem("shop.cart.sync")))
    .not.toBeNull();
  // As a browser does that has kept the page.
  await page.evaluate(() =>
    dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true })),
  );
  await expect(page.locator(ACCOUNT_MENU)).toBeVisible();
});

test("a guest's page from the browser's cache takes nothing from the account", async ({ page }) => {
  const body = await (await page.goto(TOOL))?.text();
  await add(page, TOOL);
  await signUp(page);
  await synced(page);
  await open(page, "/checkout");
  await fillAddress(page);
  // When they go back, browsers show a page that a shared cache may keep without asking for it again.
  await page.route(
    ({ pathname }) => pathname === "/product/three-way-pipe-tool",
    (route) => route.fulfill({ body: body ?? "", contentType: "text/html; charset=utf-8" }),
  );
  await page.goto(TOOL);
  const signIn = page.locator("header").getByRole("link", { name: "Sign in", exact: true });
  await expect(signIn).toHaveCount(0);
  await expect(page.locator(".cart-count")).toHaveText("1 item");
  await synced(page);
  await open(page, "/checkout");
  await expect(page.getByLabel("Street address")).toHaveValue("48 Gay Street");
});

test("a checkout whose sign-in has ended places no order, and keeps nothing of the account", async ({
  page,
  context,
}) => {
  await add(page, TOOL);
  const email = await signUp(page);
  await open(page, "/checkout");
  await expect(page.getByLabel("Email")).toHaveValue(email);
  await fillAddress(page);
  await fillCard(page, "4111111111111111");
  await expect(page.getByRole("button", { name: /^Pay \$/ })).toBeEnabled();
  await context.clearCookies({ name: /session/ });
  await page.getByRole("button", { name: /^Pay \$/ }).click();
  await expect(page.locator(".nothing")).toContainText("Your sign-in has ended");
  await expect(page.locator(".nothing")).toContainText("Your cart is empty.");
  const kept = await page.evaluate(() => JSON.stringify([localStorage, sessionStorage]));
  expect(kept).not.toContain(email);
  expect(kept).not.toContain("Gay Street");
});

test("an order whose answer no page has heard is not shown to who comes after a sign-out", async ({
  page,
}) => {
  await add(page, TOOL);
  await signUp(page);
  await synced(page);
  await open(page, "/checkout");
  await fillAddress(page);
  await fillCard(page, "4111111111111111");
  let answered = (_: number) => {};
  const answer = new Promise<number>((resolve) => {
    answered = resolve;
  });
  await page.route("**/api/checkout/pay", async (route) => {
    answered((await route.fetch()).status());
  });
  await page.getByRole("button", { name: /^Pay \$/ }).click();
  expect(await answer).toBe(200);
  await open(page, "/account");
  await expect(page.locator(".account-orders > li")).toHaveCount(1);
  await page.locator("main").getByRole("button", { name: "Sign out", exact: true }).click();
  await page.waitForURL("/");
  await open(page, "/checkout");
  await expect(page.locator(".nothing")).toContainText("Your cart is empty.");
  expect(await page.evaluate(() => sessionStorage.getItem("shop.checkout"))).toBeNull();
});

test("what an account was paying for in a tab is not looked for by a guest", async ({ page }) => {
  await add(page, TOOL);
  await page.addInitScript(() => {
    const look = () => {
      if (document.body?.textContent?.includes("checking on your payment"))
        sessionStorage.setItem("was-shown", "yes");
    };
    new MutationObserver(look).observe(document, { childList: true, subtree: true });
  });
  // As if its tab had missed that the account has signed out.
  await page.evaluate(() => {
    const [id, click, variant] = [1, 2, 3].map(() => crypto.randomUUID());
    const bought = [{ id: variant, qty: 1 }];
    const until = Date.now() + 60_000;
    const entry = { id, click, bought, total: 1_000, by: "another", until };
    sessionStorage.setItem("shop.checkout", JSON.stringify(entry));
  });
  const asked: string[] = [];
  page.on("request", (request) => asked.push(new URL(request.url()).pathname));
  // The code that pays.
  const loaded = page.waitForResponse(/\/assets\/pay-.*\.js/);
  await open(page, "/checkout");
  await (await loaded).finished();
  await expect(page.getByLabel("Email")).toBeEditable();
  await expect(payButton(page)).toBeVisible();
  expect(await page.evaluate(() => Object.keys(sessionStorage))).not.toContain("shop.checkout");
  expect(await page.evaluate(() => sessionStorage.getItem("was-shown"))).toBeNull();
  expect(asked.filter((path) => /^\/api\/checkout\/[^/]{36}$/.test(path))).toEqual([]);
});

test("an address that is chosen after another one was to be saved saves nothing", async ({
  page,
  context,
}) => {
  await add(page, TOOL);
  await signUp(page);
  await saveAddress(context, "48 Gay Street");
  await open(page, "/checkout");
  await expect(page.getByRole("radio", { name: /Iris Vane/ })).toBeChecked();
  await page.getByRole("radio", { name: /Another address/ }).check();
  await page.getByLabel("Save this address to my account").check();
  await page.getByRole("radio", { name: /Iris Vane/ }).check();
  await page.getByRole("radio", { name: /Another address/ }).check();
  await expect(page.getByLabel("Save this address to my account")).not.toBeChecked();
});

test("the phone number of a saved address goes with it, unless another one was entered", async ({
  page,
  context,
}) => {
  await add(page, TOOL);
  await signUp(page);
  await saveAddress(context, "7 Low Street", true, "614 555 0143");
  await saveAddress(context, "9 High Street", false, "614 555 0144");
  await open(page, "/checkout");
  const phone = page.getByLabel("Phone");
  await expect(phone).toHaveValue("614 555 0143");
  await page.getByRole("radio", { name: /Another address/ }).check();
  await page.getByRole("radio", { name: /9 High Street/ }).check();
  await expect(phone).toHaveValue("614 555 0144");
  await phone.fill("614 555 0199");
  await page.getByRole("radio", { name: /7 Low Street/ }).check();
  await expect(page.getByRole("radio", { name: /7 Low Street/ })).toBeChecked();
  await expect(phone).toHaveValue("614 555 0199");
});

test("an account with as many addresses as it can have is not offered to save another one", async ({
  page,
  context,
}) => {
  await add(page, TOOL);
  await signUp(page);
  for (let number = 1; number < 20; number += 1) await saveAddress(context, `${number} Gay Street`);
  const box = page.getByLabel("Save this address to my account");
  for (const offered of [1, 0]) {
    await open(page, "/checkout");
    await page.getByRole("radio", { name: /Another address/ }).check();
    await expect(page.getByLabel("Street address")).toHaveValue("");
    await expect(box).toHaveCount(offered);
    if (offered) await saveAddress(context, "20 Gay Street");
  }
});

test("what was typed for one account is gone from its page when that becomes another one's", async ({
  page,
  context,
}) => {
  await signUp(page);
  // Then it follows the account.
  const followed = page.waitForResponse(/\/api\/cart(\/sync)?$/);
  await open(page, "/account");
  await followed;
  await page.getByRole("button", { name: "Add an address" }).click();
  const form = page.getByRole("form", { name: "New address" });
  await form.getByLabel("Street address").fill("48 Gay Street");
  const phone = page.getByLabel("Phone").first();
  await phone.fill("614 555 0142");
  const other = await context.newPage();
  // The shop's and the provider's.
  await context.clearCookies({ name: /session|identity/ });
  const email = await signUp(other);
  await expect(page.getByText(`You sign in with ${email}`)).toBeVisible();
  await expect(form).toHaveCount(0);
  await expect(phone).toHaveValue("");
  await expect(page).toHaveURL("/account");
});

test("an address that replaces the default one since is at the checkout", async ({
  page,
  context,
}) => {
  await add(page, TOOL);
  await signUp(page);
  await saveAddress(context, "48 Gay Street");
  await open(page, "/checkout");
  await expect(page.getByRole("radio", { name: /^Iris Vane 48 Gay Street/ })).toBeChecked();
  await open(page, "/account");
  await page.getByRole("button", { name: /^Remove address/ }).click();
  await expect(page.getByText("No addresses yet.")).toBeVisible();
  await saveAddress(context, "9 High Street");
  await open(page, "/checkout");
  await expect(page.getByRole("radio", { name: /^Iris Vane 9 High Street/ })).toBeChecked();
});

test("what is wrong with a saved address is told in its form", async ({ page, context }) => {
  await add(page, TOOL);
  await signUp(page);
  await saveAddress(context, "48 Gay Street");
  await saveAddress(context, "PO Box 12");
  await open(page, "/checkout");
  const box = page.getByRole("radio", { name: /PO Box 12/ });
  await expect(box).toBeChecked();
  await fillCard(page, "4111111111111111");
  const pay = page.getByRole("button", { name: /^Pay \$/ });
  await pay.click();
  const street = page.getByLabel("Street address");
  const reason = page.getByText("it can’t go to a PO box or a package locker.");
  await expect(street).toBeFocused();
  await expect(street).toHaveAttribute("aria-invalid", "true");
  await expect(street).toHaveValue("PO Box 12");
  await expect(reason).toBeVisible();
  await page.getByRole("radio", { name: /^Iris Vane 48 Gay Street/ }).check();
  await expect(street).toHaveCount(0);
  await box.click();
  await expect(reason).toBeVisible();
  await street.fill("12 High Street");
  await expect(reason).toHaveCount(0);
  await pay.click();
  await confirmed(page);
  await expect(page.getByText("12 High Street")).toBeVisible();
});

test("a double click on Remove is one removal", async ({ page, context }) => {
  await signUp(page);
  await saveAddress(context, "48 Gay Street");
  await open(page, "/account");
  const other = await context.newPage();
  await open(other, "/account");
  let sent = 0;
  let clickedTwice = () => {};
  const clicked = new Promise<void>((resolve) => {
    clickedTwice = resolve;
  });
  await page.route("**/api/me/addresses/*", async (route) => {
    sent += 1;
    await clicked;
    await route.continue();
  });
  await page.getByRole("button", { name: /^Remove address/ }).dblclick();
  clickedTwice();
  await expect(page.getByText("Address removed.")).toBeVisible();
  await expect(page.getByText("No addresses yet.")).toBeVisible();
  expect(sent).toBe(1);
  // Another tab still shows it.
  await other.getByRole("button", { name: /^Remove address/ }).click();
  await expect(other.getByText("This address isn’t in your account anymore.")).toBeVisible();
  await expect(other.getByText("No addresses yet.")).toBeVisible();
});

test("an order shows in the account, with its address kept, and can be ordered again", async ({
  page,
  context,
}) => {
  await add(page, TOOL);
  await add(page, CLEANERS);
  const email = await signUp(page);
  await expect.poll(() => accountCart(context)).toEqual(["CPC-50:1", "TWT-SIN:1"]);
  await page.goto("/checkout");
  await hydrated(page);
  await expect(page.getByLabel("Email")).toHaveValue(email);
  await fillAddress(page);
  await page.getByLabel("Save this address to my account").check();
  await fillCard(page, "4111111111111111");
  const saved = page.waitForRequest("**/api/me/addresses");
  await page.getByRole("button", { name: /^Pay \$/ }).click();
  await confirmed(page);
  // Another tab may have signed in to another account meanwhile.
  expect((await saved).postDataJSON()).toMatchObject({ user_id: expect.stringMatching(/./) });
  await expect.poll(() => accountCart(context)).toEqual([]);
  const number = await page.locator(".order-head .label").textContent();

  // As if one of the two was no longer sold.
  await page.route(
    "**/account",
    async (route) => {
      const response = await route.fetch();
      const text = await response.text();
      const body = text.replace(/"variant_id":"[^"]+"/, '"variant_id":null');
      await route.fulfill({ response, body });
    },
    { times: 1 },
  );
  await page.goto("/account");
  await hydrated(page);
  const orders = page.locator(".account-orders > li");
  await expect(orders).toHaveCount(1);
  await expect(orders.getByText("We’ve received your order.")).toBeVisible();
  await expect(page.locator(".account-cards")).toContainText("48 Gay Street");
  const { violations } = await new AxeBuilder({ page }).analyze();
  expect(violations.map(({ id }) => id)).toEqual([]);
  const scarce = "Only 1 of this left.";
  await page.route(
    "**/api/checkout/quote",
    async (route) => {
      const response = await route.fetch();
      const quote = await response.json();
      quote.changes.push({ id: quote.lines[0].id, kind: "not_enough_stock", message: scarce });
      await route.fulfill({ response, json: quote });
    },
    { times: 1 },
  );
  await orders.getByRole("button", { name: /^Order again/ }).click();
  const told = page.locator(".toast");
  await expect(told).toContainText(`${scarce} Some items are no longer available.`);
  await told.getByRole("link").click();
  await expect(page).toHaveURL("/cart");
  await expect(page.locator(".cart-line")).toHaveCount(1);
  expect(number).toContain("Order");

  // The saved address is selected automatically.
  await page.goto("/checkout");
  await expect(page.getByRole("radio", { name: /Iris Vane/ })).toBeChecked();
  await expect(page.getByRole("button", { name: /^Pay \$/ })).toBeEnabled();
});

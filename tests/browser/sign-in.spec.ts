import {
  backgroundRuns,
  documents,
  expect,
  hydrated,
  open,
  type Page,
  payloads,
  saveData,
  test,
} from "./shop";

const BIRTH_DATE = "1980-05-17";

/** The demo's identity provider uses the port after the shop's. */
function providerOf(baseURL: string | undefined): string {
  const url = new URL(baseURL ?? "");
  url.port = String(Number(url.port) + 1);
  return url.origin;
}

const signInLink = (page: Page) => page.getByRole("link", { name: "Sign in", exact: true });
const account = (page: Page) => page.locator(".account > summary");

/** Clicks the link to sign-in once the page itself handles it, and returns the popup. */
async function openPopup(page: Page): Promise<Page> {
  await backgroundRuns(page);
  const opened = page.waitForEvent("popup");
  await signInLink(page).click();
  return opened;
}

/** Chooses an account on the provider's page. */
async function choose(page: Page, name: string): Promise<void> {
  await page.getByRole("button", { name }).click();
}

test("a visitor signs in in a popup and the page stays", async ({ page, baseURL }) => {
  await open(page, "/products?q=humidor");
  await page.evaluate(() => document.body.setAttribute("data-same-document", ""));
  const popup = await openPopup(page);
  await popup.waitForURL(`${providerOf(baseURL)}/authorize**`);
  const size = await popup.evaluate(() => [innerWidth, innerHeight]);
  expect(size).toEqual([400, 600]);
  const closed = popup.waitForEvent("close");
  await choose(popup, "Sample Shopper");
  await closed;
  await expect(account(page)).toHaveText("SS");
  await expect(page.locator("body[data-same-document]")).toHaveCount(1);
  await expect(page).toHaveURL("/products?q=humidor");
  const kept = await page.evaluate(() =>
    JSON.stringify([localStorage, sessionStorage, document.cookie]),
  );
  const session = (await page.context().cookies()).find(({ name }) => name.endsWith("session"));
  expect(session).toMatchObject({ httpOnly: true, value: expect.stringMatching(/.{20}/) });
  expect(kept).not.toContain(session?.value);
  // The prefix of all tokens from the provider.
  expect(kept).not.toContain("eyJ");
});

test("signing in keeps the chosen variant and quantity", async ({ page }) => {
  await open(page, "/product/double-blade-cutter");
  await page.locator(".picker").getByRole("link", { name: "Brass" }).click();
  for (let more = 0; more < 2; more += 1)
    await page.getByRole("button", { name: "Increase quantity" }).click();
  const entries = await page.evaluate(() => history.length);
  const popup = await openPopup(page);
  const closed = popup.waitForEvent("close");
  await choose(popup, "Sample Shopper");
  await closed;
  await expect(account(page)).toHaveText("SS");
  await expect(page).toHaveURL("/product/double-blade-cutter?variant=DBC-BRA");
  await expect(page.locator(".picker a[aria-current]")).toContainText("Brass");
  await expect(page.getByRole("textbox", { name: "Quantity" })).toHaveValue("3");
  expect(await page.evaluate(() => history.length)).toBe(entries);
});

test("closing the popup leaves the page usable and says so", async ({ page }) => {
  const loaded = documents(page);
  await open(page, "/products");
  const popup = await openPopup(page);
  await popup.close();
  await expect(page.getByText("Sign-in was canceled.")).toBeVisible();
  await page.getByRole("link", { name: "Cart" }).click();
  await expect(page).toHaveURL("/cart");
  expect(loaded).toEqual(["/products"]);
});

test("canceling at the provider says so", async ({ page }) => {
  await open(page, "/");
  const popup = await openPopup(page);
  const closed = popup.waitForEvent("close");
  await popup.getByRole("button", { name: "Cancel" }).click();
  await closed;
  await expect(page.getByText("Sign-in was canceled.")).toBeVisible();
  await expect(signInLink(page)).toBeVisible();
});

test("a notice is shown before the page has loaded", async ({ page, context, baseURL }) => {
  await context.addCookies([{ name: "notice", value: "canceled", url: baseURL ?? "" }]);
  // Its first pictures never come.
  await page.route("**/images/**", () => {});
  await page.goto("/products", { waitUntil: "commit" });
  await expect(page.locator(".toast")).toContainText("Sign-in was canceled.");
  expect(await page.evaluate(() => document.readyState)).not.toBe("complete");
});

test("a blocked popup becomes a redirect that returns to the plain path", async ({ page }) => {
  await page.addInitScript(() => {
    window.open = () => null;
  });
  await open(page, "/category/pipes?sort=price");
  await backgroundRuns(page);
  await signInLink(page).click();
  await choose(page, "Sample Staff");
  await hydrated(page);
  await expect(page).toHaveURL("/category/pipes?sort=price");
  // The name has the text that is visible, by which it can be said.
  await expect(account(page)).toHaveAccessibleName("SS, account menu for Sample Staff");
});

test("two tabs that sign in at the same time both end well, and a second click takes the place of the first", async ({
  page,
  context,
}) => {
  const other = await context.newPage();
  const popups: Page[] = [];
  for (const tab of [page, other]) {
    await open(tab, "/products");
    const popup = await openPopup(tab);
    await popup.getByRole("button", { name: "Sample Shopper" }).waitFor();
    popups.push(popup);
  }
  const [first, second] = popups as [Page, Page];
  const before = first.url();
  await signInLink(page).click();
  await first.waitForURL((url) => url.pathname === "/authorize" && url.href !== before);
  for (const [tab, popup] of [
    [page, first],
    [other, second],
  ] as const) {
    const closed = popup.waitForEvent("close");
    await choose(popup, "Sample Shopper");
    await closed;
    await expect(account(tab)).toHaveText("SS");
    await expect(tab).toHaveURL("/products");
  }
  expect(context.pages()).toHaveLength(2);
  await expect(page.getByText("Sign-in was canceled.")).toHaveCount(0);
});

test("a popup whose sign-in is lost becomes a redirect", async ({ page, context }) => {
  await open(page, "/products");
  const popup = await openPopup(page);
  await popup.getByRole("button", { name: "Sample Shopper" }).waitFor();
  await context.clearCookies({ name: /^sign-in-/ });
  await choose(popup, "Sample Shopper");
  await hydrated(page);
  await expect(account(page)).toHaveText("SS");
  await expect(page).toHaveURL("/products");
  expect(context.pages()).toHaveLength(1);
});

test("a popup that says nothing for 60 s becomes a redirect", async ({ page, context }) => {
  await page.clock.install();
  await open(page, "/products");
  const popup = await openPopup(page);
  await popup.getByRole("button", { name: "Sample Shopper" }).waitFor();
  const closed = popup.waitForEvent("close");
  await page.clock.runFor(60_000);
  await closed;
  await choose(page, "Sample Shopper");
  await hydrated(page);
  await expect(account(page)).toHaveText("SS");
  await expect(page).toHaveURL("/products");
  expect(context.pages()).toHaveLength(1);
});

test("sign-in is a redirect on a mobile device, however wide its window is", async ({
  page,
  context,
}) => {
  await page.addInitScript(() =>
    Object.defineProperty(navigator, "userAgentData", { value: { mobile: true } }),
  );
  await open(page, "/products");
  await backgroundRuns(page);
  expect(await page.evaluate(() => innerWidth)).toBeGreaterThanOrEqual(768);
  await signInLink(page).click();
  await choose(page, "Sample Shopper");
  await hydrated(page);
  await expect(account(page)).toHaveText("SS");
  await expect(page).toHaveURL("/products");
  expect(context.pages()).toHaveLength(1);
});

test("messages of others sign nobody in", async ({ page, baseURL }) => {
  await saveData(page);
  await page.addInitScript(() => {
    const real = window.open.bind(window);
    window.open = (url, target, features) => {
      (window as unknown as { popupUrl: string }).popupUrl = String(url);
      return real(url, target, features);
    };
  });
  await open(page, "/");
  const popup = await openPopup(page);
  await popup.waitForURL(`${providerOf(baseURL)}/authorize**`);
  const id = await page.evaluate(() =>
    new URL((window as unknown as { popupUrl: string }).popupUrl, location.href).searchParams.get(
      "popup",
    ),
  );
  const asked: string[] = [];
  page.on("request", (request) => asked.push(request.url()));
  // The right id from another origin: the provider's page runs in the popup, so it can access the opener.
  await popup.evaluate(
    ([target, one]) => opener.postMessage({ type: "auth", id: one, ok: true }, target),
    [baseURL ?? "", id] as const,
  );
  // Another id from the right origin, over both channels.
  await page.evaluate(() => {
    const forged = { type: "auth", id: "another-id", ok: true };
    window.postMessage(forged, location.origin);
    new BroadcastChannel("shop.auth").postMessage(forged);
  });
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve)));
  expect(popup.isClosed()).toBe(false);
  await expect(signInLink(page)).toBeVisible();
  expect(asked.filter((url) => /_payload\.json|\/api\/me$/.test(url))).toEqual([]);
  const closed = popup.waitForEvent("close");
  await choose(popup, "Sample Shopper");
  await closed;
  await expect(account(page)).toHaveText("SS");
});

test("a popup that is cut off from its opener still signs in", async ({ page, context }) => {
  // A page with its own opener policy severs the popup from its opener permanently.
  await context.route("**/auth/login?*", async (route) => {
    const response = await route.fetch({ maxRedirects: 0 });
    const { location } = response.headers();
    await route.fulfill({
      status: 200,
      headers: { "content-type": "text/html", "cross-origin-opener-policy": "same-origin" },
      body: `<meta http-equiv="refresh" content="0;url=${location?.replaceAll("&", "&amp;")}">`,
    });
  });
  await open(page, "/");
  await backgroundRuns(page);
  const opened = context.waitForEvent("page");
  await signInLink(page).click();
  const popup = await opened;
  await popup.getByRole("button", { name: "Sample Shopper" }).waitFor();
  expect(await popup.evaluate(() => window.opener)).toBeNull();
  await choose(popup, "Sample Shopper");
  await expect(account(page)).toHaveText("SS");
});

test.describe("on a phone", () => {
  test.use({ viewport: { width: 390, height: 844 } });

  test("sign-in is a redirect under 768 px", async ({ page, context }) => {
    await open(page, "/product/double-blade-cutter");
    await signInLink(page).click();
    await choose(page, "Sample Shopper");
    await hydrated(page);
    await expect(page).toHaveURL("/product/double-blade-cutter");
    await expect(account(page)).toHaveText("SS");
    expect(context.pages()).toHaveLength(1);
  });

  test("sign-in by redirect returns to the chosen variant", async ({ page }) => {
    await open(page, "/product/double-blade-cutter");
    await page.locator(".picker").getByRole("link", { name: "Brass" }).click();
    await signInLink(page).click();
    await choose(page, "Sample Shopper");
    await hydrated(page);
    await expect(page).toHaveURL("/product/double-blade-cutter?variant=DBC-BRA");
    await expect(page.locator(".picker a[aria-current]")).toContainText("Brass");
  });
});

test("the header knows the visitor on kept pages, and forgets after signing out", async ({
  page,
}) => {
  // Responses for signed-out visitors are cached.
  for (const path of ["/", "/product/double-blade-cutter"]) await open(page, path);
  await page.goto("/auth/login?return_to=/");
  await choose(page, "Sample Admin");
  for (const path of ["/", "/product/double-blade-cutter"]) {
    await open(page, path);
    await expect(account(page)).toHaveText("SA");
  }
  await page.getByRole("link", { name: "Cart" }).click();
  await expect(page).toHaveURL("/cart");
  await expect(account(page)).toHaveText("SA");
  await account(page).click();
  await page.getByRole("button", { name: "Sign out" }).click();
  await expect(page.locator(".toast")).toContainText("You’re signed out.");
  await expect(signInLink(page)).toBeVisible();
  for (const path of ["/", "/product/double-blade-cutter"]) {
    await open(page, path);
    await expect(signInLink(page)).toBeVisible();
  }
});

test("after a sign-out the account's page in another tab asks for no sign-in", async ({
  page,
  context,
}) => {
  await page.goto("/auth/login?return_to=/");
  await choose(page, "Sample Shopper");
  await hydrated(page);
  const other = await context.newPage();
  const asked: string[] = [];
  other.on("request", (request) => {
    if (request.url().includes("/auth/login")) asked.push(request.url());
  });
  // Then it follows the account.
  const followed = other.waitForResponse(/\/api\/cart(\/sync)?$/);
  await open(other, "/account");
  await followed;
  await account(page).click();
  await page.getByRole("button", { name: "Sign out" }).click();
  await expect(page.locator(".toast")).toContainText("You’re signed out.");
  await expect(other).toHaveURL("/");
  await expect(signInLink(other)).toBeVisible();
  expect(asked).toEqual([]);
});

test("signing up verifies the age once and forgets the birth date", async ({ page }) => {
  await open(page, "/");
  await backgroundRuns(page);
  await page.getByRole("link", { name: "Create an account" }).click();
  const dialog = page.getByRole("dialog", { name: "Create an account" });
  await dialog.getByRole("button", { name: "Continue" }).click();
  await expect(dialog.getByText("Please enter your date of birth.")).toBeVisible();
  await expect(dialog.getByLabel("Date of birth")).toBeFocused();
  await dialog.getByLabel("Date of birth").fill(BIRTH_DATE);
  await dialog.getByLabel("State you order to").selectOption("OH");
  const opened = page.waitForEvent("popup");
  const verified = page.waitForResponse("**/api/verify-age");
  await dialog.getByRole("button", { name: "Continue" }).click();
  const popup = await opened;
  const email = `nova-${Date.now()}@shop.example`;
  await popup.getByLabel("Name").fill("Nova Quill");
  await popup.getByLabel("Email").fill(email);
  expect(await signupEntries(page)).toHaveLength(2);
  await popup.getByRole("button", { name: "Create account" }).click();
  expect((await verified).status()).toBe(200);
  await expect(page).toHaveURL("/account");
  await expect(account(page)).toHaveText("NQ");
  expect(await signupEntries(page)).toEqual([]);
  const me = await (await page.request.get("/api/me")).json();
  expect(me.age.preferred_state).toBe("OH");
});

test("a sign-up that is given up leaves nothing behind", async ({ page }) => {
  await open(page, "/");
  await backgroundRuns(page);
  await page.getByRole("link", { name: "Create an account" }).click();
  const dialog = page.getByRole("dialog", { name: "Create an account" });
  await dialog.getByLabel("Date of birth").fill(BIRTH_DATE);
  await dialog.getByLabel("State you order to").selectOption("OH");
  const opened = page.waitForEvent("popup");
  await dialog.getByRole("button", { name: "Continue" }).click();
  const popup = await opened;
  await popup.getByRole("button", { name: "Cancel" }).waitFor();
  expect(await signupEntries(page)).toHaveLength(2);
  await popup.getByRole("button", { name: "Cancel" }).click();
  await expect(page.getByText("Sign-in was canceled.")).toBeVisible();
  expect(await signupEntries(page)).toEqual([]);
  // A visitor abandoned the provider's page ten minutes ago.
  await page.evaluate((birth_date) => {
    const pending = { birth_date, preferred_state: "OH" };
    localStorage.setItem("shop.signup", JSON.stringify(pending));
    localStorage.setItem("shop.signup_flow", String(Date.now() - 600_000));
  }, BIRTH_DATE);
  await page.reload();
  await expect.poll(() => signupEntries(page)).toEqual([]);
});

test("a sign-up whose age is refused leaves nothing behind either", async ({ page }) => {
  await open(page, "/");
  await page.evaluate(() => {
    localStorage.setItem(
      "shop.signup",
      JSON.stringify({ birth_date: "2020-01-01", preferred_state: "OH" }),
    );
    localStorage.setItem("shop.signup_flow", String(Date.now()));
  });
  const verified = page.waitForResponse("**/api/verify-age");
  await page.goto("/auth/login?return_to=/");
  await choose(page, "Sample Shopper");
  expect((await verified).status()).toBe(422);
  await expect.poll(() => signupEntries(page)).toEqual([]);
  await expect(account(page)).toHaveText("SS");
});

function signupEntries(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    Object.keys(localStorage).filter((key) => key.startsWith("shop.signup")),
  );
}

test("who deletes their account is back on the home page, signed out", async ({ page }) => {
  const email = `ada-${Date.now()}@shop.example`;
  await page.goto("/account");
  await page.getByText("Create an account").click();
  await page.getByLabel("Name").fill("Ada Holm");
  await page.getByLabel("Email").fill(email);
  await page.getByRole("button", { name: "Create account" }).click();
  await hydrated(page);
  await page.getByRole("button", { name: "Delete my account" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Email").fill(email);
  // The account is deleted, and the answer is lost but for its cookies. A browser that still has
  // its session's cookie is in tests/it/forms/account.rs.
  await page.route("**/api/me", async (route) => {
    expect((await route.fetch()).ok()).toBe(true);
    await route.abort();
  });
  const asked = page.waitForRequest("**/api/me");
  await dialog.getByRole("button", { name: "Delete account" }).click();
  // For the account that the page shows: another tab may have signed in to another one since.
  const shown = await dialog.locator("[name=user_id]").inputValue();
  expect((await asked).postDataJSON()).toEqual({ confirm: email, user_id: shown });
  await expect(dialog.getByRole("alert")).toHaveText(
    "We couldn’t reach the shop. Please try again.",
  );
  await page.unroute("**/api/me");
  const fetched = payloads(page);
  const entries = await page.evaluate(() => history.length);
  await dialog.getByRole("button", { name: "Delete account" }).click();
  await page.waitForURL("/");
  await expect(page.locator(".toast")).toContainText("Your account has been deleted.");
  // The account page is not where Back leads: that would make a new account.
  expect(await page.evaluate(() => history.length)).toBe(entries);
  await hydrated(page);
  await expect(signInLink(page)).toBeVisible();
  expect(fetched.filter((path) => path.startsWith("/account"))).toEqual([]);
  // The provider's session is over, too.
  await page.goto("/auth/login?return_to=/account");
  await expect(page.getByText("Create an account")).toBeVisible();
});

test("the account page keeps profile, addresses and preferences", async ({ page, baseURL }) => {
  const viewed = page.waitForRequest(
    (request) =>
      request.url().endsWith("/api/me/activity") &&
      /"page":"\/account"[^}]*"type":"profile_view"/.test(request.postData() ?? ""),
  );
  await page.goto("/account");
  await page.getByText("Create an account").click();
  await page.getByLabel("Name").fill("Iris Vane");
  await page.getByLabel("Email").fill(`iris-${Date.now()}@shop.example`);
  await page.getByRole("button", { name: "Create account" }).click();
  await hydrated(page);
  await expect(page).toHaveURL("/account");
  await page.getByLabel("Phone").first().fill("12");
  await page.getByRole("button", { name: "Save profile" }).click();
  await expect(page.getByText("Enter a phone number with area code")).toBeVisible();
  await page.getByLabel("Phone").first().fill("614 555 0142");
  await page.getByRole("button", { name: "Save profile" }).click();
  await expect(page.getByText("Profile saved.")).toBeVisible();
  await page.getByRole("button", { name: "Add an address" }).click();
  const form = page.getByRole("form", { name: "New address" });
  await form.getByLabel("First name").fill("Iris");
  await form.getByLabel("Last name").fill("Vane");
  await form.getByLabel("Street address").fill("48 Gay Street");
  await form.getByLabel("City").fill("Columbus");
  await form.getByLabel("State").selectOption("OH");
  await form.getByLabel("ZIP code").fill("90210");
  await form.getByRole("button", { name: "Save address" }).click();
  await expect(form.getByText("That ZIP code isn’t in Ohio.")).toBeVisible();
  await expect(form.getByLabel("ZIP code")).toBeFocused();
  await form.getByLabel("ZIP code").fill("43215");
  await form.getByRole("button", { name: "Save address" }).click();
  await expect(page.getByText("Columbus, OH 43215", { exact: true })).toBeVisible();
  await page.getByRole("button", { name: "Remove address 48 Gay Street, Columbus" }).click();
  await expect(page.getByText("No addresses yet.")).toBeVisible();
  await expect(page.getByText("This device")).toBeVisible();
  await viewed;
  await page.getByRole("link", { name: "your sign-in account" }).click();
  await expect(page).toHaveURL(`${providerOf(baseURL)}/account`);
  await expect(page.getByText("Iris Vane")).toBeVisible();
});

test("a form of the account whose session has ended leads to sign-in, and keeps what was typed", async ({
  page,
  context,
}) => {
  await page.goto("/account");
  await page.getByText("Create an account").click();
  await page.getByLabel("Name").fill("Iris Vane");
  await page.getByLabel("Email").fill(`ended-${Date.now()}@shop.example`);
  await page.getByRole("button", { name: "Create account" }).click();
  await hydrated(page);
  await backgroundRuns(page);
  const phone = page.getByLabel("Phone").first();
  await phone.fill("614 555 0142");
  await context.clearCookies({ name: /session/ });
  await page.getByRole("button", { name: "Save profile" }).click();
  const told = page.locator(".toast", { hasText: "You’ve been signed out" });
  await expect(told).toContainText("nothing was changed");
  // The provider still knows the account, and asks nothing.
  const refreshed = page.waitForResponse("**/account/_payload.json*");
  await told.getByRole("link", { name: "Sign in" }).click();
  expect((await refreshed).ok()).toBe(true);
  await expect(told).toHaveCount(0);
  await expect(phone).toHaveValue("614 555 0142");
  await page.getByRole("button", { name: "Save profile" }).click();
  await expect(page.getByText("Profile saved.")).toBeVisible();
});

test("two tabs of the profile keep each other's changes", async ({ page, context }) => {
  await page.goto("/account");
  await page.getByText("Create an account").click();
  await page.getByLabel("Name").fill("Iris Vane");
  await page.getByLabel("Email").fill(`tabs-${Date.now()}@shop.example`);
  await page.getByRole("button", { name: "Create account" }).click();
  await hydrated(page);
  const other = await context.newPage();
  await other.goto("/account");
  await hydrated(other);
  await page.getByLabel("Phone").first().fill("614 555 0142");
  await page.getByRole("button", { name: "Save profile" }).click();
  await expect(page.getByText("Profile saved.")).toBeVisible();
  await other.getByLabel("Name", { exact: true }).first().fill("Iris Reed");
  await other.getByRole("button", { name: "Save profile" }).click();
  await expect(other.getByText("Profile saved.")).toBeVisible();
  await page.reload();
  await expect(page.getByLabel("Name", { exact: true }).first()).toHaveValue("Iris Reed");
  await expect(page.getByLabel("Phone").first()).toHaveValue("614 555 0142");
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("signing in and out are links and forms", async ({ page }) => {
    await page.goto("/category/pipes");
    await signInLink(page).click();
    await choose(page, "Sample Shopper");
    await expect(page).toHaveURL("/category/pipes");
    await account(page).click();
    await page.getByRole("button", { name: "Sign out" }).click();
    await expect(signInLink(page)).toBeVisible();
    await expect(page.getByText("You’re signed out.")).toBeVisible();
  });

  test("an account is kept by forms alone, and deleted", async ({ page }) => {
    const email = `vera-${Date.now()}@shop.example`;
    await page.goto("/account");
    await page.getByText("Create an account").click();
    await page.getByLabel("Name").fill("Vera Holm");
    await page.getByLabel("Email").fill(email);
    await page.getByRole("button", { name: "Create account" }).click();
    const main = page.getByRole("main");
    await main.getByLabel("Phone").fill("12");
    await main.getByRole("button", { name: "Save profile" }).click();
    await expect(main.getByLabel("Phone")).toHaveAccessibleDescription(/with area code/);
    await expect(main.getByLabel("Phone")).toHaveValue("12");
    await expect(main.getByLabel("Phone")).toBeFocused();
    await main.getByLabel("Phone").fill("614 555 0142");
    await main.getByRole("button", { name: "Save profile" }).click();
    await expect(page).toHaveURL("/account#profile");
    await expect(main.getByText("Your account has been updated.")).toBeVisible();
    await main.getByRole("button", { name: "Add an address" }).click();
    const form = page.getByRole("form", { name: "New address" });
    await expect(form.getByLabel("First name")).toBeFocused();
    for (const [label, text] of [
      ["First name", "Vera"],
      ["Last name", "Holm"],
      ["Street address", "2 High Street"],
      ["City", "Columbus"],
      ["ZIP code", "43215"],
    ] as const)
      await form.getByLabel(label).fill(text);
    await form.getByLabel("State").selectOption("OH");
    await form.getByLabel("ZIP code").press("Enter");
    await expect(page).toHaveURL("/account#addresses");
    await page.setViewportSize({ width: 390, height: 600 });
    await main.getByRole("button", { name: "Remove address 2 High Street, Columbus" }).click();
    await expect(main.getByText("No addresses yet.")).toBeVisible();
    // Both the section that was changed and the notice are in view, and neither covers the other.
    const heading = main.getByRole("heading", { name: "Addresses" });
    await expect(heading).toBeInViewport({ ratio: 1 });
    const notice = main.getByText("Your account has been updated.");
    await expect(notice).toBeInViewport({ ratio: 1 });
    const [above, below] = [await notice.boundingBox(), await heading.boundingBox()];
    expect((above?.y ?? 0) + (above?.height ?? 0)).toBeLessThanOrEqual(below?.y ?? 0);
    await main.getByRole("button", { name: "Delete my account" }).click();
    const dialog = page.getByRole("dialog", { name: "Delete your account?" });
    await dialog.getByLabel("Email").fill("somebody@shop.example");
    await dialog.getByRole("button", { name: "Delete account" }).click();
    await expect(dialog.getByRole("alert")).toBeVisible();
    await dialog.getByRole("link", { name: "Keep account" }).click();
    await expect(dialog).toBeHidden();
    await main.getByRole("button", { name: "Delete my account" }).click();
    await expect(dialog.getByRole("alert")).toHaveCount(0);
    await expect(dialog.getByLabel("Email")).toHaveValue("");
    await dialog.getByLabel("Email").fill(email);
    await dialog.getByRole("button", { name: "Delete account" }).click();
    await expect(page).toHaveURL("/");
    await expect(signInLink(page)).toBeVisible();
  });
});

// Clicks, submits and typing before the scripts run.
import type { CDPSession } from "@playwright/test";
import { addAndSync, saveAddress } from "./checkout-form";
import { documents, expect, hydrated, open, type Page, test } from "./shop";
import { newcomer, signIn } from "./staff";

/** Emulates a slow phone on a slow connection. */
async function slowPhone(page: Page): Promise<CDPSession> {
  const phone = await page.context().newCDPSession(page);
  await phone.send("Emulation.setCPUThrottlingRate", { rate: 6 });
  await phone.send("Network.enable");
  await phone.send("Network.emulateNetworkConditions", {
    offline: false,
    latency: 150,
    downloadThroughput: 200_000,
    uploadThroughput: 90_000,
  });
  return phone;
}

/** Loads a page on a slow phone and connection, and holds back its code until the returned function is called. */
async function openSlowly(page: Page, path: string): Promise<() => Promise<void>> {
  const phone = await slowPhone(page);
  let letThrough = () => {};
  const wait = new Promise<void>((resolve) => {
    letThrough = resolve;
  });
  await page.route("**/assets/client-*.js", async (route) => {
    await wait;
    await route.continue();
  });
  await page.goto(path, { waitUntil: "commit" });
  // The first script is running and has requested the others.
  await page.locator("link[rel=modulepreload]").first().waitFor({ state: "attached" });
  return async () => {
    letThrough();
    // All pictures may be rendered for the first time.
    await page.waitForLoadState("load");
    await hydrated(page);
    await phone.send("Emulation.setCPUThrottlingRate", { rate: 1 });
    await phone.detach();
  };
}

test("what is typed, clicked and sent before the scripts run is done once after it", async ({
  context,
}) => {
  const page = await newcomer(context, "Early Bird");
  const saves: unknown[] = [];
  page.on("request", (request) => {
    if (request.method() === "PATCH") saves.push(request.postDataJSON());
  });
  const letThrough = await openSlowly(page, "/account");
  await page.getByLabel("Phone").fill("614 555 0142");
  await page.getByRole("button", { name: "Save profile" }).dblclick();
  await page.getByRole("button", { name: "Add an address" }).click();
  expect(saves).toEqual([]);
  await expect(page.getByRole("form", { name: "New address" })).toHaveCount(0);
  await letThrough();
  await expect(page.getByText("Profile saved.")).toBeVisible();
  await expect(page.getByRole("form", { name: "New address" })).toBeVisible();
  expect(saves).toEqual([{ name: null, phone: "614 555 0142", user_id: expect.any(String) }]);
  expect(page.url()).toMatch(/\/account$/);
});

for (const way of ["Apply", "Enter"])
  test(`a promo code that is sent early with ${way} places no order`, async ({ page }) => {
    await addAndSync(page, "/product/three-way-pipe-tool?variant=TWT-SIN");
    const paid: string[] = [];
    page.on("request", (request) => {
      if (request.url().endsWith("/api/checkout/pay")) paid.push(request.url());
    });
    const letThrough = await openSlowly(page, "/checkout");
    await page.getByText("Add a promo code").click();
    await page.getByLabel("Promo code").fill("welcome10");
    if (way === "Enter") await page.keyboard.press("Enter");
    else await page.getByRole("button", { name: "Apply" }).click();
    await letThrough();
    await expect(page.locator(".promo")).toContainText("WELCOME10");
    await expect(page.locator("[aria-invalid=true]")).toHaveCount(0);
    expect(paid).toEqual([]);
  });

test("a wrong promo code that was entered early is corrected in its field", async ({ page }) => {
  await addAndSync(page, "/product/three-way-pipe-tool?variant=TWT-SIN");
  const letThrough = await openSlowly(page, "/cart");
  await page.getByText("Add a promo code").click();
  const code = page.getByLabel("Promo code");
  await code.fill("nosuch");
  await page.getByRole("button", { name: "Apply" }).click();
  await letThrough();
  await expect(page.locator(".promo-entry .field-error")).toBeVisible();
  await expect(code).toBeFocused();
  await page.keyboard.press("Backspace");
  await expect(page.locator(".promo-entry .field-error")).toHaveCount(0);
  await expect(code).toBeVisible();
  await expect(code).toBeFocused();
});

test("photos that were swiped early stay where they are", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const letThrough = await openSlowly(page, "/product/double-blade-cutter");
  const strip = page.locator(".gallery-strip");
  const swiped = await strip.evaluate((element) => {
    element.scrollTo({ left: 2 * element.clientWidth, behavior: "instant" });
    return element.scrollLeft;
  });
  expect(swiped).toBeGreaterThan(0);
  await letThrough();
  await page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
  );
  expect(await strip.evaluate((element) => element.scrollLeft)).toBe(swiped);
});

test("who goes on after an early Add to cart has it in the cart", async ({ page }) => {
  const letThrough = await openSlowly(page, "/product/three-way-pipe-tool?variant=TWT-SIN");
  await page.getByRole("button", { name: /^Add to cart/ }).click();
  await page.locator(".cart-link").click();
  await letThrough();
  await expect(page).toHaveURL(/\/cart$/);
  await expect(page.getByRole("textbox", { name: "Quantity" })).toHaveValue("1");
  await expect(page.locator(".cart-count")).toHaveText("1 item");
});

test("who goes on after an early save leaves once it is answered", async ({ context }) => {
  const page = await newcomer(context, "Early Leaver");
  const letThrough = await openSlowly(page, "/account");
  const order: string[] = [];
  page.on("request", (request) => {
    if (request.isNavigationRequest()) order.push("left");
  });
  page.on("response", (response) => {
    if (response.request().method() === "PATCH") order.push("saved");
  });
  await page.getByLabel("Phone").fill("614 555 0143");
  await page.getByRole("button", { name: "Save profile" }).click();
  await page.locator(".cart-link").click();
  await letThrough();
  await expect(page).toHaveURL(/\/cart$/);
  expect(order).toEqual(["saved", "left"]);
  await open(page, "/account");
  await expect(page.getByLabel("Phone")).toHaveValue("614 555 0143");
});

/** Loads a page whose code does not arrive: it fails when the returned function is called. */
async function openWithoutCode(page: Page, path: string): Promise<() => void> {
  let fail = () => {};
  const pressed = new Promise<void>((resolve) => {
    fail = resolve;
  });
  await page.route(
    "**/assets/client-*.js",
    async (route) => {
      await pressed;
      await route.abort();
    },
    // Its preload and its import, or one of both.
    { times: 2 },
  );
  await page.goto(path, { waitUntil: "commit" });
  await page.locator("link[rel=modulepreload]").first().waitFor({ state: "attached" });
  return fail;
}

test("an early Add to cart counts also if the code does not load", async ({ page }) => {
  const fail = await openWithoutCode(page, "/product/three-way-pipe-tool?variant=TWT-SIN");
  await page.getByRole("button", { name: /^Add to cart/ }).click();
  fail();
  await expect(page).toHaveURL(/\/cart$/);
  await expect(page.getByRole("textbox", { name: "Quantity" })).toHaveValue("1");
});

test("a link that is pressed early is followed also if the code does not load", async ({
  page,
}) => {
  const fail = await openWithoutCode(page, "/product/three-way-pipe-tool?variant=TWT-SIN");
  await page.getByRole("button", { name: "Increase quantity" }).click();
  await page.locator(".cart-link").click();
  fail();
  await expect(page).toHaveURL(/\/cart$/);
});

test("in the admin area, too, a link that is pressed early is followed if the code does not load", async ({
  page,
}) => {
  await signIn(page, "Sample Admin", "/admin/products/groups");
  const fail = await openWithoutCode(page, "/admin/products/groups");
  await page.getByRole("button", { name: "New category" }).click();
  await page.getByRole("link", { name: "Orders", exact: true }).first().click();
  fail();
  await expect(page).toHaveURL(/\/admin\/orders$/);
});

test("what is typed early stays if the code does not load", async ({ page }) => {
  await addAndSync(page, "/product/three-way-pipe-tool?variant=TWT-SIN");
  const fail = await openWithoutCode(page, "/checkout");
  const email = page.getByLabel("Email");
  await email.fill("early@shop.example");
  const loads = documents(page);
  const failed = page.waitForEvent("console", (message) =>
    message.text().startsWith("Error while mounting app:"),
  );
  fail();
  await failed;
  await page.waitForLoadState("networkidle");
  expect(loads).toEqual([]);
  await expect(email).toHaveValue("early@shop.example");
});

test("in the admin area, too, what is typed early stays if the code does not load", async ({
  page,
}) => {
  await signIn(page, "Sample Admin", "/admin/settings/company");
  const fail = await openWithoutCode(page, "/admin/settings/company");
  const phone = page.getByLabel("Phone");
  await phone.fill("614 555 0198");
  fail();
  await expect(page.locator("[data-unloaded]")).toHaveCount(1);
  await expect(phone).toHaveValue("614 555 0198");
});

test("an SKU that is scanned early adds its variant and sends no order", async ({ page }) => {
  await signIn(page, "Sample Admin", "/admin/orders/new");
  const letThrough = await openSlowly(page, "/admin/orders/new");
  await page.getByRole("combobox", { name: "Add items" }).focus();
  await page.keyboard.type("TWT-SIN");
  await page.keyboard.press("Enter");
  await letThrough();
  await expect(page.locator(".new-goods > li")).toContainText("TWT-SIN");
  await expect(page.locator("[aria-invalid=true]")).toHaveCount(0);
});

test("a quantity that is typed and left early counts", async ({ page }) => {
  await addAndSync(page, "/product/double-blade-cutter");
  const letThrough = await openSlowly(page, "/cart");
  const quantity = page.getByRole("textbox", { name: "Quantity" });
  await quantity.fill("3");
  await quantity.blur();
  await letThrough();
  await expect(page.locator(".cart-total dd")).toHaveText("$144.00");
});

test("of radio buttons that are chosen early the last one stays", async ({ context }) => {
  const page = await newcomer(context, "Early Chooser");
  for (const street of ["1 Elm Street", "2 Elm Street", "3 Elm Street"])
    await saveAddress(context, street, false);
  await addAndSync(page, "/product/three-way-pipe-tool?variant=TWT-SIN");
  const letThrough = await openSlowly(page, "/checkout");
  const choices = page.getByRole("radio", { name: /Elm Street/ });
  await choices.first().focus();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  await expect(choices.nth(2)).toBeChecked();
  await letThrough();
  // A change to another field renders the form anew.
  await page.getByLabel("Email").fill("early@shop.example");
  await expect(choices.nth(2)).toBeChecked();
});

// The number of moments at which the button is pressed: a few by default, 200 with `PROOFS=full`.
const MOMENTS = process.env.PROOFS === "full" ? 200 : 4;

test("whenever somebody presses Add to cart after the first paint, it counts once", async ({
  browser,
  baseURL,
  ageCookies,
}) => {
  test.setTimeout(60_000 + MOMENTS * 20_000);
  for (let moment = 0; moment < MOMENTS; moment += 1) {
    const context = await browser.newContext({
      baseURL: baseURL ?? "",
      viewport: { width: 390, height: 844 },
      hasTouch: true,
      isMobile: true,
    });
    await context.addCookies(ageCookies);
    const page = await context.newPage();
    const phone = await slowPhone(page);
    await page.goto("/product/double-blade-cutter", { waitUntil: "commit" });
    await page.waitForFunction(
      () => performance.getEntriesByName("first-contentful-paint").length > 0,
    );
    // Before the first paint its position would be that of the unstyled page.
    const place = await page.getByRole("button", { name: /^Add to cart/ }).boundingBox();
    if (!place) throw new Error("nothing to press");
    // A tap at any time from the first paint until after hydration, without waiting for anything.
    const delay = Math.round(Math.random() * 3_500);
    await page.evaluate((ms) => new Promise((resolve) => setTimeout(resolve, ms)), delay);
    await page.touchscreen.tap(place.x + place.width / 2, place.y + place.height / 2);
    const label = `pressed ${delay} ms after the first paint`;
    await expect(page.locator(".cart-count"), label).toHaveText("1 item", { timeout: 20_000 });
    await phone.send("Emulation.setCPUThrottlingRate", { rate: 1 });
    await phone.detach();
    await open(page, "/cart");
    await expect(page.getByRole("textbox", { name: "Quantity" }), label).toHaveValue("1");
    await expect(page.locator(".cart-total dd"), label).toHaveText("$48.00");
    await context.close();
  }
});

test("a press between React's taking over and its effects counts once", async ({ page }) => {
  // Delay the effects that React runs after hydration.
  await page.addInitScript(() => {
    const { postMessage } = MessagePort.prototype;
    MessagePort.prototype.postMessage = function (this: MessagePort, ...given: [unknown]) {
      const root = Object.entries(document.getElementById("root") ?? {});
      const [, fiber] = root.find(([key]) => key.startsWith("__reactContainer")) ?? [];
      const has = Boolean(fiber?.stateNode.current.child);
      if (has) document.documentElement.dataset.taken = "";
      setTimeout(() => postMessage.apply(this, given), has ? 3_000 : 0);
    };
  });
  await page.goto("/product/double-blade-cutter");
  await page.waitForSelector("[data-taken]");
  await page.getByRole("button", { name: /^Add to cart/ }).click();
  await hydrated(page);
  await expect(page.locator(".cart-count")).toHaveText("1 item");
});

test("fields whose text the app holds keep what was typed early", async ({ page }) => {
  await signIn(page, "Sample Admin", "/admin/settings/shipping");
  const letThrough = await openSlowly(page, "/admin/settings/shipping");
  const name = page.getByLabel("Name", { exact: true }).first();
  await name.fill("By bicycle");
  await letThrough();
  // A change to another field re-renders the form from the app's state.
  await page.getByLabel("Estimate").first().fill("Soon");
  await expect(name).toHaveValue("By bicycle");
  await expect(page.getByRole("region", { name: "By bicycle", exact: true })).toBeVisible();
});

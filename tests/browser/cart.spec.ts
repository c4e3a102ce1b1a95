import type { Locator } from "@playwright/test";
import { expect, guestCartIsSent, hydrated, open, type Page, test } from "./shop";

const KEY = "shop.cart";
const PRODUCT = "/product/double-blade-cutter";
const WEEK_MS = 7 * 24 * 60 * 60 * 1000;

test("a product goes into the cart under the fixed key and is counted in the header", async ({
  page,
}) => {
  await open(page, PRODUCT);
  await page.getByRole("button", { name: "Increase quantity" }).click();
  await page.getByRole("button", { name: "Add to cart · $96.00" }).click();
  await expect(page.locator(".cart-count")).toHaveText("2 items");
  const stored = await storedCart(page);
  expect(stored.items).toMatchObject([{ sku: "DBC-SIL", price: 4800, qty: 2 }]);
  expect(Math.abs(stored.timestamp - Date.now())).toBeLessThan(60_000);
  await page.locator(".cart-link").click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Your cart");
  await expect(page.locator(".cart-line")).toHaveCount(1);
  await expect(page.locator(".cart-total dd")).toHaveText("$96.00");
});

test("the same variant is one line, and another variant is another", async ({ page }) => {
  await add(page, PRODUCT);
  await page.getByRole("button", { name: /^Add to cart/ }).click();
  await expect(page.locator(".cart-count")).toHaveText("2 items");
  await add(page, `${PRODUCT}?variant=DBC-BRA`);
  await open(page, "/cart");
  await expect(page.locator(".cart-line")).toHaveCount(2);
  await expect(page.locator(".cart-total dd")).toHaveText("$148.00");
});

test("the quantity is changed by steps and by typing, up to what may be ordered", {
  tag: "@phone",
}, async ({ page }) => {
  await add(page, `${PRODUCT}?variant=DBC-BRA`);
  await open(page, "/cart");
  await page.getByRole("button", { name: "Increase quantity" }).click();
  await expect(page.locator(".cart-line-total")).toHaveText("$104.00");
  await type(page, "99");
  await expect(page.getByRole("textbox", { name: "Quantity" })).toHaveValue("4");
  await expect(page.locator(".cart-total dd")).toHaveText("$208.00");
  await expect(page.getByRole("button", { name: "Increase quantity" })).toBeDisabled();
  await page.getByRole("button", { name: "Decrease quantity" }).click();
  await expect(page.locator(".cart-count")).toHaveText("3 items");
});

test("more may be ordered as soon as more is in stock", async ({ page }) => {
  await add(page, `${PRODUCT}?variant=DBC-BRA`);
  await guestCartIsSent(page);
  // The line was added when only one was left.
  await changeStored(page, { max_quantity: 1 });
  await open(page, "/cart");
  await expect
    .poll(async () => (await storedCart(page)).items)
    .toMatchObject([{ max_quantity: 4 }]);
  await page.getByRole("button", { name: "Increase quantity" }).click();
  await expect(page.locator(".cart-line-total")).toHaveText("$104.00");
  await page.getByRole("button", { name: "Save for later" }).click();
  await guestCartIsSent(page);
  await changeStored(page, { max_quantity: 0 });
  await open(page, "/cart");
  await page.getByRole("button", { name: "Move to cart" }).click();
  await expect(page.locator(".cart-line-total")).toHaveText("$104.00");
});

test("what is sold out has no amount and is not in the totals", async ({ page }) => {
  for (const call of ["cart/guest", "checkout/quote"])
    await page.route(`**/api/${call}`, (route) => route.fulfill({ status: 503 }));
  await add(page, PRODUCT);
  await add(page, `${PRODUCT}?variant=DBC-BRA`);
  await changeStored(page, { max_quantity: 0 });
  await open(page, "/cart");
  await expect(page.locator(".cart-line-total")).toHaveText(["", "$52.00"]);
  await expect(page.locator(".cart-summary dd")).toHaveText(["1", "$52.00"]);
});

test("what is no longer in stock is in no count and no sum", async ({ page }) => {
  // So that the browser's cart keeps its quantity.
  await page.route("**/api/cart/guest", (route) => route.fulfill({ status: 503 }));
  await add(page, `${PRODUCT}?variant=DBC-BRA`);
  await add(page, PRODUCT);
  await changeStored(page, { qty: 6 });
  await open(page, "/cart");
  await expect(page.locator(".cart-line-total")).toHaveText(["$208.00", "$48.00"]);
  await expect(page.locator(".cart-summary dd")).toHaveText(["5", "$256.00"]);
  // Also while the next quote is on its way.
  await page.route("**/api/checkout/quote", () => {});
  await page.getByRole("button", { name: "Increase quantity" }).last().click();
  await expect(page.locator(".cart-line-total")).toHaveText(["$208.00", "$96.00"]);
  await expect(page.locator(".cart-summary dd")).toHaveText(["6", "$304.00"]);
});

test("what changes on a line, or removes it, is told once, in a place that was there before", async ({
  page,
}) => {
  await add(page, PRODUCT);
  await guestCartIsSent(page);
  await open(page, "/cart");
  // Screen readers announce only what is added to such a place.
  const said = await page.evaluateHandle(() => {
    const said: string[] = [];
    new MutationObserver((changes) => {
      for (const { target, addedNodes } of changes)
        if ((target as Element).closest(".visually-hidden[aria-live]"))
          for (const node of addedNodes) said.push(node.textContent ?? "");
    }).observe(document.body, { childList: true, subtree: true });
    return said;
  });
  const timesSaid = async (text: string) =>
    (await said.jsonValue()).filter((each) => each.includes(text)).length;
  let kind = "price";
  await page.route("**/api/checkout/quote", async (route) => {
    const response = await route.fetch();
    const json = await response.json();
    json.changes = [{ id: json.lines[0].id, kind, message: "This has changed." }];
    await route.fulfill({ response, json });
  });
  // The answer to what is stored tells the same.
  await page.route("**/api/cart/guest", async (route) => {
    const response = await route.fetch();
    const json = await response.json();
    json.changes = [{ id: null, kind: "price", message: "This has changed." }];
    await route.fulfill({ response, json });
  });
  await page.getByRole("button", { name: "Increase quantity" }).click();
  await expect(page.locator(".line-note")).toHaveText("This has changed.");
  const kept = page.locator(".cart-removed");
  await expect(kept).toContainText("This has changed.");
  expect(await timesSaid("This has changed.")).toBe(1);
  kind = "unavailable";
  await page.getByRole("button", { name: "Increase quantity" }).click();
  await expect(kept).toContainText("is no longer available and was removed.");
  expect(await timesSaid("is no longer available and was removed.")).toBe(1);
  expect(await timesSaid("This has changed.")).toBe(1);
  await page.unrouteAll({ behavior: "ignoreErrors" });
  await open(page, "/cart");
  await expect(kept).toContainText("is no longer available and was removed.");
  await expect(page.locator(".cart > .visually-hidden[aria-live]")).toHaveText("");
});

test("what is saved for later has today's price", async ({ page }) => {
  await add(page, PRODUCT);
  await open(page, "/cart");
  await page.getByRole("button", { name: "Save for later" }).click();
  await expect
    .poll(() => page.evaluate(() => localStorage.getItem("shop.cart.guest") ?? ""))
    .toMatch(/"base":\[\{.*"saved":true.*"sent":null/);
  await page.route("**/api/cart/guest", (route) => route.fulfill({ status: 503 }));
  await changeStored(page, { price: 100 });
  await open(page, "/cart");
  await expect(page.locator(".bought-total")).toHaveText("$48.00");
});

test("what is in the cart already is not said to be added", async ({ page }) => {
  await add(page, `${PRODUCT}?variant=DBC-BRA`);
  await page.getByRole("textbox", { name: "Quantity" }).fill("4");
  await page.getByRole("button", { name: /^Add to cart/ }).click();
  await expect(page.getByText("3 × Double-Blade Cutter", { exact: true })).toBeVisible();
  await page.getByRole("button", { name: /^Add to cart/ }).click();
  await expect(page.getByText("“Double-Blade Cutter”: as many as you can order.")).toBeVisible();
  await expect(page.locator(".cart-count")).toHaveText("4 items");
});

test("a price that could not be fetched is fetched again with the former quantity", async ({
  page,
}) => {
  await add(page, PRODUCT);
  await open(page, "/cart");
  await page.getByText("Add a promo code").click();
  await page.getByLabel("Promo code").fill("welcome10");
  await page.getByLabel("Promo code").press("Enter");
  const total = page.locator(".cart-total dd");
  await expect(total).toHaveText("$43.20");
  await guestCartIsSent(page);
  await open(page, "/cart");
  let failed = 0;
  await page.route("**/api/checkout/quote", (route) => {
    failed += 1;
    return route.fulfill({ status: 503 });
  });
  await page.getByRole("button", { name: "Increase quantity" }).click();
  await expect.poll(() => failed).toBe(2);
  await page.unroute("**/api/checkout/quote");
  await page.getByRole("button", { name: "Decrease quantity" }).click();
  await expect(total).toHaveText("$43.20");
});

test("a price that could not be fetched is told, and fetched again on demand", async ({ page }) => {
  await add(page, PRODUCT);
  await open(page, "/cart");
  await page.route("**/api/checkout/quote", (route) => route.fulfill({ status: 503 }));
  await page.getByText("Add a promo code").click();
  await page.getByLabel("Promo code").fill("welcome10");
  await page.getByLabel("Promo code").press("Enter");
  const alert = page.locator(".cart-summary [role=alert]");
  await expect(alert).toContainText("We couldn’t reach the shop. Please try again.");
  await expect(page.locator(".promo")).toContainText("WELCOME10 not checked yet");
  await expect(page.locator(".cart-total dd")).toHaveText("$48.00");
  await page.unroute("**/api/checkout/quote");
  await alert.getByRole("button", { name: "Try again" }).click();
  await expect(page.locator(".promo")).toContainText("WELCOME10 10% off");
  await expect(page.locator(".cart-total dd")).toHaveText("$43.20");
  await expect(alert).toHaveCount(0);
});

test("a code is not called wrong because of the code before it", async ({ page }) => {
  await add(page, PRODUCT);
  await open(page, "/cart");
  await page.getByText("Add a promo code").click();
  await page.getByLabel("Promo code").fill("nonsense");
  await page.getByLabel("Promo code").press("Enter");
  const problem = page.getByText("This code isn’t valid.");
  // In the color of errors.
  await expect(problem).toHaveCSS("color", "rgb(160, 44, 28)");
  await page.route("**/api/checkout/quote", (route) => route.fulfill({ status: 503 }));
  await page.getByLabel("Promo code").fill("welcome10");
  await page.getByLabel("Promo code").press("Enter");
  await expect(page.locator(".promo")).toContainText("WELCOME10 not checked yet");
  await expect(problem).toHaveCount(0);
});

test("what is wrong with a code is also told where another tab has entered it", async ({
  page,
  context,
}) => {
  await add(page, PRODUCT);
  await open(page, "/cart");
  const other = await context.newPage();
  await open(other, "/cart");
  await other.getByText("Add a promo code").click();
  await other.getByLabel("Promo code").fill("nonsense");
  await other.getByLabel("Promo code").press("Enter");
  await expect(page.getByText("This code isn’t valid.")).toBeVisible();
  await expect(page.getByLabel("Promo code")).toHaveValue("NONSENSE");
});

test("a full cart takes no other product, and says so", async ({ page }) => {
  await page.route("**/api/cart/guest", (route) => route.fulfill({ status: 503 }));
  await open(page, "/");
  await page.evaluate((key) => {
    const items = Array.from({ length: 100 }, () => ({
      id: crypto.randomUUID(),
      price: 100,
      qty: 1,
    }));
    localStorage.setItem(key, JSON.stringify({ items, timestamp: Date.now() }));
  }, KEY);
  await add(page, PRODUCT);
  const toast = page.locator(".toast");
  await expect(toast).toContainText("Your cart is full");
  await expect(toast).toContainText("Remove an item to add “Double-Blade Cutter”.");
  await expect(page.locator(".cart-count")).toHaveText("100 items");
  expect((await storedCart(page)).items).toHaveLength(100);
});

test("a quantity of 0 removes, and what is no quantity is ignored", async ({ page }) => {
  await add(page, PRODUCT);
  await open(page, "/cart");
  for (const nonsense of ["-3", "1.5", "many", ""]) {
    await type(page, nonsense);
    await expect(page.getByRole("textbox", { name: "Quantity" })).toHaveValue("1");
  }
  expect((await storedCart(page)).items).toMatchObject([{ qty: 1 }]);
  await type(page, "0");
  await expect(page.locator(".cart-line")).toHaveCount(0);
  await expect.poll(() => stored(page)).toBeNull();
});

test("a removed line can be brought back", { tag: "@phone" }, async ({ page }) => {
  await add(page, PRODUCT);
  await open(page, "/cart");
  await page.getByRole("button", { name: "Increase quantity" }).click();
  await page.getByRole("button", { name: "Remove Double-Blade Cutter" }).click();
  await expect(page.locator(".cart-line")).toHaveCount(0);
  const notice = page.locator(".cart-removed");
  await expect(notice).toContainText("“Double-Blade Cutter” was removed.");
  await expect(notice).toBeFocused();
  await expect(notice).toHaveRole("status");
  await notice.getByRole("button", { name: "Undo" }).click();
  await expect(page.locator(".cart-line")).toHaveCount(1);
  await expect(page.getByRole("textbox", { name: "Quantity" })).toHaveValue("2");
  await expect(page.locator(".cart-count")).toHaveText("2 items");
});

test("a double click on Remove removes one line", async ({ page }) => {
  await add(page, PRODUCT);
  await add(page, `${PRODUCT}?variant=DBC-BRA`);
  await add(page, "/product/three-way-pipe-tool?variant=TWT-SIN");
  await guestCartIsSent(page);
  await open(page, "/cart");
  // The call comes later than the second click of a double click.
  const sent = page.waitForResponse(
    (response) =>
      response.url().endsWith("/api/cart/guest") &&
      response.request().postDataJSON().items.length === 2,
  );
  await page.getByRole("button", { name: "Remove Three-Way Pipe Tool" }).click();
  // From now on the note has its space, and the next line takes the place of one that is removed.
  await expect(page.locator(".cart-removed")).toContainText("was removed.");
  await sent;
  await doubleClick(page, page.getByRole("button", { name: /^Remove Double/ }).first());
  await expect(page.locator(".cart-line-sku")).toHaveText(["DBC-BRA"]);
});

test("a double click on Save for later puts one line aside", async ({ page }) => {
  await add(page, PRODUCT);
  await add(page, `${PRODUCT}?variant=DBC-BRA`);
  await add(page, "/product/three-way-pipe-tool?variant=TWT-SIN");
  await guestCartIsSent(page);
  await open(page, "/cart");
  await doubleClick(page, page.getByRole("button", { name: /^Save for later Double/ }).first());
  await expect(page.locator(".cart-line-sku")).toHaveText(["DBC-BRA", "TWT-SIN"]);
  await expect(page.locator(".cart-saved li")).toHaveCount(1);
});

test("a removed line comes back to its place, also at the server", async ({ page }) => {
  await add(page, PRODUCT);
  await add(page, `${PRODUCT}?variant=DBC-BRA`);
  await guestCartIsSent(page);
  await open(page, "/cart");
  for (const [name, skus] of [
    ["Remove Double-Blade Cutter", ["DBC-BRA"]],
    ["Undo", ["DBC-SIL", "DBC-BRA"]],
  ] as const) {
    await page.getByRole("button", { name }).first().click();
    await expect(page.locator(".cart-line-sku")).toHaveText([...skus]);
    await expect
      .poll(() =>
        page.evaluate(() => {
          const { base, sent } = JSON.parse(localStorage.getItem("shop.cart.guest") ?? "{}");
          return sent === null && base.length;
        }),
      )
      .toBe(skus.length);
  }
  await page.reload();
  await expect(page.locator(".cart-line-sku")).toHaveText(["DBC-SIL", "DBC-BRA"]);
});

test("a long name breaks no amount and no button beside it on a narrow screen", async ({
  page,
}) => {
  await page.setViewportSize({ width: 320, height: 640 });
  await add(page, PRODUCT);
  await open(page, "/cart");
  await page.getByText("Add a promo code").click();
  await page.getByLabel("Promo code").fill("welcome10");
  await page.getByLabel("Promo code").press("Enter");
  await expect(page.locator(".totals")).toContainText("-$4.80");
  const broken = await page.evaluate((name) => {
    for (const named of document.querySelectorAll(".totals dt, .promo b")) named.textContent = name;
    // One box for each line of the text.
    const lines = ({ firstChild }: Element) => {
      const range = document.createRange();
      if (firstChild) range.selectNode(firstChild);
      return range.getClientRects().length;
    };
    const whole = [...document.querySelectorAll(".totals dd, .promo .link")];
    return whole.map(lines).filter((count) => count !== 1);
  }, "FREESHIPPINGFORALLOFOURLOYALCUSTOMERSNOW");
  expect(broken).toEqual([]);
});

test("the cart survives a reload", async ({ page }) => {
  await add(page, PRODUCT);
  await page.reload();
  await hydrated(page);
  await expect(page.locator(".cart-count")).toHaveText("1 item");
  await open(page, "/cart");
  await page.reload();
  await expect(page.locator(".cart-line")).toHaveCount(1);
});

test("a cart that nobody has touched for 7 days is forgotten", async ({ page, context }) => {
  await add(page, PRODUCT);
  await guestCartIsSent(page);
  await age(page, WEEK_MS - 60_000);
  await open(page, "/cart");
  await expect(page.locator(".cart-line")).toHaveCount(1);
  await page.getByText("Add a promo code").click();
  await page.getByLabel("Promo code").fill("welcome10");
  await page.getByLabel("Promo code").press("Enter");
  await expect
    .poll(() => page.evaluate(() => localStorage.getItem("shop.cart.guest")))
    .toContain('"promo":"WELCOME10"');
  await age(page, WEEK_MS);
  // It expires at the same time.
  await context.clearCookies({ name: /cart$/ });
  await open(page, "/cart");
  await expect(page.getByText("Your cart is empty.")).toBeVisible();
  await expect
    .poll(() => page.evaluate(() => Object.keys(localStorage)))
    .not.toContain("shop.cart.guest");
  const kept = await page.evaluate(() => Object.keys(localStorage));
  expect(kept.filter((key) => /^shop\.(cart|promo)/.test(key))).toEqual([]);
});

test("a corrupt cart is ignored and reset", async ({ page }) => {
  await open(page, "/cart");
  for (const text of ["{oops", "null", '{"items":[{"id":1}],"timestamp":1}', "[]"]) {
    await page.evaluate(([key, value]) => localStorage.setItem(key, value), [KEY, text] as const);
    await open(page, "/cart");
    await expect(page.getByText("Your cart is empty.")).toBeVisible();
    expect(await stored(page)).toBeNull();
  }
  await add(page, PRODUCT);
  expect((await storedCart(page)).items).toHaveLength(1);
});

test("two tabs agree on the cart", async ({ page, context }) => {
  const other = await context.newPage();
  await open(other, "/cart");
  await expect(other.getByText("Your cart is empty.")).toBeVisible();
  await add(page, PRODUCT);
  await expect(other.locator(".cart-line")).toHaveCount(1);
  await other.getByRole("button", { name: "Increase quantity" }).click();
  await expect(page.locator(".cart-count")).toHaveText("2 items");
  await page.getByRole("button", { name: /^Add to cart/ }).click();
  await expect(other.getByRole("textbox", { name: "Quantity" })).toHaveValue("3");
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("the cart is kept by forms", { tag: "@phone" }, async ({ page }) => {
    await page.goto(PRODUCT);
    await page.getByRole("button", { name: /^Add to cart/ }).click();
    await expect(page).toHaveURL("/cart");
    await page.getByRole("button", { name: "Increase quantity" }).click();
    await expect(page.locator(".cart-total dd")).toHaveText("$96.00");
    await page.getByRole("textbox", { name: "Quantity" }).fill("3");
    await page.getByRole("textbox", { name: "Quantity" }).press("Enter");
    await expect(page.locator(".cart-total dd")).toHaveText("$144.00");
    await page.getByText("Add a promo code").click();
    await page.getByLabel("Promo code").fill("welcome10");
    await page.getByRole("button", { name: "Apply" }).click();
    await expect(page.locator(".promo")).toContainText("WELCOME10");
    await page.getByRole("button", { name: /^Save for later/ }).click();
    await expect(page.locator(".cart-line")).toHaveCount(0);
    await page.getByRole("button", { name: /^Move to cart/ }).click();
    await page.getByRole("button", { name: /^Remove Double/ }).click();
    await expect(page.locator(".cart-line")).toHaveCount(0);
    expect(
      await page.evaluate(() => document.documentElement.scrollWidth - innerWidth),
    ).toBeLessThanOrEqual(0);
  });

  test("on a phone, too, who enters a wrong code sees what is wrong", async ({ page }) => {
    await page.setViewportSize({ width: 390, height: 844 });
    for (const path of [
      PRODUCT,
      `${PRODUCT}?variant=DBC-BRA`,
      "/product/three-way-pipe-tool?variant=TWT-SIN",
    ]) {
      await page.goto(path);
      await page.getByRole("button", { name: /^Add to cart/ }).click();
      await expect(page).toHaveURL("/cart");
    }
    await expect(page.locator(".cart-line")).toHaveCount(3);
    await page.getByText("Add a promo code").click();
    await page.getByLabel("Promo code").fill("nosuch");
    await page.getByRole("button", { name: "Apply" }).click();
    await expect(page.getByText("This code isn’t valid.")).toBeInViewport();
  });
});

async function add(page: Page, path: string): Promise<void> {
  await open(page, path);
  await page.getByRole("button", { name: /^Add to cart/ }).click();
  await expect(page.locator(".toast")).toBeVisible();
}

/** A double click as slow as some people's. The page's clock stands still during it, so that a busy machine makes it no slower. */
async function doubleClick(page: Page, button: Locator): Promise<void> {
  const setClock = (to: number) =>
    page.evaluate((ms) => {
      performance.now = () => ms;
    }, to);
  await button.hover();
  const now = await page.evaluate(() => performance.now());
  await setClock(now);
  await page.mouse.down();
  await page.mouse.up();
  await setClock(now + 300);
  await page.mouse.down({ clickCount: 2 });
  await page.mouse.up({ clickCount: 2 });
  await page.evaluate(() => Reflect.deleteProperty(performance, "now"));
}

async function type(page: Page, text: string): Promise<void> {
  await page.getByRole("textbox", { name: "Quantity" }).fill(text);
  await page.getByRole("textbox", { name: "Quantity" }).press("Enter");
}

function stored(page: Page): Promise<string | null> {
  return page.evaluate((key) => localStorage.getItem(key), KEY);
}

/** As if the first line had been stored with these values. */
async function changeStored(
  page: Page,
  values: { qty?: number; price?: number; max_quantity?: number },
): Promise<void> {
  await page.evaluate(
    ([key, changed]) => {
      const cart = JSON.parse(localStorage.getItem(key) ?? "");
      Object.assign(cart.items[0], changed);
      localStorage.setItem(key, JSON.stringify(cart));
    },
    [KEY, values] as const,
  );
}

async function storedCart(page: Page): Promise<{ items: unknown[]; timestamp: number }> {
  return JSON.parse((await stored(page)) ?? "null");
}

/** Makes the stored cart look as if it was last changed this long ago. */
async function age(page: Page, agoMs: number): Promise<void> {
  await page.evaluate(
    ([key, ago]) => {
      const cart = JSON.parse(localStorage.getItem(key) ?? "");
      localStorage.setItem(key, JSON.stringify({ ...cart, timestamp: Date.now() - ago }));
    },
    [KEY, agoMs] as const,
  );
}

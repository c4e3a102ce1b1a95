// What staff have entered and not saved is lost neither by a page that is left nor by somebody else's change.
import { setTimeout } from "node:timers/promises";
import { documents, expect, open, type Page, payloads, test, withoutBeforeUnload } from "./shop";
import { hold, STALE, signIn, signInAgain } from "./staff";

/** Longer than a consent to leave lasts. */
const CONSENT_MS = 1100;

/** Follows a link to another page, and declines to leave when asked. */
async function stay(page: Page): Promise<void> {
  const asked = page.waitForEvent("dialog");
  const clicked = page.getByRole("link", { name: "Orders", exact: true }).first().click();
  await (await asked).dismiss();
  await clicked;
}

/** Opens a product and changes it. */
async function editProduct(page: Page): Promise<void> {
  await signIn(page, "Sample Admin", "/admin/products?q=double-blade&status=active");
  await page.locator("a.product-cell").first().click();
  await page.getByLabel("Subtitle").click();
  await page.keyboard.press("End");
  await page.keyboard.type("Not saved");
}

test("an order that was refused is not lost once its price is known again", async ({ page }) => {
  await signIn(page, "Sample Admin", "/admin/orders/new");
  await page.getByRole("combobox", { name: "Add items" }).fill("TWT-SIN");
  await expect(page.getByRole("option", { name: /TWT-SIN/ })).toBeVisible();
  await page.keyboard.press("Enter");
  await page.getByLabel("Email").fill("ada@shop.example");
  const place = page.getByRole("button", { name: /^Place order for \$/ });
  await expect(place).toBeVisible();
  const priced = page.waitForResponse(
    (answer) => answer.url().endsWith("/api/admin/orders") && answer.status() === 200,
  );
  await place.click();
  await expect(page.getByLabel("First name")).toHaveAttribute("aria-invalid", "true");
  await priced;
  await expect(place).toBeVisible();
  await stay(page);
  await expect(page).toHaveURL("/admin/orders/new");
  await expect(page.getByLabel("Email")).toHaveValue("ada@shop.example");
});

const LEAVE = [
  ["a link to the shop", (page: Page) => page.getByRole("link", { name: "View in shop" })],
  ["the form to sign out", (page: Page) => page.getByRole("button", { name: "Sign out" })],
] as const;

for (const browser of ["Chromium", "Safari on iOS"]) {
  for (const [means, find] of LEAVE) {
    test(`${means} asks once whether to leave what is not saved, in ${browser}`, async ({
      page,
    }) => {
      if (browser !== "Chromium") await withoutBeforeUnload(page);
      await editProduct(page);
      const asked: string[] = [];
      page.on("dialog", (dialog) => {
        asked.push(dialog.type());
        void (asked.length === 1 ? dialog.dismiss() : dialog.accept());
      });
      await find(page).click();
      await expect.poll(() => asked).toEqual(["confirm"]);
      await expect(page.getByLabel("Subtitle")).toHaveValue(/Not saved$/);
      await find(page).click();
      await page.waitForURL((url) => !url.pathname.startsWith("/admin/"));
      expect(asked).toEqual(["confirm", "confirm"]);
    });
  }
}

test("what is not saved is not lost by the way back", async ({ page }) => {
  await signIn(page, "Sample Admin", "/admin/products");
  await page.getByRole("link", { name: "New product" }).click();
  await page.waitForURL("/admin/products/new");
  // Browsers show the confirmation only after an interaction with the page.
  await page.getByLabel("Title", { exact: true }).click();
  await page.keyboard.type("Not saved");
  const asked: string[] = [];
  let answer = false;
  page.on("dialog", async (dialog) => {
    asked.push(dialog.message());
    await (answer ? dialog.accept() : dialog.dismiss());
  });
  await page.evaluate(() => history.back());
  await expect.poll(() => asked).toHaveLength(1);
  await expect(page).toHaveURL("/admin/products/new");
  await expect(page.getByLabel("Title", { exact: true })).toHaveValue("Not saved");
  answer = true;
  await page.evaluate(() => history.back());
  await expect(page).toHaveURL("/admin/products");
  await expect(page.getByRole("heading", { name: "Products", level: 1 })).toBeVisible();
  expect(asked).toHaveLength(2);
});

test("what a field takes only when it is left is not lost by the way back", async ({ page }) => {
  await signIn(page, "Sample Admin", "/admin/products?q=double-blade");
  await page.locator("a.product-cell").first().click();
  await page
    .getByLabel(/^New values of/)
    .first()
    .click();
  const save = page.getByRole("button", { name: "Save" });
  await expect(save).toBeDisabled();
  await page.keyboard.type("Burl");
  await expect(save).toBeEnabled();
  const address = page.url();
  let asked = 0;
  page.on("dialog", (question) => {
    asked += 1;
    void question.dismiss();
  });
  await page.evaluate(() => history.back());
  await expect.poll(() => asked).toBe(1);
  await expect(page).toHaveURL(address);
});

test("what is not saved is not lost by the keyboard", async ({ page }) => {
  await signIn(page, "Sample Admin", "/admin/products/new");
  const title = page.getByLabel("Title", { exact: true });
  await title.fill("Not saved");
  const asked: string[] = [];
  page.on("dialog", async (dialog) => {
    asked.push(dialog.message());
    await dialog.dismiss();
  });
  await page.keyboard.press("Control+K");
  await expect(page.getByRole("combobox", { name: /go to a page/ })).toBeFocused();
  await page.keyboard.type("audit");
  await expect(page.getByRole("option", { name: /Audit/ })).toBeVisible();
  await page.keyboard.press("Enter");
  await expect.poll(() => asked).toHaveLength(1);
  await page.keyboard.press("Escape");
  await page.getByRole("heading", { level: 1 }).click();
  await page.keyboard.press("g");
  await page.keyboard.press("o");
  await expect.poll(() => asked).toHaveLength(2);
  await expect(page).toHaveURL("/admin/products/new");
  await expect(title).toHaveValue("Not saved");
});

test("the consent to leave ends with the attempt", async ({ page }) => {
  await editProduct(page);
  const asked: string[] = [];
  page.on("dialog", (dialog) => {
    asked.push(dialog.type());
    void dialog.accept();
  });
  // A file is saved, so that the page stays.
  await page.route("**/product/*", (route) =>
    route.fulfill({ headers: { "content-disposition": "attachment" }, body: "" }),
  );
  const saved = page.waitForEvent("download");
  await page.getByRole("link", { name: "View in shop" }).click();
  await saved;
  expect(asked).toEqual(["confirm"]);
  await setTimeout(CONSENT_MS);
  await page.goto("/admin/orders");
  expect(asked).toEqual(["confirm", "beforeunload"]);
});

test("what opens beside unsaved input does not ask", { tag: "@phone" }, async ({ page }) => {
  await editProduct(page);
  const asked: string[] = [];
  page.on("dialog", (dialog) => {
    asked.push(dialog.type());
    void dialog.dismiss();
  });
  const opened = page.context().waitForEvent("page");
  await page.getByRole("link", { name: "View in shop" }).click({ modifiers: ["ControlOrMeta"] });
  await (await opened).close();
  await page.route("**/api/admin/products/*", (route) => route.fulfill(STALE));
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await signInAgain(page, "Sample Admin");
  expect(asked).toEqual([]);
  await expect(page.getByLabel("Subtitle")).toHaveValue(/Not saved$/);
});

test("a sign-out that another tab notices reloads nothing", async ({ page, context }) => {
  await withoutBeforeUnload(page);
  await editProduct(page);
  await expect
    .poll(() => page.evaluate(() => localStorage.getItem("shop.cart.sync")))
    .toContain('"sent":null');
  await context.clearCookies({ name: /session/ });
  const { pathname } = new URL(page.url());
  const loads = documents(page);
  const refreshes = payloads(page);
  const noticed = page.evaluate(
    () =>
      new Promise<void>((resolve) => {
        addEventListener("storage", ({ key, newValue }) => {
          if (key === "shop.cart.sync" && newValue === null) resolve();
        });
      }),
  );
  await open(await context.newPage(), "/");
  await noticed;
  await stay(page);
  await expect(page.getByLabel("Subtitle")).toHaveValue(/Not saved$/);
  expect(refreshes).not.toContain(`${pathname}/_payload.json`);
  expect(loads).toEqual([]);
});

test("a file of counties that was pasted is not lost by a link", async ({ page }) => {
  await signIn(page, "Sample Admin", "/admin/settings/tax");
  const text = page.getByLabel("One line each: state, ZIP code, county");
  await text.fill("NY,10001,New York");
  await stay(page);
  await expect(page).toHaveURL("/admin/settings/tax");
  await expect(text).toHaveValue("NY,10001,New York");
  await text.fill("");
  await page.getByRole("link", { name: "Orders", exact: true }).first().click();
  await expect(page).toHaveURL("/admin/orders");
});

test("images that are being uploaded are not lost by a link", async ({ page }) => {
  await signIn(page, "Sample Admin", "/admin/products/new");
  const goOn = await hold(page, "**/api/admin/pictures");
  await page
    .getByLabel("Add images")
    .setInputFiles({ name: "one.png", mimeType: "image/png", buffer: Buffer.from("no image") });
  const progress = page.getByRole("progressbar", { name: "Uploading one.png" });
  await expect(progress).toBeVisible();
  await stay(page);
  await expect(page).toHaveURL("/admin/products/new");
  goOn();
  // It is refused, so there is nothing to lose.
  await expect(progress).toHaveCount(0);
  await page.getByRole("link", { name: "Orders", exact: true }).first().click();
  await expect(page).toHaveURL("/admin/orders");
});

test("the end of an upload takes nobody away from another page", async ({ page }) => {
  await signIn(page, "Sample Admin", "/admin/products/import");
  const goOn = await hold(page, "**/api/admin/products/imports?name=*");
  await page.getByLabel("Choose file").setInputFiles({
    name: "late.csv",
    mimeType: "text/csv",
    buffer: Buffer.from("Handle,Title\n"),
  });
  await expect(page.getByRole("progressbar", { name: "Uploading" })).toBeVisible();
  await page.getByRole("link", { name: "Orders", exact: true }).first().click();
  await expect(page.getByRole("heading", { name: "Orders", level: 1 })).toBeVisible();
  goOn();
  await expect(page.getByText("late.csv is uploaded.")).toBeVisible();
  await expect(page).toHaveURL("/admin/orders");
});

test("a change of the stock keeps the threshold that someone else has set", async ({ page }) => {
  await signIn(page, "Sample Admin", "/admin/products");
  const headers = { origin: new URL(page.url()).origin, "sec-fetch-site": "same-origin" };
  const found = await (await page.request.get("/api/admin/search?q=double-blade")).json();
  const copied = await page.request.post(`/api${found.products[0].href}/duplicate`, { headers });
  expect(copied.status()).toBe(201);
  const { id, content, stock } = await copied.json();
  const path = `/admin/products/${id}`;
  const first = page.getByRole("button", { name: /^Stock of / }).first();
  const dialog = page.getByRole("dialog", { name: /^Stock of / });
  await open(page, path);
  await first.click();
  const theirs = await page.request.post(`/api/admin/stock/${content.variants[0].id}`, {
    data: { seen: stock[0].on_hand, reason: "other", low_stock_threshold: 9 },
    headers,
  });
  expect(theirs.status()).toBe(200);
  await dialog.getByLabel("Change, such as 12 or -1").fill("3");
  await dialog.getByRole("button", { name: "Save stock" }).click();
  await expect(page.getByText(`${stock[0].on_hand + 3} on hand now.`)).toBeVisible();
  await open(page, path);
  await first.click();
  await expect(dialog.getByLabel(/only a few left/)).toHaveValue("9");
});

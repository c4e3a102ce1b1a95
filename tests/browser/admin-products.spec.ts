// Staff make products, edit their options and prices, and change many at once.
import { violations } from "./axe";
import { addHere } from "./checkout-form";
import { fill, png, unique } from "./product-form";
import { expect, hydrated, open, test } from "./shop";
import { complaints, hold, signIn } from "./staff";

test("a product with options and pictures is made, published, seen and put into a cart", async ({
  page,
  context,
}) => {
  const said = complaints(page);
  await signIn(page, "Sample Admin", "/admin/products/new");
  const title = unique("valet stand");
  const handle = await fill(page, title);
  expect(handle).toMatch(/^[a-z0-9]+-valet-stand$/);
  // No price: it may be meant as 49.90.
  const price = page.getByLabel("Price of all, $");
  await price.fill("49,90");
  await price.press("Tab");
  await expect(price).toHaveAttribute("aria-invalid", "true");
  await expect(price).toHaveAccessibleDescription("Enter a price such as 49.90.");
  await price.fill("");
  await price.press("Tab");
  await expect(price).toHaveAttribute("aria-invalid", "false");
  await expect(page.getByLabel("Price of Light", { exact: true })).toHaveValue("52.50");
  // Too early: a published product needs a picture with an alt text.
  await page.getByLabel("Status").selectOption("active");
  await page.getByRole("button", { name: "Save" }).click();
  const alert = page.getByRole("alert");
  await alert.getByRole("link", { name: "Add an image before publishing the product." }).click();
  await expect(page.getByRole("heading", { name: "Images" })).toBeInViewport();
  await page.getByLabel("Add images").setInputFiles([
    { name: "one.png", mimeType: "image/png", buffer: png(120, 120) },
    { name: "two.png", mimeType: "image/png", buffer: png(120, 200) },
  ]);
  const alts = page.getByLabel("Alt text");
  await expect(alts).toHaveCount(2);
  await alts.nth(0).fill("The stand from the front");
  await alts.nth(1).fill("The stand from above");
  const items = page.getByRole("listitem").filter({ has: alts });
  await items.nth(1).locator("img").dragTo(items.nth(0));
  await expect(alts.nth(0)).toHaveValue("The stand from above");
  // Firefox does not let the mouse select text within what is draggable.
  await expect(page.locator("[draggable=true] textarea")).toHaveCount(0);
  await page.getByRole("button", { name: "Move image 1 later" }).click();
  await expect(alts.nth(0)).toHaveValue("The stand from the front");
  await page.getByRole("button", { name: "Move image 2 earlier" }).click();
  await expect(alts.nth(0)).toHaveValue("The stand from above");
  expect(await violations(page)).toEqual([]);
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText(`${title} saved.`)).toBeVisible();
  await expect(page).toHaveURL(/\/admin\/products\/[0-9a-f-]{36}$/);
  expect(said).toEqual([]);

  const shopper = await context.browser()?.newContext({ baseURL: new URL(page.url()).origin });
  if (!shopper) throw new Error("no browser");
  await shopper.addCookies((await context.cookies()).filter(({ name }) => name !== "session"));
  const shop = await shopper.newPage();
  await open(shop, `/product/${handle}`);
  await expect(shop.getByRole("heading", { name: title })).toBeVisible();
  await expect(shop.getByAltText("The stand from above").first()).toBeVisible();
  await addHere(shop);
  await open(shop, "/cart");
  await expect(shop.getByText(title).first()).toBeVisible();
  const made = `/api/admin/products/${page.url().split("/").pop()}`;

  let copies = 0;
  page.on("request", (request) => {
    if (request.url().includes("/duplicate?id=")) copies += 1;
  });
  const goOn = await hold(page, "**/duplicate*");
  await page.getByRole("button", { name: "Duplicate" }).dblclick();
  goOn();
  await expect(page.getByRole("heading", { name: `Copy of ${title}` })).toBeVisible();
  expect(copies).toBe(1);

  // Once it is not sold any more, it leaves the guest's cart, and is named there.
  const { version, content } = await (await page.request.get(made)).json();
  const archived = await page.request.put(made, {
    data: { version, content: { ...content, status: "archived" } },
    headers: { origin: new URL(page.url()).origin },
  });
  expect(archived.status()).toBe(200);
  await open(shop, "/cart");
  const gone = `“${title}” is no longer available and was removed.`;
  await expect(shop.locator(".cart-removed").getByText(gone)).toBeVisible();
  await expect(shop.locator(".cart-line")).toHaveCount(0);
  await expect(shop.locator(".cart-count")).toHaveAttribute("data-empty", "true");
  await shopper.close();
});

test("a price is changed with the keyboard alone", async ({ page }) => {
  await signIn(page, "Sample Admin", "/admin/products/new");
  await fill(page, unique("key tray"));
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText(" saved.")).toBeVisible();
  await page.reload();
  await hydrated(page);
  // Two Tab presses from the SKU: the table does not trap the focus.
  await page.getByLabel("SKU of Dark").focus();
  await page.keyboard.press("Tab");
  await expect(page.getByLabel("Price of Dark", { exact: true })).toBeFocused();
  await page.keyboard.press("Control+A");
  await page.keyboard.type("44.50");
  await page.keyboard.press("Tab");
  await expect(page.getByLabel("Compare-at price of Dark")).toBeFocused();
  await page.getByRole("button", { name: "Save" }).focus();
  await page.keyboard.press("Enter");
  await expect(page.getByText(" saved.")).toBeVisible();
  await page.reload();
  await expect(page.getByLabel("Price of Dark", { exact: true })).toHaveValue("44.50");
});

test("the focus follows a value and an option that are moved", async ({ page }) => {
  await signIn(page, "Sample Admin", "/admin/products/new");
  const addOption = page.getByRole("button", { name: "Add an option" });
  await addOption.click();
  await page.getByLabel("Option 1 name").fill("Finish");
  await page.getByLabel("New values of Finish, separated by commas").fill("Dark, Light, Red");
  await page.keyboard.press("Enter");
  const up = page.getByRole("button", { name: "Move Red up" });
  await up.focus();
  await page.keyboard.press("Enter");
  await page.keyboard.press("Enter");
  await expect(page.getByLabel("Value 1 of Finish")).toHaveValue("Red");
  await expect(page.getByLabel("Value 2 of Finish")).toHaveValue("Dark");
  await expect(up).toBeFocused();
  await addOption.click();
  await page.getByLabel("Option 2 name").fill("Size");
  const down = page.getByRole("button", { name: "Move Finish down" });
  await down.focus();
  await page.keyboard.press("Enter");
  await page.keyboard.press("Enter");
  await expect(page.getByLabel("Option 2 name")).toHaveValue("Finish");
  await expect(down).toBeFocused();
});

test("white is a color that a value can have", async ({ page }) => {
  await signIn(page, "Sample Admin", "/admin/products/new");
  await fill(page, unique("white tray"));
  await page.getByLabel("Color of Light").fill("#ffffff");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText(" saved.")).toBeVisible();
  await page.reload();
  await expect(page.getByRole("button", { name: "No color for Light" })).toBeVisible();
  await expect(page.getByLabel("Color of Light")).toHaveValue("#ffffff");
  await expect(page.getByRole("button", { name: "No color for Dark" })).toHaveCount(0);
});

test("a value is renamed even if it is the name of another one while it is typed", async ({
  page,
}) => {
  await signIn(page, "Sample Admin", "/admin/products/new");
  await fill(page, unique("burst tray"));
  const save = page.getByRole("button", { name: "Save" });
  await save.click();
  await expect(page.getByText(" saved.")).toBeVisible();
  const sku = await page.getByLabel("SKU of Dark").inputValue();
  await page.getByLabel("Value 1 of Finish").focus();
  await page.keyboard.press("Control+A");
  await page.keyboard.type("Light oak");
  await page.keyboard.press("Enter");
  await expect(page.getByLabel("SKU of Light oak")).toHaveValue(sku);
  await save.click();
  await expect(save).toBeDisabled();
  await page.reload();
  await expect(page.getByLabel("SKU of Light oak")).toHaveValue(sku);
  await expect(page.getByLabel("Price of Light oak", { exact: true })).toHaveValue("49.00");
  await expect(page.getByLabel("Price of Light", { exact: true })).toHaveValue("52.50");
});

test("prices of many are changed after they were told", async ({ page }) => {
  await signIn(page, "Sample Admin", "/admin/products/new");
  const mark = Date.now().toString(36);
  const titles = [`1 ${mark} tray`, `2 ${mark} tray`];
  for (const title of titles) {
    await open(page, "/admin/products/new");
    await fill(page, title);
    await page.getByRole("button", { name: "Save" }).click();
    await expect(page.getByText(" saved.")).toBeVisible();
  }
  await open(page, `/admin/products?q=${mark}`);
  expect(await violations(page)).toEqual([]);
  for (const title of titles) await page.getByLabel(`Select ${title}`).check();
  const action = page.getByLabel("Bulk action");
  await action.focus();
  // Passing an action with the keyboard does not begin it.
  for (let at = 0; at < 6; at += 1) await page.keyboard.press("ArrowDown");
  await expect(action).toHaveValue("price");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: "Change prices: 2 products" });
  await dialog.getByLabel("Percent change, such as -10").fill("10");
  await dialog.getByLabel("Round").selectOption("99");
  await dialog.getByRole("button", { name: "Preview changes" }).click();
  await expect(dialog.getByText(/price \$\d+\.\d\d → \$\d+\.99/).first()).toBeVisible();
  await expect(dialog.getByRole("status")).toHaveText("2 of 2 products would change.");
  expect(await violations(page)).toEqual([]);
  await dialog.getByRole("button", { name: "Change 2 products" }).click();
  await expect(page.getByText("2 products updated.")).toBeVisible();
});

test("a preview that is late says nothing about a form that has changed since", async ({
  page,
}) => {
  await signIn(page, "Sample Admin", "/admin/products?q=double-blade");
  await page.getByLabel("Select this page").check();
  await page.getByLabel("Bulk action").selectOption("price");
  await page.getByRole("button", { name: "Continue" }).click();
  const dialog = page.getByRole("dialog", { name: /^Change prices/ });
  const percent = dialog.getByLabel("Percent change, such as -10");
  const preview = dialog.getByRole("button", { name: "Preview changes" });
  const apply = dialog.getByRole("button", { name: /^Change \d+ products?$/ });
  await percent.fill("10");
  const goOn = await hold(page, "**/products/bulk/preview");
  const asked = page.waitForRequest("**/products/bulk/preview");
  await preview.click();
  await asked;
  await percent.fill("20");
  goOn();
  await expect(preview).toHaveAttribute("aria-disabled", "false");
  await expect(apply).toHaveCount(0);
  await preview.click();
  await expect(apply).toBeVisible();
  const finish = await hold(page, "**/products/bulk", { status: 503 });
  await apply.click();
  await percent.fill("30");
  await expect(dialog.getByRole("status")).toHaveText("Changing…");
  finish();
  await expect(preview).toHaveAttribute("aria-disabled", "false");
});

for (const [colorScheme, width] of [
  ["light", 1440],
  ["dark", 1440],
  ["light", 390],
  ["dark", 390],
] as const) {
  test.describe(`${colorScheme}, ${width} wide`, () => {
    test.use({ colorScheme, viewport: { width, height: 900 } });

    test("list and editor fit, and axe finds nothing", async ({ page }, testInfo) => {
      const said = complaints(page);
      await signIn(page, "Sample Admin", "/admin/products?q=pipe");
      for (const name of ["list", "editor"]) {
        if (name === "editor") {
          await page.locator("a.product-cell").first().click();
          await expect(page.getByRole("heading", { name: "Variants" })).toBeVisible();
        }
        expect(await violations(page)).toEqual([]);
        const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        expect(wide).toBeLessThanOrEqual(0);
        await page.screenshot({ path: testInfo.outputPath(`${name}.png`), fullPage: true });
      }
      expect(said).toEqual([]);
    });
  });
}

test("staff see products and cannot change them", async ({ page }) => {
  await signIn(page, "Sample Staff", "/admin/products");
  await expect(page.getByRole("link", { name: "New product" })).toHaveCount(0);
  await page.locator("a.product-cell").first().click();
  await expect(page.getByRole("heading", { name: "Variants" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Save" })).toHaveCount(0);
  expect((await page.request.get("/admin/products/new")).status()).toBe(403);
});

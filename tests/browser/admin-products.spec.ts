import { deflateSync } from "node:zlib";
import type { Route } from "@playwright/test";
import { violations } from "./axe";
import { addHere } from "./checkout-form";
import { expect, hydrated, open, type Page, test } from "./shop";
import { complaints, hold, signIn, signInAgain } from "./staff";

/** A PNG in one color. */
function png(side: number, red: number): Buffer {
  const chunk = (name: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(name), data]);
    let crc = ~0;
    for (const byte of body) {
      crc ^= byte;
      for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
    }
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    sum.writeUInt32BE(~crc >>> 0);
    return Buffer.concat([length, body, sum]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const row = Buffer.concat([Buffer.from([0]), Buffer.alloc(side * 3, Buffer.from([red, 90, 50]))]);
  const pixels = deflateSync(Buffer.concat(Array.from({ length: side }, () => row)));
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([
    signature,
    chunk("IHDR", header),
    chunk("IDAT", pixels),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

/** A new title, also in its first 12 characters, of which SKUs are made: a second try finds the products of the first. */
const unique = (name: string) => `${Date.now().toString(36)} ${name}`;

/** Fills in a new product except for its pictures; returns its handle. */
async function fill(page: Page, title: string): Promise<string> {
  await page.getByLabel("Title", { exact: true }).fill(title);
  await page
    .getByRole("textbox", { name: "Description", exact: true })
    .fill("Made by hand.\nOiled twice.");
  await page.getByLabel("Category").selectOption({ index: 1 });
  await page.getByLabel("Compliance class").selectOption({ label: "General merchandise" });
  await page.getByRole("button", { name: "Add an option" }).click();
  await page.getByLabel("Option 1 name").fill("Finish");
  await page.getByLabel("New values of Finish, separated by commas").fill("Dark, Light");
  await page.keyboard.press("Enter");
  await page.getByLabel("Price of all, $").fill("49.00");
  await page.keyboard.press("Tab");
  await expect(page.getByLabel("Price of Dark", { exact: true })).toHaveValue("49.00");
  await page.getByLabel("Price of Light", { exact: true }).fill("52.50");
  await page.getByLabel("On hand of all new ones").fill("2");
  await page.getByLabel("On hand of Dark").fill("6");
  await expect(page.getByLabel("On hand of Light")).toHaveValue("2");
  await expect(page.getByText("No weight yet").first()).toBeVisible();
  await page.getByLabel("Weight of all, oz").fill("12");
  await page.keyboard.press("Enter");
  await expect(page.getByLabel("Weight of Light")).toHaveValue("12 oz");
  await expect(page.getByText("No weight yet")).toHaveCount(0);
  const table = page.getByRole("region", { name: "Variant table" });
  expect(await table.evaluate((each) => each.scrollWidth - each.clientWidth)).toBe(0);
  return page.getByLabel("Handle").inputValue();
}

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
  await expect(page.getByText("Add an image before publishing the product.")).toBeVisible();
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
  await page.getByRole("button", { name: "Duplicate" }).dblclick();
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
  await expect(shop.getByText(`“${title}” is no longer available and was removed.`)).toBeVisible();
  await expect(shop.locator(".cart-line")).toHaveCount(0);
  await expect(shop.locator(".cart-count")).toHaveAttribute("data-empty", "true");
  await shopper.close();
});

test("a list that was fetched before a product was saved is fetched again", async ({ page }) => {
  await signIn(page, "Sample Admin", "/admin/products/new");
  const title = unique("tamper");
  await fill(page, title);
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText(`${title} saved.`)).toBeVisible();
  const list = page.getByRole("link", { name: "Products", exact: true }).first();
  const fetched = page.waitForResponse("**/admin/products/_payload.json");
  await list.hover();
  await (await fetched).finished();
  // With the keyboard, so that the pointer stays on the link.
  await page.getByLabel("Title", { exact: true }).focus();
  await page.keyboard.press("End");
  await page.keyboard.type(" in brass");
  const saved = page.waitForResponse("**/api/admin/products/*");
  await page.getByRole("button", { name: "Save" }).press("Enter");
  await (await saved).finished();
  await expect(page.getByText(`${title} in brass saved.`)).toBeVisible();
  await list.click();
  await expect(page.getByRole("link", { name: `${title} in brass` })).toBeVisible();
});

test("two who edit the same product lose nothing", async ({ page, context }) => {
  await signIn(page, "Sample Admin", "/admin/products/new");
  await fill(page, unique("ash bowl"));
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText(" saved.")).toBeVisible();
  const other = await context.newPage();
  await open(other, page.url());
  await other.getByLabel("Subtitle").fill("Theirs");
  await other.getByRole("button", { name: "Save" }).click();
  await expect(other.getByText(" saved.")).toBeVisible();
  await page.getByLabel("Material").fill("Mine");
  const loseRead = (route: Route) =>
    route.request().method() === "GET" ? route.abort() : route.continue();
  await page.route("**/api/admin/products/*", loseRead);
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("We couldn’t reach the shop.")).toBeVisible();
  await page.unroute("**/api/admin/products/*", loseRead);
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Someone else has changed this product")).toBeVisible();
  expect(await violations(page)).toEqual([]);
  await page.getByRole("button", { name: "Keep my changes" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toBeFocused();
  await expect(page.getByLabel("Subtitle")).toHaveValue("Theirs");
  await expect(page.getByLabel("Material")).toHaveValue("Mine");
  const save = page.getByRole("button", { name: "Save" });
  await save.click();
  await expect(save).toBeDisabled();
  await page.reload();
  await expect(page.getByLabel("Subtitle")).toHaveValue("Theirs");
  await expect(page.getByLabel("Material")).toHaveValue("Mine");
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

test("what is typed while a product is being saved stays", async ({ page }) => {
  await signIn(page, "Sample Admin", "/admin/products/new");
  // Exactly: while it is being saved the button is disabled, too, as "Saving…".
  const save = page.getByRole("button", { name: "Save", exact: true });
  let goOn = () => {};
  const answered = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  await fill(page, unique("slow tray"));
  await page.route("**/api/admin/products?id=*", async (route) => {
    await answered;
    await route.continue();
  });
  await save.click();
  await page.getByLabel("Material").fill("Cherry");
  await page.getByLabel("Price of Light", { exact: true }).fill("55.00");
  goOn();
  await expect(page.getByText(" saved.")).toBeVisible();
  await expect(page.getByLabel("Material")).toHaveValue("Cherry");
  await save.click();
  await expect(save).toBeDisabled();
  await page.reload();
  await expect(page.getByLabel("Material")).toHaveValue("Cherry");
  await expect(page.getByLabel("Price of Light", { exact: true })).toHaveValue("55.00");
  await expect(page.getByRole("button", { name: /^Stock of Light/ })).toHaveText("2");
});

for (const what of ["answer", "request"]) {
  test(`a product whose ${what} is lost is created once, with what is typed then`, async ({
    page,
  }) => {
    const lose = (address: string) =>
      page.route(
        address,
        async (route) => {
          if (what === "answer") await route.fetch();
          await route.abort();
        },
        { times: 1 },
      );
    await signIn(page, "Sample Admin", "/admin/products/new");
    await fill(page, unique(`lost ${what}`));
    await lose("**/api/admin/products?id=*");
    const save = page.getByRole("button", { name: "Save" });
    await save.click();
    await expect(page.getByText("We couldn’t reach the shop.")).toBeVisible();
    await page.getByLabel("Material").fill("Cherry");
    await save.click();
    await expect(page.getByText(" saved.")).toBeVisible();
    await page.reload();
    await expect(page.getByLabel("Material")).toHaveValue("Cherry");
    await expect(page.getByRole("button", { name: /^Stock of Light/ })).toHaveText("2");
    // Nor is a change that was saved taken for someone else’s.
    await lose("**/api/admin/products/*");
    await page.getByLabel("Material").fill("Oak");
    await save.click();
    await expect(page.getByText("We couldn’t reach the shop.")).toBeVisible();
    await save.click();
    await expect(page.getByText(" saved.")).toBeVisible();
    await expect(save).toBeDisabled();
    await page.reload();
    await expect(page.getByLabel("Material")).toHaveValue("Oak");
  });
}

test("stock that has changed in the meantime is shown, and what was typed is saved", async ({
  page,
}) => {
  await signIn(page, "Sample Admin", "/admin/products/new");
  await fill(page, unique("sold tray"));
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText(" saved.")).toBeVisible();
  await page.getByRole("button", { name: "Stock of Light: 2" }).click();
  const dialog = page.getByRole("dialog", { name: /^Stock of/ });
  const number = dialog.getByLabel("Change, such as 12 or -1");
  await number.fill("12");
  const { origin, pathname } = new URL(page.url());
  const product = await (await page.request.get(`/api${pathname}`)).json();
  const lost = await page.request.post(`/api/admin/stock/${product.content.variants[1].id}`, {
    data: { seen: 2, delta: -1, reason: "lost", low_stock_threshold: 9 },
    headers: { origin, "sec-fetch-site": "same-origin" },
  });
  expect(lost.ok()).toBe(true);
  const save = dialog.getByRole("button", { name: "Save stock" });
  await save.click();
  await expect(dialog.getByText("There are now 1 on hand.")).toBeVisible();
  await expect(dialog.getByText("1 on hand, 0 reserved for orders.")).toBeVisible();
  await expect(number).toHaveValue("12");
  // What the other has set is neither hidden nor replaced, and what they did is told.
  const threshold = dialog.getByLabel(/only a few left/);
  await expect(threshold).toHaveValue("9");
  await expect(page.getByRole("row", { name: / -1 lost / })).toBeVisible();
  await save.click();
  await expect(page.getByText("13 on hand now.")).toBeVisible();
  await page.getByRole("button", { name: "Stock of Light: 13" }).click();
  await expect(threshold).toHaveValue("9");
});

test("a variant that is removed and created again keeps its stock", async ({ page }) => {
  await signIn(page, "Sample Admin", "/admin/products/new");
  await fill(page, unique("back tray"));
  const history = page.getByRole("region", { name: "History" }).getByRole("listitem");
  let saves = 0;
  const save = async () => {
    await page.getByRole("button", { name: "Save" }).click();
    saves += 1;
    await expect(history).toHaveCount(saves);
  };
  await save();
  const stock = page.getByRole("button", { name: "Stock of Light: 2" });
  const table = page.getByRole("region", { name: "Variant table" });
  for (const isSavedWithout of [false, true]) {
    await expect(stock).toBeVisible();
    await table.getByRole("button", { name: "Remove Light" }).click();
    await expect(stock).toHaveCount(0);
    if (isSavedWithout) await save();
    await page.getByRole("button", { name: "Create all combinations" }).click();
    await expect(page.getByLabel("On hand of Light")).toHaveValue("");
    await save();
  }
  await expect(stock).toBeVisible();
  await expect(page.getByRole("row", { name: / counted / })).toHaveCount(0);
});

test("history and stock movements show what was just saved, and unsaved input stays", async ({
  page,
}) => {
  await signIn(page, "Sample Admin", "/admin/products/new");
  await fill(page, unique("booked tray"));
  const save = page.getByRole("button", { name: "Save" });
  await save.click();
  await expect(page.getByText(" saved.")).toBeVisible();
  const history = page.getByRole("region", { name: "History" }).getByRole("listitem");
  await expect(history).toHaveCount(1);
  await page.getByLabel("Material").fill("Cherry");
  await page.getByLabel("Price of Light", { exact: true }).fill("55.00");
  await page.getByRole("button", { name: "Stock of Light: 2" }).click();
  const dialog = page.getByRole("dialog", { name: /^Stock of/ });
  await dialog.getByLabel("Change, such as 12 or -1").fill("12");
  await dialog.getByRole("button", { name: "Save stock" }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByRole("row", { name: /\+12 received / })).toBeVisible();
  await expect(page.getByLabel("Material")).toHaveValue("Cherry");
  await expect(page.getByLabel("Price of Light", { exact: true })).toHaveValue("55.00");
  await save.click();
  await expect(save).toBeDisabled();
  await expect(history).toHaveCount(2);
});

test("unsaved input stays when the page fails or is of a newer build after a change of stock", async ({
  page,
}) => {
  await signIn(page, "Sample Admin", "/admin/products/new");
  await fill(page, unique("kept tray"));
  const save = page.getByRole("button", { name: "Save", exact: true });
  await save.click();
  await expect(page.getByText(" saved.")).toBeVisible();
  await page.getByLabel("Material").fill("Cherry");
  const dialog = page.getByRole("dialog", { name: /^Stock of/ });
  const answers = [
    { page: "errors/error", props: { message: "It broke." }, status: 500 },
    { shared: { build: "newer" } },
  ];
  for (const [nth, answer] of answers.entries()) {
    await page.route(
      `**${new URL(page.url()).pathname}/_payload.json`,
      async (route) => {
        const response = await route.fetch();
        const json = { ...(await response.json()), ...answer };
        await route.fulfill({ response, status: answer.status ?? 200, json });
      },
      { times: 1 },
    );
    await page.getByRole("button", { name: `Stock of Light: ${nth + 2}` }).click();
    await dialog.getByLabel("Change, such as 12 or -1").fill("1");
    await dialog.getByRole("button", { name: "Save stock" }).click();
    await expect(page.getByText(`${nth + 3} on hand now.`)).toBeVisible();
    await expect(page.getByLabel("Material")).toHaveValue("Cherry");
  }
  await save.click();
  await expect(save).toBeDisabled();
  await expect(page.getByRole("row", { name: /\+1 received / })).toHaveCount(2);
});

test("the end of a save takes nobody away from another page", async ({ page }) => {
  await signIn(page, "Sample Admin", "/admin/products/new");
  await fill(page, unique("late tray"));
  let goOn = () => {};
  const answered = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  await page.route("**/api/admin/products?id=*", async (route) => {
    await answered;
    await route.continue();
  });
  await page.getByRole("button", { name: "Save" }).click();
  page.once("dialog", (dialog) => void dialog.accept());
  await page.getByRole("link", { name: "Orders", exact: true }).first().click();
  const heading = page.getByRole("heading", { name: "Orders", level: 1 });
  await expect(heading).toBeVisible();
  goOn();
  await expect(page.getByText(" saved.")).toBeVisible();
  await expect(page).toHaveURL("/admin/orders");
  await expect(heading).toBeVisible();
});

test("who has left a product is told why it was not saved", async ({ page, context }) => {
  await signIn(page, "Sample Admin", "/admin/products/new");
  const title = unique("left tray");
  await fill(page, title);
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText(" saved.")).toBeVisible();
  const address = page.url();
  const other = await context.newPage();
  const change = async (by: Page, label: string) => {
    await by.getByLabel(label).fill(`By ${Date.now()}`);
    await by.getByRole("button", { name: "Save" }).click();
  };
  const refusal = {
    code: "invalid",
    detail: "Check your input.",
    errors: { title: ["Too long."] },
  };
  for (const [answer, told] of [
    [undefined, "Someone else has changed this product."],
    [{ status: 422, json: refusal }, "Check your input."],
  ] as const) {
    await open(page, address);
    await open(other, address);
    await change(other, "Subtitle");
    await expect(other.getByText(" saved.")).toBeVisible();
    const goOn = await hold(page, "**/api/admin/products/*", answer);
    const sent = page.waitForRequest("**/api/admin/products/*");
    await change(page, "Material");
    await sent;
    page.once("dialog", (dialog) => void dialog.accept());
    await page.getByRole("link", { name: "Orders", exact: true }).first().click();
    await expect(page.getByRole("heading", { name: "Orders", level: 1 })).toBeVisible();
    goOn();
    const toast = page.locator(".toast-error");
    await expect(toast).toContainText(`${title} was not saved.`);
    await expect(toast).toContainText(told);
    await page.unroute("**/api/admin/products/*");
  }
});

test("a copy that is late takes nobody away from another page", async ({ page }) => {
  // Other tests count what they find of the product that they copy.
  await signIn(page, "Sample Admin", "/admin/products?q=calibration&status=active");
  await page.locator("a.product-cell").first().click();
  const goOn = await hold(page, "**/duplicate*");
  await page.getByRole("button", { name: "Duplicate" }).click();
  await page.getByRole("link", { name: "Orders", exact: true }).first().click();
  await page.getByRole("link", { name: "New order" }).click();
  await expect(page).toHaveURL("/admin/orders/new");
  const email = page.getByLabel("Email");
  await email.fill("ada@shop.example");
  goOn();
  await expect(page.getByText(/^Copy of .* created\.$/)).toBeVisible();
  await expect(page).toHaveURL("/admin/orders/new");
  await expect(email).toHaveValue("ada@shop.example");
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

test("who signs in again returns to the product that was just created, with what was typed", async ({
  page,
}) => {
  await signIn(page, "Sample Admin", "/admin/products/new");
  await fill(page, unique("hour tray"));
  const save = page.getByRole("button", { name: "Save" });
  await save.click();
  await expect(page.getByText(" saved.")).toBeVisible();
  const address = page.url();
  await page.getByLabel("Material").fill("Cherry");
  await page.context().clearCookies({ name: "session" });
  await page
    .getByLabel("Add images")
    .setInputFiles({ name: "one.png", mimeType: "image/png", buffer: png(120, 120) });
  const fetched = page.waitForResponse(`${address}/_payload.json`);
  await signInAgain(page, "Sample Admin");
  await (await fetched).finished();
  await expect(page.getByRole("heading", { name: "History" })).toBeVisible();
  await expect(page).toHaveURL(address);
  await expect(page.getByLabel("Material")).toHaveValue("Cherry");
  await save.click();
  await expect(save).toBeDisabled();
  await page.reload();
  await expect(page.getByLabel("Material")).toHaveValue("Cherry");
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
  const apply = dialog.getByRole("button", { name: /^Change \d+ products$/ });
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

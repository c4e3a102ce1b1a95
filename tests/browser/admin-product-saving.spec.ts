// What is saved of a product: when others change it too, an answer is lost or late, or the sign-in has ended.
import type { Route } from "@playwright/test";
import { violations } from "./axe";
import { fill, png, unique } from "./product-form";
import { expect, open, type Page, test } from "./shop";
import { hold, signIn, signInAgain } from "./staff";

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

test("what a detail lacks is told at its row, even below a blank one", async ({ page }) => {
  await signIn(page, "Sample Admin", "/admin/products/new");
  await fill(page, unique("plain tray"));
  const add = page.getByRole("button", { name: "Add a detail" });
  await add.click();
  await add.click();
  await page.getByLabel("Detail 2 name").fill("Height");
  const save = page.getByRole("button", { name: "Save" });
  await save.click();
  const name = page.getByLabel(/^Detail \d name$/);
  await expect(name).toHaveCount(1);
  await expect(name).toHaveValue("Height");
  await expect(name).toBeFocused();
  await expect(name).toHaveAccessibleDescription("Required.");
  await page.getByLabel("Detail 1 value").fill("12 cm");
  await save.click();
  await expect(page.getByText(" saved.")).toBeVisible();
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

test("what is typed while a product is being saved stays", async ({ page }) => {
  await signIn(page, "Sample Admin", "/admin/products/new");
  // Exactly: while it is being saved the button is disabled, too, as "Saving…".
  const save = page.getByRole("button", { name: "Save", exact: true });
  await fill(page, unique("slow tray"));
  const goOn = await hold(page, "**/api/admin/products?id=*");
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
  const save = dialog.getByRole("button", { name: "Save stock" });
  await save.click();
  await expect(dialog.getByText("Enter a change, a count, or a threshold.")).toBeVisible();
  await number.fill("12");
  const { origin, pathname } = new URL(page.url());
  const product = await (await page.request.get(`/api${pathname}`)).json();
  const lost = await page.request.post(`/api/admin/stock/${product.content.variants[1].id}`, {
    data: { seen: 2, delta: -1, reason: "lost", low_stock_threshold: 9 },
    headers: { origin, "sec-fetch-site": "same-origin" },
  });
  expect(lost.ok()).toBe(true);
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
    const onHand = page.getByLabel("On hand of Light");
    await expect(onHand).toHaveValue("");
    await onHand.fill("5");
    await onHand.clear();
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
  await page.getByRole("button", { name: "Stock of Light: 14" }).click();
  await dialog.getByLabel("Setting a new count").check();
  await dialog.getByRole("spinbutton", { name: "Counted" }).fill("13");
  await dialog.getByRole("button", { name: "Save stock" }).click();
  await expect(page.getByRole("row", { name: / -1 counted / })).toBeVisible();
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
  const goOn = await hold(page, "**/api/admin/products?id=*");
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

// Staff change the settings, and shoppers see it at once.
import { writeFile } from "node:fs/promises";
import { violationsInBoth } from "./axe";
import { expect, open, type Page, test } from "./shop";
import { complaints, hold, STALE, signIn, signInAgain } from "./staff";

const TOOL = "/product/three-way-pipe-tool?variant=TWT-SIN";
const PARTS = [
  "promotions",
  "shipping",
  "tax",
  "compliance",
  "legal?document=refund-return-policy",
  "company",
  "mail",
  "roles",
  "reports",
].map((part) => `/admin/settings/${part}`);

// All of them change the same shop, so they run one after another.
test.describe.configure({ mode: "serial" });

/** A checkout with the tool in the cart, filled in up to the address. */
async function checkOut(page: Page, state: string, zip: string): Promise<void> {
  await open(page, TOOL);
  await page.getByRole("button", { name: /^Add to cart/ }).click();
  await expect(page.locator(".cart-count")).toContainText("item");
  await open(page, "/checkout");
  await page.getByLabel("State", { exact: true }).selectOption(state);
  await page.getByLabel("ZIP code").fill(zip);
}

/** A failed attempt may have left a draft. */
async function withoutDraft(page: Page): Promise<void> {
  if (await page.getByRole("button", { name: "Discard draft" }).isVisible()) {
    await discardDraft(page);
    await open(page, page.url());
  }
}

/** Discards the draft of the legal text that the page shows. */
async function discardDraft(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Discard draft" }).click();
  const question = page.getByRole("dialog", { name: "Discard the draft?" });
  await question.getByRole("button", { name: "Discard draft" }).click();
  await expect(page.getByText("Published", { exact: true })).toBeVisible();
}

test("a promo code is made by keyboard alone and takes something off in the cart", async ({
  page,
  shopper,
}, testInfo) => {
  // A code is permanent, so each retry needs a new one.
  const code = `browser30${testInfo.repeatEachIndex}${testInfo.retry}`;
  const heard = complaints(page);
  await signIn(page, "Sample Admin", "/admin/audit");
  await page.keyboard.press("g");
  await page.keyboard.press("s");
  await page.waitForURL("/admin/settings");
  await page.getByRole("link", { name: /^Promo codes/ }).focus();
  await page.keyboard.press("Enter");
  await page.waitForURL("/admin/settings/promotions");
  const make = page.getByRole("button", { name: "New code" });
  await make.focus();
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Code").focus();
  await page.keyboard.type(code);
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  await page.keyboard.type("300");
  await page.keyboard.press("Enter");
  await expect(dialog.getByText("above 0 and up to 100")).toBeVisible();
  await dialog.getByLabel("Percent").fill("30");
  await page.route("**/api/admin/settings/promotions*", (route) => route.fulfill({ status: 409 }));
  await page.keyboard.press("Enter");
  await expect(dialog.getByRole("alert")).toHaveText(
    "We couldn’t reach the shop. Please try again.",
  );
  await page.unroute("**/api/admin/settings/promotions*");
  await page.keyboard.press("Enter");
  await expect(dialog).toBeHidden();
  await expect(page.getByRole("row", { name: code.toUpperCase() })).toContainText("30%");

  await open(shopper, TOOL);
  await shopper.getByRole("button", { name: /^Add to cart/ }).click();
  await expect(shopper.locator(".cart-count")).toContainText("item");
  await open(shopper, "/cart");
  await shopper.getByText("Add a promo code").click();
  await shopper.getByLabel("Promo code").fill(code);
  await shopper.keyboard.press("Enter");
  await expect(shopper.getByText("30% off")).toBeVisible();
  expect(heard).toEqual([]);
});

test("a refusal that is about no field is seen in a low window, and after its dialog is closed", async ({
  page,
}) => {
  await page.setViewportSize({ width: 1440, height: 320 });
  await signIn(page, "Sample Admin", "/admin/settings/promotions");
  await page.getByRole("button", { name: "New code" }).click();
  const dialog = page.getByRole("dialog");
  const save = dialog.getByRole("button", { name: "Save code" });
  await dialog.getByLabel("Code").fill("refused");
  await dialog.getByLabel("Percent").fill("10");
  const address = "**/api/admin/settings/promotions";
  await page.route(address, (route) => route.fulfill({ status: 409 }));
  await save.click();
  await expect(dialog.getByRole("alert")).toBeInViewport();
  await page.unroute(address);

  const refuse = await hold(page, address, { status: 409 });
  const sent = page.waitForRequest(address);
  await save.click();
  await sent;
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  refuse();
  await expect(page.locator(".toast-error")).toContainText("We couldn’t reach the shop.");
});

test("a wrong price is named by its cell, and a new one is charged at checkout", async ({
  page,
  shopper,
}) => {
  const heard = complaints(page);
  await signIn(page, "Sample Admin", "/admin/settings/shipping");
  const cell = page.getByLabel("Ground, beyond, up to 1 lb 1.64 oz");
  await cell.fill("a lot");
  await page.getByRole("button", { name: "Save shipping rates" }).click();
  await expect(page.getByText("Enter a price for this weight.")).toHaveCount(1);
  await expect(cell).toBeFocused();
  await expect(cell).toHaveAttribute("aria-invalid", "true");
  await expect(cell).toHaveAccessibleDescription("Enter a price for this weight.");
  await cell.fill("17.77");
  await page.getByRole("button", { name: "Save shipping rates" }).click();
  await expect(page.getByText("Shipping rates saved.")).toBeVisible();

  await checkOut(shopper, "HI", "96801");
  // Including the fee for an adult signature.
  await expect(shopper.getByText("$21.77").first()).toBeVisible();
  expect(heard).toEqual([]);
});

test("two who save the same prices: the second is told and loses nothing", async ({
  page,
  context,
}) => {
  await signIn(page, "Sample Admin", "/admin/settings/shipping");
  const other = await context.newPage();
  await open(other, "/admin/settings/shipping");
  for (const [each, price] of [
    [other, "18.88"],
    [page, "19.99"],
  ] as const) {
    await each.getByLabel("Ground, beyond, up to 1 lb 1.64 oz").fill(price);
    await each.getByRole("button", { name: "Save shipping rates" }).click();
    if (each === other) await expect(other.getByText("Shipping rates saved.")).toBeVisible();
  }
  const conflict = page.getByText("Someone else has changed these settings");
  await expect(conflict).toBeVisible();
  await page.getByRole("button", { name: "Load latest version" }).click();
  await expect(conflict).toBeHidden();
  await expect(page.getByLabel("Ground, beyond, up to 1 lb 1.64 oz")).toHaveValue("19.99");
  await page.getByRole("button", { name: "Save shipping rates" }).click();
  await expect(page.getByText("Shipping rates saved.")).toBeVisible();
});

test("whoever signs in again before saving is told of others’ changes, too", async ({
  page,
  context,
}) => {
  await signIn(page, "Sample Admin", "/admin/settings/shipping");
  const cell = page.getByLabel("Ground, beyond, up to 1 lb 1.64 oz");
  const save = page.getByRole("button", { name: "Save shipping rates" });
  await cell.fill("16.66");
  const other = await context.newPage();
  await open(other, "/admin/settings/shipping");
  await other.getByLabel("Ground, beyond, up to 1 lb 1.64 oz").fill("15.55");
  await other.getByRole("button", { name: "Save shipping rates" }).click();
  await expect(other.getByText("Shipping rates saved.")).toBeVisible();
  await page.route("**/api/admin/settings/shipping", (route) => route.fulfill(STALE), { times: 1 });
  await save.click();
  await signInAgain(page, "Sample Admin");
  await save.click();
  await expect(page.getByText("Someone else has changed these settings")).toBeVisible();
  await expect(cell).toHaveValue("16.66");
  await page.getByRole("button", { name: "Load latest version" }).click();
  await save.click();
  await expect(page.getByText("Shipping rates saved.")).toBeVisible();
});

test("whoever signs in again before saving a rule is told of others’ rules, too", async ({
  page,
  context,
}) => {
  await signIn(page, "Sample Admin", "/admin/settings/compliance");
  const other = await context.newPage();
  await open(other, "/admin/settings/compliance");
  for (const [each, law] of [
    [page, `Mine ${Date.now()}`],
    [other, `Theirs ${Date.now()}`],
  ] as const) {
    await each.getByRole("button", { name: "New rule" }).click();
    const dialog = each.getByRole("dialog", { name: "New rule" });
    await dialog.getByLabel("Class").selectOption("smoking_accessory");
    await dialog.getByLabel("State").selectOption("MT");
    await dialog.getByLabel("Message to shoppers").fill("Montana does not let us.");
    await dialog.getByLabel("Source").fill(law);
    if (each === page) continue;
    await dialog.getByRole("button", { name: "Save rule" }).click();
    await expect(dialog).toBeHidden();
  }
  const save = page.getByRole("button", { name: "Save rule" });
  const address = "**/api/admin/settings/compliance/rules";
  await page.route(address, (route) => route.fulfill(STALE), { times: 1 });
  await save.click();
  await signInAgain(page, "Sample Admin");
  await save.click();
  await expect(page.getByText("Someone else has changed these settings")).toBeVisible();
  await page.getByRole("button", { name: "Load latest version" }).click();
  await save.click();
  await expect(page.getByText("Rule saved.")).toBeVisible();
});

test("store pickup that was removed is added again", async ({ page }) => {
  await signIn(page, "Sample Admin", "/admin/settings/shipping");
  const add = page.getByRole("button", { name: "Add store pickup" });
  await expect(add).toBeHidden();
  // Not saved in between: other tests pick up at the same time.
  await page.getByRole("button", { name: "Remove Pick up in our store" }).click();
  await add.click();
  await expect(add).toBeHidden();
  await page.getByRole("button", { name: "Save shipping rates" }).click();
  await expect(page.getByText("Shipping rates saved.")).toBeVisible();
  await page.reload();
  await expect(page.getByText("Store pickup is free.")).toBeVisible();
  await expect(add).toBeHidden();
});

test("what a button has removed under Shipping is not lost by a link", async ({ page }) => {
  await signIn(page, "Sample Admin", "/admin/settings/shipping");
  const remove = page.getByRole("button", { name: "Remove Pick up in our store" });
  await remove.click();
  await expect(remove).toHaveCount(0);
  const taxes = page.locator(".settings-parts a[href$='/tax']");
  const asked = page.waitForEvent("dialog");
  const clicked = taxes.click();
  const question = await asked;
  expect(question.message()).toBe("Leave without saving your changes?");
  await question.dismiss();
  await clicked;
  await expect(page).toHaveURL("/admin/settings/shipping");
  await expect(remove).toHaveCount(0);
  await page.getByRole("button", { name: "Discard changes" }).click();
  await expect(remove).toBeVisible();
  // A question would be dismissed.
  await taxes.click();
  await expect(page).toHaveURL("/admin/settings/tax");
});

test("the form of a promo code stays its own when the list no longer has it", async ({
  page,
  context,
}, testInfo) => {
  const code = `STAYS${testInfo.repeatEachIndex}${testInfo.retry}`;
  await signIn(page, "Sample Admin", "/admin/settings/promotions");
  const dialog = page.getByRole("dialog");
  const save = dialog.getByRole("button", { name: "Save code" });
  await page.getByRole("button", { name: "New code" }).click();
  await dialog.getByLabel("Code").fill(code);
  await dialog.getByLabel("Percent").fill("10");
  await save.click();
  await expect(dialog).toBeHidden();

  await open(page, "/admin/settings/promotions?state=active");
  await page.getByRole("button", { name: `Edit ${code}` }).click();
  const other = await context.newPage();
  await open(other, "/admin/settings/promotions");
  await other.getByRole("button", { name: `Edit ${code}` }).click();
  const theirs = other.getByRole("dialog");
  await theirs.getByLabel("Active").uncheck();
  await theirs.getByRole("button", { name: "Save code" }).click();
  await expect(theirs).toBeHidden();

  await save.click();
  await dialog.getByRole("button", { name: "Load latest version" }).click();
  await expect(page.getByRole("dialog", { name: code })).toBeVisible();
  await expect(dialog.getByText("is no longer in this list")).toBeVisible();
  await expect(dialog.getByLabel("Code")).toBeHidden();
});

test("a file of counties can be chosen again after it was corrected", async ({
  page,
}, testInfo) => {
  await signIn(page, "Sample Admin", "/admin/settings/tax");
  const path = testInfo.outputPath("counties.csv");
  const file = page.getByLabel("Choose county file");
  for (const line of ["NY,1001,New York", "NY,10001,New York"]) {
    await writeFile(path, line);
    await file.setInputFiles(path);
    await expect(page.getByLabel("One line each: state, ZIP code, county")).toHaveValue(line);
    // Otherwise the browser would not take the same file for another choice.
    await expect(file).toHaveValue("");
  }
});

test("a late answer about counties says nothing about another text, and leaves it", async ({
  page,
}) => {
  await signIn(page, "Sample Admin", "/admin/settings/tax");
  const address = "**/settings/tax/counties";
  const text = page.getByLabel("One line each: state, ZIP code, county");
  const check = page.getByRole("button", { name: "Check file" });
  const save = page.getByRole("button", { name: "Save counties" });
  await text.fill("NY,10001,New York");
  const goOn = await hold(page, address);
  const asked = page.waitForRequest(address);
  await check.click();
  await asked;
  await text.fill("NY,10001,Kings");
  goOn();
  await expect(check).toBeEnabled();
  await expect(save).toBeDisabled();
  await page.unroute(address);

  await check.click();
  await expect(save).toBeEnabled();
  const counts = { lines: 1, added: 1, changed: 0, removed: 0 };
  const report = { ...counts, states: ["NY"], idle_rates: [], problems: [] };
  const accept = await hold(page, address, { json: report });
  const sent = page.waitForRequest(address);
  await save.click();
  await sent;
  await text.fill("PA,19103,Philadelphia");
  accept();
  await expect(page.getByText("Counties saved.")).toBeVisible();
  await expect(text).toHaveValue("PA,19103,Philadelphia");
});

test("an earlier legal text becomes the draft in the editor", async ({ page }) => {
  await signIn(page, "Sample Admin", "/admin/settings/legal?document=shipping-policy");
  const discard = page.getByRole("button", { name: "Discard draft" });
  await withoutDraft(page);
  const text = page.getByLabel("Text, in Markdown");
  const builtIn = await text.inputValue();
  // What is not saved is replaced after a confirmation only.
  const restore = page.getByRole("button", { name: "Copy to draft: the built-in text" });
  await text.fill("Not saved yet.");
  const asked = page.waitForEvent("dialog");
  const clicked = restore.click();
  await (await asked).dismiss();
  await clicked;
  await expect(text).toHaveValue("Not saved yet.");

  // So is a draft that was saved, and it is discarded after one only.
  const draft = `${builtIn}\n\nWritten by mistake.`;
  await text.fill(draft);
  await page.getByRole("button", { name: "Save draft" }).click();
  await expect(page.getByText("Draft saved.")).toBeVisible();
  const replacing = page.getByRole("dialog", { name: "Replace the draft with the built-in text?" });
  const discarding = page.getByRole("dialog", { name: "Discard the draft?" });
  for (const [button, question] of [
    [restore, replacing],
    [discard, discarding],
  ] as const) {
    await button.click();
    await expect(question).toContainText("This can’t be undone.");
    await page.keyboard.press("Escape");
    await expect(question).toBeHidden();
  }
  await open(page, page.url());
  await expect(text).toHaveValue(draft);
  // A version is read without it.
  await page.getByRole("button", { name: "View the built-in text" }).click();
  const version = page.getByRole("dialog", { name: "Built-in: Shipping Policy" });
  await expect(version.getByRole("heading", { name: "Where we ship" })).toBeVisible();
  await expect(version).not.toContainText("Written by mistake.");
  await page.keyboard.press("Escape");
  await expect(version).toBeHidden();
  await expect(text).toHaveValue(draft);

  await restore.click();
  await replacing.getByRole("button", { name: "Replace draft" }).click();
  await expect(page.getByText("Version copied to the draft.")).toBeVisible();
  await expect(text).toHaveValue(builtIn);
  await expect(page.getByRole("button", { name: "Publish" })).toBeEnabled();
  await discardDraft(page);
  await expect(text).toHaveValue(builtIn);
});

test("a text that becomes the draft late leaves what is typed into another one", async ({
  page,
}) => {
  await signIn(page, "Sample Admin", "/admin/settings/legal?document=terms-of-service");
  await withoutDraft(page);
  const goOn = await hold(page, "**/restore", { status: 204 });
  const sent = page.waitForRequest("**/restore");
  await page.getByRole("button", { name: "Copy to draft: the built-in text" }).click();
  await sent;
  const documents = page.getByRole("navigation", { name: "Documents" });
  await documents.locator("a[href$='=privacy-policy']").click();
  await expect(page).toHaveURL(/=privacy-policy$/);
  const text = page.getByLabel("Text, in Markdown");
  await text.fill("Not saved yet.");
  goOn();
  await expect(page.getByText("Version copied to the draft.")).toBeVisible();
  await expect(text).toHaveValue("Not saved yet.");
});

test("a draft that someone else has replaced is neither published nor replaced unread", async ({
  page,
  context,
}) => {
  const address = "/admin/settings/legal?document=terms-of-service";
  await signIn(page, "Sample Admin", address);
  const other = await context.newPage();
  const saveDraft = async (by: Page, end: string) => {
    const text = by.getByLabel("Text, in Markdown");
    await text.fill(`The terms of {{company}}. ${end} ${Date.now()}`);
    const saved = by.waitForResponse("**/terms-of-service/draft");
    await by.getByRole("button", { name: "Save draft" }).click();
    expect((await saved).status()).toBe(204);
  };
  const openPublish = () => page.getByRole("button", { name: "Publish" }).click();
  const dialog = page.getByRole("dialog", { name: /^Publish/ });
  const publish = dialog.getByRole("button", { name: "Publish" });
  const refused = dialog.getByText("The saved draft is no longer the text in the editor");
  await saveDraft(page, "Mine");
  await openPublish();
  await open(other, address);
  await saveDraft(other, "Theirs");
  await publish.click();
  await dialog.getByRole("button", { name: "Load latest version" }).click();
  await expect(refused).toBeVisible();
  await expect(publish).toBeDisabled();
  await dialog.getByRole("button", { name: "Close" }).click();

  // Nor after a refresh by a new sign-in.
  await saveDraft(page, "Mine again");
  await openPublish();
  await open(other, address);
  await saveDraft(other, "Theirs again");
  await page.route("**/terms-of-service/publish", (route) => route.fulfill(STALE), { times: 1 });
  await publish.click();
  await signInAgain(page, "Sample Admin");
  await expect(refused).toBeVisible();
  await expect(publish).toBeDisabled();
  await dialog.getByRole("button", { name: "Close" }).click();

  const builtIn = page.getByRole("listitem").filter({ hasText: "Built-in" });
  const copy = async () => {
    await builtIn.getByRole("button", { name: "Copy to draft: the built-in text" }).click();
    await page.getByRole("button", { name: "Replace draft" }).click();
  };
  await copy();
  await builtIn.getByRole("button", { name: "Load latest version" }).click();
  await open(other, address);
  await expect(other.getByLabel("Text, in Markdown")).toHaveValue(/Theirs again/);
  await copy();
  await expect(page.getByText("Version copied to the draft.")).toBeVisible();
  await discardDraft(page);
});

test("a legal text is written, previewed, published, and read", async ({ page }) => {
  const heard = complaints(page);
  await signIn(page, "Sample Admin", "/admin/settings/legal?document=refund-return-policy");
  const text = page.getByLabel("Text, in Markdown");
  await text.fill(`A new promise of {{company}}.\n\n${await text.inputValue()}`);
  await page.getByRole("button", { name: "Preview" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByText("A new promise of Cardinal & Briar.").first()).toBeVisible();
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Save draft" }).click();
  await expect(page.getByText("Draft", { exact: true })).toBeVisible();
  await page.getByRole("button", { name: "Publish" }).click();
  await dialog.getByRole("button", { name: "Publish" }).click();
  await expect(page.getByText(/Version \d+/).first()).toBeVisible();

  await open(page, "/content/legal/refund-return-policy");
  await expect(page.getByText("A new promise of Cardinal & Briar.").first()).toBeVisible();
  expect(heard).toEqual([]);
});

test("a legal text that someone else has published is not lost to whoever had the page open", async ({
  page,
  context,
}) => {
  const address = "/admin/settings/legal?document=refund-return-policy";
  await signIn(page, "Sample Admin", address);
  const other = await context.newPage();
  await open(other, address);
  const theirs = other.getByLabel("Text, in Markdown");
  await theirs.fill(`Theirs ${Date.now()}.\n\n${await theirs.inputValue()}`);
  await other.getByRole("button", { name: "Save draft" }).click();
  await expect(other.getByText("Draft", { exact: true })).toBeVisible();
  await other.getByRole("button", { name: "Publish" }).click();
  const dialog = other.getByRole("dialog", { name: /^Publish/ });
  await dialog.getByRole("button", { name: "Publish" }).click();
  await expect(dialog).toBeHidden();

  const mine = page.getByLabel("Text, in Markdown");
  await mine.fill(`Mine. ${await mine.inputValue()}`);
  const save = page.getByRole("button", { name: "Save draft" });
  const conflict = page.getByText("Someone else has changed these settings");
  // Also after a refresh by a new sign-in.
  const call = "**/refund-return-policy/draft";
  await page.route(call, (route) => route.fulfill(STALE), { times: 1 });
  await save.click();
  await signInAgain(page, "Sample Admin");
  await save.click();
  await expect(conflict).toBeVisible();
  await expect(mine).toHaveValue(/^Mine/);
  await page.getByRole("button", { name: "Load latest version" }).click();
  await expect(conflict).toBeHidden();
  await save.click();
  await expect(page.getByText("Draft saved.")).toBeVisible();
  await discardDraft(page);
});

test("a legal text of a wrong day is withdrawn", async ({ page }) => {
  const heard = complaints(page);
  await signIn(page, "Sample Admin", "/admin/settings/legal?document=privacy-policy");
  const text = page.getByLabel("Text, in Markdown");
  await text.fill(`${await text.inputValue()}\n\nFrom a wrong day on.`);
  await page.getByRole("button", { name: "Save draft" }).click();
  await page.getByRole("button", { name: "Publish" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Effective").fill("2099-01-01");
  await dialog.getByRole("button", { name: "Publish" }).click();
  const newest = page
    .getByRole("listitem")
    .filter({ hasText: /Version \d+/ })
    .first();
  await expect(newest).toContainText("Scheduled");
  const withdraw = async () => {
    await newest.getByRole("button", { name: /^Withdraw version/ }).click();
    await dialog.getByRole("button", { name: "Withdraw" }).click();
  };
  // A refusal is told even if the dialog is closed.
  const refuse = await hold(page, "**/withdraw", { status: 409 });
  const sent = page.waitForRequest("**/withdraw");
  await withdraw();
  await sent;
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  refuse();
  await expect(page.locator(".toast-error")).toContainText("We couldn’t reach the shop.");
  await page.unroute("**/withdraw");
  await withdraw();
  await expect(dialog).toBeHidden();
  await expect(newest).toContainText("Withdrawn");
  await expect(newest).toContainText("Was to take effect January 1, 2099");
  expect(heard).toEqual([]);
});

test("who has left the reports is told that a class is not reported", async ({ page }) => {
  await signIn(page, "Sample Admin", "/admin/settings/reports");
  const address = "**/compliance/classes/*";
  const refuse = await hold(page, address, { status: 409 });
  const sent = page.waitForRequest(address);
  await page.locator(".settings-counties").getByRole("checkbox").first().click();
  await sent;
  await page.locator(".settings-parts a[href$='/company']").click();
  await expect(page).toHaveURL("/admin/settings/company");
  await expect(page.getByRole("heading", { level: 1, name: "Company" })).toBeVisible();
  refuse();
  await expect(page.locator(".toast-error")).toContainText("We couldn’t reach the shop.");
});

test("a compliance rule closes a state at checkout", async ({ page, shopper }) => {
  const heard = complaints(page);
  await signIn(page, "Sample Admin", "/admin/settings/compliance");
  await page.getByRole("button", { name: "New rule" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Class").selectOption("smoking_accessory");
  await dialog.getByLabel("State").selectOption("WY");
  await expect(dialog.getByText(/Applies to \d+ active products/)).toBeVisible();
  await dialog.getByLabel("Source").fill("A law of the test");
  await dialog.getByRole("button", { name: "Save rule" }).click();
  await expect(dialog.getByText("Enter 10 to 300 characters")).toBeVisible();
  await dialog.getByLabel("Message to shoppers").fill("Wyoming does not let us.");
  await dialog.getByRole("button", { name: "Save rule" }).click();
  await expect(dialog).toBeHidden();
  const rule = page.getByRole("row", { name: /Wyoming does not let us/ }).first();
  await expect(rule).toContainText("Current");

  await checkOut(shopper, "WY", "82001");
  await expect(shopper.getByText(/Wyoming does not let us/).first()).toBeVisible();
  expect(heard).toEqual([]);
});

test("a scheduled rule is replaced on its own days", async ({ page }) => {
  const stamp = Date.now();
  await signIn(page, "Sample Admin", "/admin/settings/compliance");
  await page.getByRole("button", { name: "New rule" }).click();
  const dialog = page.getByRole("dialog");
  const first = dialog.getByLabel("First day");
  const end = dialog.getByLabel("Ends before");
  const today = Date.parse(await first.inputValue());
  const day = (later: number) => new Date(today + later * 86_400_000).toISOString().slice(0, 10);
  const save = async (source: string) => {
    await dialog.getByLabel("Source").fill(source);
    await dialog.getByRole("button", { name: "Save rule" }).click();
    await expect(dialog).toBeHidden();
  };
  await dialog.getByLabel("Class").selectOption("smoking_accessory");
  await dialog.getByLabel("State").selectOption("ND");
  await dialog.getByLabel("Message to shoppers").fill("North Dakota does not let us.");
  await first.fill(day(10));
  await end.fill(day(20));
  await save(`Wrong ${stamp}`);

  const rules = page.getByRole("row").filter({ hasText: "North Dakota" });
  const wrong = rules.filter({ hasText: `Wrong ${stamp}` });
  await wrong.getByRole("button", { name: /^Replace the rule/ }).click();
  await expect(page.getByRole("dialog", { name: "Replace rule: North Dakota" })).toBeVisible();
  await expect(first).toHaveValue(day(10));
  await expect(end).toHaveValue(day(20));
  await save(`Right ${stamp}`);
  await expect(rules.filter({ hasText: `Right ${stamp}` })).toContainText("Scheduled");
  await expect(wrong).toContainText("corrected on");
  await expect(rules.filter({ hasText: "Current" })).toHaveCount(0);
});

test("words of an email are given up after a question only", async ({ page }) => {
  await signIn(page, "Sample Admin", "/admin/settings/mail");
  await page.locator("summary").filter({ hasText: "Pickup correction" }).click();
  const form = page.getByRole("form", { name: "Pickup correction" });
  const closing = form.getByLabel("Closing");
  await closing.fill("Call us.");
  await form.getByRole("button", { name: "Save email" }).click();
  await expect(page.getByText("Pickup correction email saved.")).toBeVisible();
  const restore = form.getByRole("button", { name: "Restore built-in text" });
  const question = page.getByRole("dialog", { name: "Restore the built-in text?" });
  await restore.click();
  await expect(question).toContainText("This can’t be undone.");
  await page.keyboard.press("Escape");
  await expect(question).toBeHidden();
  await expect(closing).toHaveValue("Call us.");
  await restore.click();
  await question.getByRole("button", { name: "Restore built-in text" }).click();
  await expect(question).toBeHidden();
  await expect(restore).toHaveCount(0);
  await expect(closing).toHaveValue("");
});

for (const width of [1440, 390]) {
  test(`every part fits ${width} pixels and is accessible`, async ({ page }) => {
    const heard = complaints(page);
    await page.setViewportSize({ width, height: 900 });
    await signIn(page, "Sample Admin", PARTS[0] ?? "");
    for (const path of PARTS) {
      await open(page, path);
      expect(await violationsInBoth(page), path).toEqual([]);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth);
      expect(wide, `${path} scrolls sideways`).toBeLessThanOrEqual(width);
      const cut = page
        .locator(".settings-rates input")
        .evaluateAll((inputs) =>
          inputs.flatMap((each) =>
            each instanceof HTMLInputElement && each.scrollWidth > each.clientWidth
              ? each.value
              : [],
          ),
        );
      expect(await cut, path).toEqual([]);
      const shots = process.env.SHOTS;
      const name = path.replace(/\?.*/, "").split("/").at(-1);
      if (shots) await page.screenshot({ path: `${shots}/${name}-${width}.png`, fullPage: true });
    }
    expect(heard).toEqual([]);
  });
}

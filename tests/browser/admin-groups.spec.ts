// Categories and collections: their products appear in the shop.
import { violations } from "./axe";
import { expect, open, test } from "./shop";
import { complaints, hold, signIn } from "./staff";

test("a category is made, moved, renamed and deleted", { tag: "@phone" }, async ({ page }) => {
  const heard = complaints(page);
  const name = `Trays ${Date.now()}`;
  await signIn(page, "Sample Admin", "/admin/products/groups");
  await page.getByRole("button", { name: "New category" }).click();
  const form = page.getByRole("dialog", { name: "New category" });
  await form.getByLabel("Name").fill(name);
  await expect(form.getByLabel("Address")).toHaveValue(name.toLowerCase().replace(" ", "-"));
  await form.getByLabel("Description").fill("To put things on.");
  expect(await violations(page)).toEqual([]);
  await form.getByRole("button", { name: "Save" }).click();
  const row = page.getByRole("row").filter({ hasText: name });
  await expect(row).toBeVisible();
  await expect(form).toBeHidden();
  await page.getByRole("button", { name: `Move ${name} up` }).click();
  await expect(page.getByText(`${name} moved.`)).toBeVisible();
  await page.getByRole("button", { name: `Edit ${name}` }).click();
  const edit = page.getByRole("dialog", { name: "Category" });
  await edit.getByLabel("Address").fill("pipes");
  await edit.getByRole("button", { name: "Save" }).click();
  await expect(edit.getByLabel("Address")).toHaveAttribute("aria-invalid", "true");
  await edit.getByRole("button", { name: "Delete" }).click();
  const question = page.getByRole("dialog", { name: `Delete ${name}?` });
  await expect(question).toContainText("Links to its page will lead to the category above it");
  expect(await violations(page)).toEqual([]);
  await page.keyboard.press("Escape");
  await expect(question).toBeHidden();
  await expect(edit.getByLabel("Address")).toHaveValue("pipes");
  await edit.getByRole("button", { name: "Delete" }).click();
  await question.getByRole("button", { name: "Delete category" }).click();
  await expect(row).toHaveCount(0);
  expect(heard).toEqual([]);
});

test("an address that was typed stays when the name is edited", async ({ page }) => {
  await signIn(page, "Sample Admin", "/admin/products/groups");
  for (const [title, name, address] of [
    ["New category", "Name", "Address"],
    ["New collection", "Title", "Handle"],
  ] as const) {
    await page.getByRole("button", { name: title }).click();
    const form = page.getByRole("dialog", { name: title });
    await form.getByLabel(name).fill("Trays");
    await expect(form.getByLabel(address)).toHaveValue("trays");
    await form.getByLabel(address).fill("bowls");
    await form.getByLabel(name).fill("Trays for keys");
    await expect(form.getByLabel(address)).toHaveValue("bowls");
    await page.keyboard.press("Escape");
    await expect(form).toBeHidden();
  }
});

test("a second click while a category is being moved does nothing", async ({ page }) => {
  const name = `Stands ${Date.now()}`;
  await signIn(page, "Sample Admin", "/admin/products/groups");
  await page.getByRole("button", { name: "New category" }).click();
  await page.getByRole("dialog").getByLabel("Name").fill(name);
  await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
  await expect(page.getByRole("dialog")).toBeHidden();
  let sent = 0;
  page.on("request", (request) => {
    if (request.url().includes("/api/admin/categories/")) sent += 1;
  });
  const goOn = await hold(page, "**/api/admin/categories/*");
  const up = page.getByRole("button", { name: `Move ${name} up` });
  await up.dblclick();
  await expect(up).toBeDisabled();
  goOn();
  await expect(page.getByText(`${name} moved.`)).toBeVisible();
  await expect(up).toBeEnabled();
  expect(sent).toBe(1);
});

test("who edits a category that has changed in the meantime is told, and goes on", async ({
  page,
  context,
}) => {
  const name = `Racks ${Date.now()}`;
  await signIn(page, "Sample Admin", "/admin/products/groups");
  await page.getByRole("button", { name: "New category" }).click();
  await page.getByRole("dialog").getByLabel("Name").fill(name);
  await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
  await expect(page.getByRole("dialog")).toBeHidden();
  const other = await context.newPage();
  await open(other, "/admin/products/groups");
  for (const each of [page, other])
    await each.getByRole("button", { name: `Edit ${name}` }).click();
  const theirs = other.getByRole("dialog");
  await theirs.getByLabel("Name").fill(`${name} of theirs`);
  await theirs.getByLabel("Description").fill("Theirs");
  await theirs.getByRole("button", { name: "Save" }).click();
  await expect(theirs).toBeHidden();
  const form = page.getByRole("dialog");
  await form.getByLabel("Description").fill("Mine");
  await form.getByRole("button", { name: "Save" }).click();
  const note = form.getByRole("alert");
  await expect(note).toContainText("Someone else has changed this category");
  await expect(note).toContainText("You both changed: Description. Keeping your version");
  await expect(form.getByLabel("Description")).toHaveValue("Mine");
  expect(await violations(page)).toEqual([]);
  await form.getByRole("button", { name: "Keep my changes" }).click();
  await expect(form.getByRole("heading", { name: "Category" })).toBeFocused();
  await expect(form.getByLabel("Name")).toHaveValue(`${name} of theirs`);
  await expect(form.getByLabel("Description")).toHaveValue("Mine");
  await form.getByRole("button", { name: "Save" }).click();
  await expect(form).toBeHidden();

  // If it was only moved, there is nothing to tell.
  await page.getByRole("button", { name: `Edit ${name} of theirs` }).click();
  await form.getByLabel("Description").fill("Mine after the move");
  await open(other, "/admin/products/groups");
  await other.getByRole("button", { name: `Move ${name} of theirs up` }).click();
  await expect(other.getByText(`${name} of theirs moved.`)).toBeVisible();
  await form.getByRole("button", { name: "Save" }).click();
  await expect(form).toBeHidden();
});

test("a search in a dialog that fails says so there", async ({ page }) => {
  await signIn(page, "Sample Admin", "/admin/products/groups");
  await page.getByRole("button", { name: "New collection" }).click();
  const form = page.getByRole("dialog", { name: "New collection" });
  const field = form.getByLabel("Add a product");
  await page.route("**/api/admin/search?*", (route) => route.abort());
  await field.fill("key-ring");
  await expect(form.getByRole("status")).toContainText("We couldn’t reach the shop.");
  // The dialog would cover it.
  await expect(page.locator(".toast")).toHaveCount(0);
  await page.unroute("**/api/admin/search?*");
  await field.fill("");
  await field.fill("key-ring");
  await expect(form.getByRole("option", { name: "Key-Ring Punch" })).toBeVisible();
  await expect(form.getByRole("status")).toHaveText("");
});

test("who adds too many products to a collection is told", async ({ page }) => {
  const message = "A collection can have at most 500 products.";
  await page.route("**/api/admin/collections", (route) =>
    route.fulfill({
      status: 422,
      contentType: "application/problem+json",
      body: JSON.stringify({
        type: "about:blank",
        title: "Unprocessable Content",
        status: 422,
        detail: "Some fields need to be corrected.",
        code: "invalid",
        errors: { products: [message] },
      }),
    }),
  );
  await signIn(page, "Sample Admin", "/admin/products/groups");
  await page.getByRole("button", { name: "New collection" }).click();
  const form = page.getByRole("dialog", { name: "New collection" });
  await form.getByLabel("Title").fill("Everything");
  await form.getByRole("button", { name: "Save" }).click();
  await expect(form.getByRole("alert")).toHaveText(message);
});

test("a collection is listed, staff only look, and deleting it asks first", async ({ page }) => {
  const heard = complaints(page);
  // Exports of products that other tests import name no collection that is gone by then.
  const title = `Gifts ${Date.now()}`;
  await signIn(page, "Sample Admin", "/admin/products/groups");
  await page.getByRole("button", { name: "New collection" }).click();
  const form = page.getByRole("dialog", { name: "New collection" });
  await form.getByLabel("Title").fill(title);
  await form.getByLabel("Add a product").fill("key-ring");
  await form.getByRole("option", { name: "Key-Ring Punch" }).click();
  await expect(form.getByRole("button", { name: "Remove Key-Ring Punch" })).toBeVisible();
  expect(await violations(page)).toEqual([]);
  await form.getByRole("button", { name: "Save" }).click();
  await expect(page.getByRole("row").filter({ hasText: title })).toContainText("Key-Ring Punch");
  await signIn(page, "Sample Staff", "/admin/products/groups");
  await expect(page.getByRole("row").filter({ hasText: title })).toBeVisible();
  await expect(page.getByRole("button", { name: /^(New|Edit|Move)/ })).toHaveCount(0);

  await signIn(page, "Sample Admin", "/admin/products/groups");
  await page.getByRole("button", { name: `Edit ${title}` }).click();
  const edit = page.getByRole("dialog", { name: "Collection" });
  await edit.getByRole("button", { name: "Delete" }).click();
  const question = page.getByRole("dialog", { name: `Delete ${title}?` });
  await expect(question).toContainText("Its products (1) stay in the shop.");
  await question.getByRole("button", { name: "Keep collection" }).click();
  await expect(question).toBeHidden();
  await expect(edit.getByRole("button", { name: "Remove Key-Ring Punch" })).toBeVisible();
  await open(page, "/admin/products/groups");
  await page.getByRole("button", { name: `Edit ${title}` }).click();
  await edit.getByRole("button", { name: "Delete" }).click();
  await question.getByRole("button", { name: "Delete collection" }).click();
  await expect(page.getByRole("row").filter({ hasText: title })).toHaveCount(0);
  expect(heard).toEqual([]);
});

test("a collection’s form fetches its products, also after someone else has changed it", async ({
  page,
}) => {
  const title = `Pouches ${Date.now()}`;
  await signIn(page, "Sample Admin", "/admin/products/groups");
  await page.getByRole("button", { name: "New collection" }).click();
  const form = page.getByRole("dialog", { name: "New collection" });
  await form.getByLabel("Title").fill(title);
  await form.getByLabel("Add a product").fill("key-ring");
  await form.getByRole("option", { name: "Key-Ring Punch" }).click();
  const created = page.waitForResponse("**/api/admin/collections");
  await form.getByRole("button", { name: "Save" }).click();
  const { id } = await (await created).json();
  await expect(form).toBeHidden();

  const edit = page.getByRole("dialog", { name: "Collection" });
  const member = edit.getByRole("button", { name: "Remove Key-Ring Punch" });
  const call = `**/api/admin/collections/${id}`;
  await page.route(call, (route) => route.abort(), { times: 1 });
  await page.getByRole("button", { name: `Edit ${title}` }).click();
  await expect(edit.getByRole("alert")).toContainText("We couldn’t reach the shop.");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: `Edit ${title}` }).click();
  await expect(member).toBeVisible();

  const { origin } = new URL(page.url());
  const { form: theirs } = await (await page.request.get(`/api/admin/collections/${id}`)).json();
  const changed = await page.request.put(`/api/admin/collections/${id}`, {
    data: { ...theirs, title: `${title} of theirs`, products: null },
    headers: { origin, "sec-fetch-site": "same-origin" },
  });
  expect(changed.ok()).toBe(true);
  await edit.getByLabel("Description").fill("Mine");
  // Also where it cannot be fetched, its editor is told, and the page behind the dialog shows it.
  await page.route(call, (route) =>
    route.request().method() === "GET" ? route.abort() : route.fallback(),
  );
  await edit.getByRole("button", { name: "Save" }).click();
  await expect(edit.getByRole("alert")).toContainText("Someone else has changed this.");
  await expect(page.locator("tr", { hasText: `${title} of theirs` })).toHaveCount(1);
  await page.unroute(call);
  await edit.getByRole("button", { name: "Save" }).click();
  await edit.getByRole("button", { name: "Keep my changes" }).click();
  await expect(edit.getByLabel("Title")).toHaveValue(`${title} of theirs`);
  await expect(member).toBeVisible();
  await edit.getByRole("button", { name: "Save" }).click();
  await expect(edit).toBeHidden();
  const row = page.getByRole("row").filter({ hasText: `${title} of theirs` });
  await expect(row).toContainText("Key-Ring Punch");
  await page.getByRole("button", { name: `Edit ${title} of theirs` }).click();
  await expect(edit.getByLabel("Description")).toHaveValue("Mine");
  await edit.getByRole("button", { name: "Delete" }).click();
  await page.getByRole("button", { name: "Delete collection" }).click();
  await expect(row).toHaveCount(0);
});

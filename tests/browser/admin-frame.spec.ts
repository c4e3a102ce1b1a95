// The common parts of all admin pages, and access control.
import { violations, violationsInBoth } from "./axe";
import { documents, expect, hydrated, open, payloads, test } from "./shop";
import { complaints, hold, signIn } from "./staff";

test("the keyboard leads everywhere", async ({ page }) => {
  const heard = complaints(page);
  await signIn(page, "Sample Owner", "/admin/users");
  const loaded = documents(page);
  await page.keyboard.press("g");
  await page.keyboard.press("l");
  await expect(page).toHaveURL("/admin/audit");
  await expect(page.getByRole("heading", { name: "Audit log", level: 1 })).toBeVisible();
  await page.keyboard.press("?");
  const sheet = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  await expect(sheet).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(sheet).toBeHidden();
  await page.keyboard.press("Control+k");
  const field = page.getByRole("combobox", { name: /^Search orders, products, and customers/ });
  // What is typed at once is in the field, and no shortcut.
  await page.keyboard.type("us");
  await expect(field).toBeFocused();
  await expect(field).toHaveValue("us");
  await expect(page.getByRole("option")).toHaveCount(1);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL("/admin/users");
  // The address changes before the page does.
  await expect(page.getByRole("heading", { name: "Users", level: 1 })).toBeVisible();
  await page.keyboard.press("/");
  const search = page.getByRole("searchbox", { name: "Search by name, email, or phone" });
  await expect(search).toBeFocused();
  await page.keyboard.type("sample ow");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL("/admin/users?q=sample+ow");
  await expect(page.getByRole("row")).toHaveCount(2);
  // Single-key shortcuts do nothing in a text field.
  await page.keyboard.press("Control+k");
  await page.keyboard.type("g l?");
  await expect(field).toHaveValue("g l?");
  expect(loaded).toEqual([]);
  expect(heard).toEqual([]);
});

test("Enter opens what is found for the present text, once it is found", async ({ page }) => {
  await signIn(page, "Sample Owner", "/admin/users");
  let goOn = () => {};
  const answered = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  const nothing = { checkouts: [], drafts: [], products: [], customers: [] };
  await page.route("**/api/admin/search?*", async (route) => {
    const q = new URL(route.request().url()).searchParams.get("q");
    if (q === "1002") await answered;
    const href = q === "1002" ? "/admin/audit" : "/admin/products";
    await route.fulfill({ json: { ...nothing, orders: [{ label: q, detail: "", href }] } });
  });
  await page.keyboard.press("Control+k");
  const field = page.getByRole("combobox", { name: /^Search orders, products, and customers/ });
  await field.fill("1001");
  await expect(page.getByRole("option", { name: "1001" })).toBeVisible();
  await field.fill("1002");
  await field.press("Enter");
  goOn();
  await expect(page).toHaveURL("/admin/audit");
});

test("a search that is not answered yet, or failed, is not said to have found nothing", async ({
  page,
}) => {
  await signIn(page, "Sample Owner", "/admin/users");
  await page.keyboard.press("Control+k");
  const palette = page.getByRole("dialog", { name: "Search or go to" });
  const field = palette.getByRole("combobox");
  const status = palette.getByRole("status");
  await field.fill("sample owner");
  await expect(palette.getByRole("option", { name: "Sample Owner" })).toBeVisible();
  const fail = await hold(page, "**/api/admin/search?*", { status: 503 });
  const asked = page.waitForRequest("**/api/admin/search?*");
  await field.fill("nobody of this name");
  await asked;
  await expect(status).toHaveText("Searching…");
  fail();
  await expect(status).toHaveText("We couldn’t reach the shop. Please try again.");
  await expect(palette.getByRole("option")).toHaveCount(0);
  await page.unroute("**/api/admin/search?*");
  await field.fill("nobody of that name");
  await expect(status).toHaveText("No matches.");
});

test("of a list for staff only the link under the pointer is prefetched", async ({ page }) => {
  await signIn(page, "Sample Owner", "/admin/products");
  await page.clock.install();
  await open(page, "/admin/products");
  const asked = payloads(page);
  await page.clock.runFor(5000);
  expect(asked).toEqual([]);
  const fetched = page.waitForRequest("**/_payload.json");
  await page.locator("tbody a").first().hover();
  await page.clock.runFor(100);
  await fetched;
  expect(asked).toHaveLength(1);
});

test("single keys can be switched off", async ({ page }) => {
  await signIn(page, "Sample Owner", "/admin/users");
  await page.getByRole("button", { name: "Keyboard shortcuts" }).click();
  await page.getByLabel("Use single-key shortcuts on this device").uncheck();
  await page.keyboard.press("Escape");
  await page.keyboard.press("?");
  await page.keyboard.press("Control+k");
  await expect(page.getByRole("dialog", { name: "Search or go to" })).toBeVisible();
  await expect(page.getByRole("dialog", { name: "Keyboard shortcuts" })).toBeHidden();
});

/** All admin pages without a parameter, by the lowest role that has access. */
const SCREENS = {
  "Sample Staff": [
    "overview",
    "analytics",
    "orders",
    "orders/drafts",
    "products",
    "products/groups",
    "users",
  ],
  "Sample Admin": [
    "orders/new",
    "products/new",
    "products/import",
    "settings/promotions",
    "settings/shipping",
    "settings/tax",
    "settings/compliance",
    "settings/legal",
    "settings/company",
    "settings/mail",
    "settings/roles",
    "settings/reports",
    "settings/webhooks",
    "settings/webhooks/log",
    "audit",
    "testing",
    "debug",
  ],
} as const;
const ROLES = ["Sample Shopper", "Sample Staff", "Sample Admin", "Sample Owner"] as const;

for (const [rank, account] of ROLES.entries()) {
  test(`${account} gets where they belong and nowhere else`, async ({ page }) => {
    const heard = complaints(page);
    await page.goto("/admin/users");
    await expect(page).toHaveURL(/\/authorize/);
    await signIn(page, account, "/account");
    for (const [least, screens] of Object.entries(SCREENS)) {
      const may = rank >= ROLES.indexOf(least as keyof typeof SCREENS);
      for (const screen of screens) {
        const answer = await page.goto(`/admin/${screen}`);
        expect(answer?.status(), screen).toBe(may ? 200 : 403);
        await hydrated(page);
        const ways = page.locator("nav[aria-label='Admin area']");
        await expect(ways).toHaveCount(may ? 1 : 0);
        if (!may)
          await expect(
            page.getByText("Your account doesn’t have permission to do this."),
          ).toBeVisible();
      }
    }
    expect(heard).toEqual([]);
  });
}

test("staff see their part of the navigation", { tag: "@phone" }, async ({ page }) => {
  await signIn(page, "Sample Staff", "/admin/users");
  const ways = page.getByRole("navigation", { name: "Admin area" });
  const menu = page.getByRole("button", { name: "Menu", exact: true });
  if (await menu.isVisible()) {
    await menu.click();
    await page.getByRole("button", { name: "Close menu" }).click();
    await expect(ways).toBeHidden();
    await menu.click();
  }
  await expect(ways.getByRole("link", { name: "Users" })).toHaveAttribute("aria-current", "page");
  await expect(ways.getByRole("link", { name: "Audit log" })).toHaveCount(0);
  expect(await violations(page)).toEqual([]);
});

test("an error page of the admin area leads to pages in their style", async ({ page }) => {
  await signIn(page, "Sample Staff", "/admin/overview");
  await open(page, "/admin/nothing");
  await page.getByLabel(/account menu for/).click();
  await page.getByRole("link", { name: "Admin area" }).click();
  await expect(page).toHaveURL("/admin/overview");
  await expect(page.getByRole("heading", { name: "Overview", level: 1 })).toBeVisible();
  const styles = page.locator('link[rel=stylesheet][href^="/assets/admin-"]');
  await expect(styles).toHaveCount(1);
});

test("shoppers load nothing of the admin area", async ({ page }) => {
  const inAdmin: string[] = [];
  const inShop: string[] = [];
  let seen = inAdmin;
  page.on("request", (request) => seen.push(new URL(request.url()).pathname));
  await signIn(page, "Sample Admin", "/admin/audit");
  seen = inShop;
  await page.context().clearCookies({ name: "session" });
  for (const path of ["/", "/products", "/product/double-blade-cutter", "/cart"]) {
    await open(page, path);
    await page.waitForLoadState("networkidle");
  }
  const style = inAdmin.find((path) => /^\/assets\/admin-.*\.css$/.test(path));
  const code = inAdmin.find((path) => /^\/assets\/audit-page-.*\.js$/.test(path));
  expect(style && code).toBeTruthy();
  expect(inShop).not.toContain(style);
  expect(inShop).not.toContain(code);
});

test("a list is searched, filtered, sorted and saved", { tag: "@phone" }, async ({ page }) => {
  const heard = complaints(page);
  await signIn(page, "Sample Owner", "/admin/users");
  await page.getByText("Role", { exact: true }).first().click();
  await page.getByRole("checkbox", { name: "Super admins" }).check();
  await expect(page).toHaveURL("/admin/users?role=super_admin");
  await expect(page.getByRole("row")).toHaveCount(2);
  await page.keyboard.press("Escape");
  await expect(page.getByRole("checkbox", { name: "Super admins" })).toBeHidden();
  await page.getByRole("columnheader", { name: "Name" }).getByRole("link").click();
  await expect(page).toHaveURL("/admin/users?role=super_admin&sort=name");
  await expect(page.getByRole("columnheader", { name: "Name" })).toHaveAttribute(
    "aria-sort",
    "ascending",
  );
  const name = `View ${crypto.randomUUID().slice(0, 8)}`;
  await page.getByRole("button", { name: "Save this view" }).click();
  await page.getByRole("dialog").getByLabel("Name", { exact: true }).fill(name);
  await page.getByRole("button", { name: "Save view" }).click();
  const view = page.getByRole("navigation", { name: "Views" }).getByRole("link", { name });
  await expect(view).toHaveAttribute("aria-current", "page");
  // Another view takes its name only after a confirmation.
  await page.getByRole("columnheader", { name: "Name" }).getByRole("link").click();
  await page.getByRole("button", { name: "Save this view" }).click();
  const naming = page.getByRole("dialog").getByLabel("Name", { exact: true });
  const replace = page.getByRole("button", { name: "Replace view" });
  await naming.fill(name);
  await page.getByRole("button", { name: "Save view" }).click();
  await expect(page.getByText("You already have a view with this name.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Save view" })).toBeFocused();
  await naming.fill(`${name} 2`);
  await expect(replace).toBeHidden();
  await naming.fill(name);
  await page.getByRole("button", { name: "Save view" }).click();
  await replace.click();
  await expect(view).toHaveAttribute("href", "/admin/users?role=super_admin&sort=-name");
  await page.getByRole("link", { name: "Accounts", exact: true }).click();
  await expect(page).toHaveURL("/admin/users");
  await view.click();
  await expect(page).toHaveURL("/admin/users?role=super_admin&sort=-name");
  const file = page.waitForEvent("download");
  await page.getByRole("link", { name: "Export CSV" }).click();
  expect((await file).suggestedFilename()).toBe("users.csv");
  const remove = page.getByRole("button", { name: "Delete view" });
  const question = page.getByRole("dialog", { name: `Delete “${name}”?` });
  await remove.click();
  await expect(question).toContainText("This can’t be undone.");
  await page.keyboard.press("Escape");
  await expect(question).toBeHidden();
  await expect(view).toHaveCount(1);
  await remove.click();
  await question.getByRole("button", { name: "Delete view" }).click();
  await expect(view).toHaveCount(0);
  expect(heard).toEqual([]);
});

test.describe("without scripts", () => {
  test.use({ javaScriptEnabled: false });

  test("lists are read and filtered", { tag: "@phone" }, async ({ page }) => {
    await page.goto("/auth/login?return_to=/admin/users");
    await page.getByRole("button", { name: "Sample Owner" }).click();
    await expect(page.getByRole("heading", { name: "Users", level: 1 })).toBeVisible();
    await page.getByRole("searchbox").fill("sample owner");
    await page.getByRole("button", { name: "Apply" }).click();
    await expect(page.getByRole("row")).toHaveCount(2);
  });
});

test("axe finds nothing wrong with the frame", { tag: "@phone" }, async ({ page }) => {
  const heard = complaints(page);
  await signIn(page, "Sample Owner", "/admin/audit");
  expect(await violationsInBoth(page)).toEqual([]);
  await page.keyboard.press("?");
  await expect(page.getByRole("dialog")).toBeVisible();
  expect(await violationsInBoth(page)).toEqual([]);
  await page.keyboard.press("Escape");
  await page.keyboard.press("Control+k");
  await expect(page.getByRole("option").first()).toBeVisible();
  expect(await violationsInBoth(page)).toEqual([]);
  await page.keyboard.press("Escape");
  await page.getByText("Columns").first().click();
  expect(await violationsInBoth(page)).toEqual([]);
  expect(heard).toEqual([]);
});

// Staff manage user accounts.
import { violationsInBoth } from "./axe";
import { expect, hydrated, open, type Page, test } from "./shop";
import { complaints, hold, newcomer, STALE, signIn, signInAgain } from "./staff";

/** Finds an account by its name and opens its page. */
async function find(page: Page, name: string): Promise<void> {
  await page.goto(`/admin/users?q=${encodeURIComponent(name)}`);
  await page.getByRole("link", { name }).click();
  await expect(page.getByRole("heading", { name, level: 1 })).toBeVisible();
}

const unique = (name: string) => `${name} ${crypto.randomUUID().slice(0, 8)}`;

test("an account is blocked, let in again and deleted", { tag: "@phone" }, async ({
  page,
  shopper,
}) => {
  const heard = complaints(page);
  const others = shopper.context();
  const name = unique("Blocked Newcomer");
  const other = await newcomer(others, name);
  await signIn(page, "Sample Admin", "/admin/users");
  await find(page, name);
  await page.getByRole("button", { name: "Block" }).click();
  const dialog = page.getByRole("dialog", { name: "Block this account?" });
  await dialog.getByRole("button", { name: "Block account" }).click();
  await expect(dialog.getByText("Enter a reason of 1 to 200 characters.")).toBeVisible();
  await dialog.getByLabel("Reason (staff only)").fill("A test of the block");
  await dialog.getByRole("button", { name: "Block account" }).click();
  await expect(page.getByText("Account blocked.")).toBeVisible();
  await expect(dialog).toBeHidden();
  await other.goto("/account");
  // The user is still signed in at the provider, which redirects at once: this must not cause a redirect loop.
  await expect(other).toHaveURL("/");
  await expect(other.locator(".toast")).toContainText("This account is blocked.");
  let sent = 0;
  page.on("request", (request) => {
    if (request.url().endsWith("/unblock")) sent += 1;
  });
  const goOn = await hold(page, "**/unblock");
  await page.getByRole("button", { name: "Unblock" }).dblclick();
  goOn();
  await expect(page.getByText("Account unblocked.")).toBeVisible();
  expect(sent).toBe(1);
  await page.getByRole("button", { name: "Delete", exact: true }).click();
  const question = page.getByRole("dialog", { name: "Delete this account?" });
  await expect(question).toContainText("The customer is notified by email.");
  const address = /type (\S+@shop\.example)/.exec(await question.innerText())?.[1] ?? "";
  await question.getByLabel(/^To confirm/).fill(address);
  await question.getByRole("button", { name: "Delete account" }).click();
  await expect(page.getByRole("heading", { name: "Deleted account" })).toBeVisible();
  await page.goto("/admin/audit?kind=user&q=user.erase");
  await expect(page.getByRole("cell", { name: "user.erase" }).first()).toBeVisible();
  expect(heard).toEqual([]);
});

test("by keyboard alone a role is changed, and it counts at once", async ({ page, shopper }) => {
  const others = shopper.context();
  const name = unique("Promoted Newcomer");
  const other = await newcomer(others, name);
  expect((await other.goto("/admin/users"))?.status()).toBe(403);
  await signIn(page, "Sample Owner", "/admin/users");
  await find(page, name);
  await page.getByRole("button", { name: "Change role" }).focus();
  await page.keyboard.press("Enter");
  const role = page.getByLabel("Role", { exact: true });
  while (!(await role.evaluate((element) => element === document.activeElement)))
    await page.keyboard.press("Tab");
  await page.keyboard.press("s");
  await expect(role).toHaveValue("staff");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await expect(page.getByText("Role changed.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Change role" })).toBeFocused();
  expect((await other.goto("/admin/users"))?.status()).toBe(200);
});

test("two who change the same account learn of each other", async ({ page, shopper }) => {
  const others = shopper.context();
  const name = unique("Contested Newcomer");
  await newcomer(others, name);
  await signIn(page, "Sample Admin", "/admin/users");
  await find(page, name);
  const colleague = await others.newPage();
  await signIn(colleague, "Sample Owner", "/admin/users");
  await find(colleague, name);
  await colleague.getByRole("button", { name: "Change role" }).click();
  await colleague.getByLabel("Role", { exact: true }).selectOption("staff");
  await colleague.getByRole("dialog").getByRole("button", { name: "Change role" }).click();
  await expect(colleague.getByText("Role changed.")).toBeVisible();
  await page.getByRole("button", { name: "Block" }).click();
  await page.getByLabel("Reason (staff only)").fill("Kept while the conflict is told");
  await page.getByRole("button", { name: "Block account" }).click();
  await expect(page.getByRole("dialog").getByRole("alert")).toContainText(
    "Someone else has changed this account.",
  );
  await expect(page.getByLabel("Reason (staff only)")).toHaveValue(
    "Kept while the conflict is told",
  );
  await colleague.reload();
  await hydrated(colleague);
  await expect(colleague.getByText("Blocked")).toHaveCount(0);
});

test("whoever signs in again before a role is changed is told of others’ changes, too", async ({
  page,
  shopper,
}) => {
  const others = shopper.context();
  const name = unique("Reassigned Newcomer");
  await newcomer(others, name);
  const colleague = await others.newPage();
  for (const each of [page, colleague]) {
    await signIn(each, "Sample Owner", "/admin/users");
    await find(each, name);
    await each.getByRole("button", { name: "Change role" }).click();
  }
  const role = page.getByLabel("Role", { exact: true });
  const change = page.getByRole("dialog").getByRole("button", { name: "Change role" });
  await role.selectOption("staff");
  await colleague.getByLabel("Role", { exact: true }).selectOption("admin");
  await colleague.getByRole("dialog").getByRole("button", { name: "Change role" }).click();
  await expect(colleague.getByText("Role changed.")).toBeVisible();
  await page.route("**/role", (route) => route.fulfill(STALE), { times: 1 });
  await change.click();
  await signInAgain(page, "Sample Owner");
  await change.click();
  await expect(page.getByRole("dialog").getByRole("alert")).toContainText(
    "Someone else has changed this account.",
  );
  await expect(role).toHaveValue("staff");
  await change.click();
  await expect(page.getByText("Role changed.")).toBeVisible();
});

test("a refusal is told even if its dialog is closed", async ({ page }) => {
  await signIn(page, "Sample Owner", "/admin/users");
  await find(page, "Sample Staff");
  const errors = { reason: ["Enter a reason of 1 to 200 characters."] };
  const refuse = await hold(page, "**/block", {
    status: 422,
    json: { detail: "Some fields need to be corrected.", code: "invalid", errors },
  });
  await page.getByRole("button", { name: "Block", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Block this account?" });
  const sent = page.waitForRequest("**/block");
  await dialog.getByRole("button", { name: "Block account" }).click();
  await sent;
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  refuse();
  await expect(page.locator(".toast-error")).toContainText("Some fields need to be corrected.");
});

test("who has no verified email is not said to be notified of the deletion", async ({
  page,
  shopper,
}) => {
  const name = unique("Unverified Newcomer");
  await newcomer(shopper.context(), name);
  await signIn(page, "Sample Admin", "/admin/users");
  await page.route(/\/admin\/users\/[^/]+\/_payload\.json/, async (route) => {
    const response = await route.fetch();
    const text = await response.text();
    const body = text.replace('"is_email_verified":true', '"is_email_verified":false');
    await route.fulfill({ response, body });
  });
  await open(page, `/admin/users?q=${encodeURIComponent(name)}`);
  await page.getByRole("link", { name }).click();
  await page.getByRole("button", { name: "Delete", exact: true }).click();
  await expect(page.getByRole("dialog")).toContainText("The customer isn’t notified");
});

test("who signed in too long ago is asked to sign in again", async ({ page }) => {
  await signIn(page, "Sample Owner", "/admin/users");
  await find(page, "Sample Staff");
  const problem = {
    type: "about:blank",
    title: "Forbidden",
    status: 403,
    detail: "Confirm it’s you.",
    code: "stale_sign_in",
    errors: {},
  };
  await page.route("**/api/admin/users/*/role", (route) =>
    route.fulfill({ status: 403, contentType: "application/problem+json", json: problem }),
  );
  await page.getByRole("button", { name: "Change role" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Change role" }).click();
  const link = page.getByRole("link", { name: "Sign in again" });
  await expect(link).toHaveAttribute(
    "href",
    /^\/auth\/login\?confirm=1&return_to=%2Fadmin%2Fusers/,
  );
});

test("axe finds nothing wrong with users", { tag: "@phone" }, async ({ page }) => {
  await signIn(page, "Sample Owner", "/admin/users");
  expect(await violationsInBoth(page)).toEqual([]);
  await find(page, "Sample Staff");
  expect(await violationsInBoth(page)).toEqual([]);
  for (const name of ["Change role", "Block", "Delete"]) {
    await page.getByRole("button", { name, exact: true }).click();
    await expect(page.getByRole("dialog")).toBeVisible();
    expect(await violationsInBoth(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await expect(page.getByRole("dialog")).toBeHidden();
  }
});

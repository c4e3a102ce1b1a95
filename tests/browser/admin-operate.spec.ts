// The testing and debug pages: checks of external services, and the current state of the server.
import { violations, violationsInBoth } from "./axe";
import { mailTo } from "./mailbox";
import { expect, open, type Page, test } from "./shop";
import { complaints, signIn } from "./staff";

const panel = (page: Page, name: string) =>
  page.locator("section.panel", { has: page.getByRole("heading", { name, exact: true }) });

test("everything outside is asked, and a payment is made and given back", async ({ page }) => {
  const heard = complaints(page);
  await signIn(page, "Sample Admin", "/admin/testing");
  const settings = panel(page, "Settings");
  await settings.getByRole("button", { name: "Check all" }).click();
  await expect(settings.getByRole("listitem").first()).toBeVisible();
  for (const name of ["Database", "Images", "Sign-in", "Card payment", "Email"])
    await expect(settings.getByRole("listitem").filter({ hasText: name }).first()).toContainText(
      "Works",
    );
  const payment = panel(page, "Card payment");
  await payment.getByRole("button", { name: "Pay and refund" }).click();
  await expect(payment.getByRole("listitem").filter({ hasText: "Refund" })).toContainText("Works");
  await expect(payment.getByText("Fails")).toHaveCount(0);
  expect(await violations(page)).toEqual([]);
  expect(heard).toEqual([]);
});

test("a sample of an email arrives", async ({ page, request, baseURL }) => {
  const heard = complaints(page);
  await signIn(page, "Sample Admin", "/admin/testing");
  const mail = panel(page, "Email");
  const address = `${crypto.randomUUID()}@shop.example`;
  await mail.getByLabel("To").fill("nobody");
  await mail.getByRole("button", { name: "Send test email" }).click();
  await expect(mail.getByText("Not sent")).toBeVisible();
  await mail.getByLabel("To").fill(address);
  await mail.getByLabel("Kind").selectOption("order_return_approved");
  await mail.getByRole("button", { name: "Send test email" }).click();
  await expect(mail.getByText("Accepted")).toBeVisible();
  const [email] = await mailTo(request, baseURL, address);
  expect(email?.subject).toContain("Return approved");
  expect(heard).toEqual([]);
});

test("the rules are tried for a cart and a state, by keyboard alone", { tag: "@phone" }, async ({
  page,
}) => {
  const heard = complaints(page);
  await signIn(page, "Sample Admin", "/admin/testing");
  const rules = panel(page, "Compliance rules");
  await rules.getByLabel("SKUs").focus();
  await page.keyboard.type("TWT-SIN, UPK-ONBO");
  await page.keyboard.press("Tab");
  await page.keyboard.type("Ohio");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await expect(rules.getByRole("listitem").filter({ hasText: /^Not allowed/ })).toContainText(
    "Ship:",
  );
  await expect(rules.getByRole("listitem").filter({ hasText: /^Allowed/ })).toContainText(
    "Pick up:",
  );
  await rules.getByLabel("SKUs").fill("NO-SUCH");
  await page.keyboard.press("Enter");
  await expect(rules.getByText("NO-SUCH")).toBeVisible();
  expect(heard).toEqual([]);
});

test("the debug page follows what the shop does", async ({ page, request }) => {
  const heard = complaints(page);
  await signIn(page, "Sample Admin", "/admin/debug");
  await expect(page.getByText(/^Live, as of/)).toBeVisible();
  const rendered = () =>
    page
      .getByText(/pages rendered/)
      .innerText()
      .then((text) => Number(text.split(" ")[0]?.replace(",", "")));
  const before = await rendered();
  // This page has not been requested before, so it is rendered.
  await request.get(`/product/double-blade-cutter?variant=${crypto.randomUUID()}`);
  await expect.poll(rendered, { timeout: 20_000 }).toBeGreaterThan(before);
  const node = page.getByRole("region", { name: "This node" });
  await expect(node.getByRole("row", { name: /^Version/ })).toContainText(/\d+\.\d+\.\d+/);
  await expect(page.getByRole("region", { name: "Jobs" }).getByRole("row").nth(1)).toBeVisible();
  const money = page.getByRole("region", { name: "Lanes" }).getByRole("row", { name: /^money/ });
  await expect(money).toContainText(/\d of 16.*\d s ago/);
  await page.getByText("Show the loaded configuration").click();
  const config = page.locator(".debug-config");
  await expect(config).toContainText("Cardinal & Briar");
  // Parts of the demo's secrets.
  await expect(config).not.toContainText(/sandbox-access-token|demo-client-secret/);
  expect(await violations(page)).toEqual([]);
  expect(heard).toEqual([]);
});

test("both fit and are accessible", { tag: "@phone" }, async ({ page }, testInfo) => {
  await signIn(page, "Sample Admin", "/admin/testing");
  for (const path of ["/admin/testing", "/admin/debug"]) {
    await open(page, path);
    expect(await violationsInBoth(page), path).toEqual([]);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(wide, path).toBeLessThanOrEqual(0);
    const name = `${path.split("/").at(-1)}.png`;
    await page.screenshot({ path: testInfo.outputPath(name), fullPage: true });
  }
});

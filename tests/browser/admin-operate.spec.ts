// The testing and debug pages: checks of external services, and the current state of the server.
import { violations, violationsInBoth } from "./axe";
import { mailTo } from "./mailbox";
import { expect, open, type Page, test } from "./shop";
import { complaints, hold, signIn } from "./staff";

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

test("the rules are tried for one question at a time", async ({ page }) => {
  await signIn(page, "Sample Admin", "/admin/testing");
  const rules = panel(page, "Compliance rules");
  let asked = 0;
  page.on("request", (request) => {
    if (request.url().endsWith("/api/admin/testing/compliance")) asked += 1;
  });
  const answer = await hold(page, "**/api/admin/testing/compliance");
  await rules.getByLabel("SKUs").fill("TWT-SIN");
  await rules.getByLabel("Ship-to state").selectOption("OH");
  const sent = page.waitForRequest("**/api/admin/testing/compliance");
  await rules.getByLabel("SKUs").press("Enter");
  await sent;
  await rules.getByLabel("Ship-to state").selectOption("NY");
  await rules.getByLabel("SKUs").press("Enter");
  answer();
  await expect(rules.getByRole("listitem").first()).toBeVisible();
  await expect(rules.getByRole("button", { name: "Check rules" })).toBeEnabled();
  expect(asked).toBe(1);
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
  // Error pages are rendered each time.
  await request.get(`/no-such-page-${crypto.randomUUID()}`);
  await expect.poll(rendered, { timeout: 20_000 }).toBeGreaterThan(before);
  const node = page.getByRole("region", { name: "This node" });
  await expect(node.getByRole("row", { name: /^Version/ })).toContainText(/\d+\.\d+\.\d+/);
  await expect(page.getByRole("region", { name: "Jobs" }).getByRole("row").nth(1)).toBeVisible();
  const money = page.getByRole("region", { name: "Lanes" }).getByRole("row", { name: /^money/ });
  await expect(money).toContainText(/\d of 16.*\d s ago/);
  await page.getByText("Show the loaded configuration").click();
  const config = page.locator(".debug-config");
  await expect(config).toContainText("Cardinal & Briar");
  await expect(config).toContainText("[redacted]");
  // The demo's secrets, but for the one that it makes up.
  const secrets = /stand-in-access-token|stand-in-webhook-key|demonstration/;
  await expect(config).not.toContainText(secrets);
  expect(await violations(page)).toEqual([]);
  expect(heard).toEqual([]);
});

test("what is read on the debug page stays open while more errors come, and updates can be paused", async ({
  page,
}) => {
  await page.clock.install();
  await signIn(page, "Sample Admin", "/admin/debug");
  const error = (number: number) => ({
    at: `2026-11-21T12:00:0${number}`,
    target: "shop",
    message: `Failure ${number}`,
    detail: `Trace ${number}`,
  });
  let errors = [error(2), error(1)];
  let asked = 0;
  await page.route("**/api/admin/debug", async (route) => {
    asked += 1;
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...(await response.json()), errors } });
  });
  const summary = (number: number) =>
    page.locator(".debug-errors summary", { hasText: `Failure ${number}` });
  await page.clock.fastForward(15_000);
  await summary(1).click();
  await expect(page.getByText("Trace 1")).toBeVisible();
  errors = [error(3), ...errors];
  await page.clock.fastForward(15_000);
  await expect(summary(3)).toBeVisible();
  await expect(page.getByText("Trace 1")).toBeVisible();
  await expect(summary(1)).toBeFocused();
  await page.getByRole("button", { name: "Pause updates" }).click();
  await expect(page.getByText(/^Paused, as of/)).toBeVisible();
  asked = 0;
  await page.clock.fastForward(60_000);
  expect(asked).toBe(0);
  await page.getByRole("button", { name: "Resume updates" }).click();
  await page.clock.fastForward(1);
  await expect.poll(() => asked).toBe(1);
  await expect(page.getByText(/^Live, as of/)).toBeVisible();
  await page.unrouteAll({ behavior: "ignoreErrors" });
});

test("the answer about one job does not close the question about another", async ({ page }) => {
  await signIn(page, "Sample Admin", "/admin/testing");
  await page.route("**/admin/debug/_payload.json", async (route) => {
    const response = await route.fetch();
    const json = await response.json();
    json.props.jobs = ["first", "second"].map((name) => ({
      id: crypto.randomUUID(),
      name,
      state: "dead",
      at: "2026-11-21T12:00:00",
      attempts: 20,
      error: null,
    }));
    await route.fulfill({ response, json });
  });
  await page.getByRole("link", { name: "Debug", exact: true }).click();
  const job = (name: string) =>
    page.getByRole("region", { name: "Jobs" }).getByRole("row", { name });
  const refuse = await hold(page, "**/api/admin/jobs/*/retry", { status: 409 });
  const sent = page.waitForRequest("**/api/admin/jobs/*/retry");
  await job("first").getByRole("button", { name: "Retry" }).click();
  await sent;
  await job("second").getByRole("button", { name: "Discard" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog).toContainText("second will never run.");
  refuse();
  await expect(page.locator(".toast-error")).toContainText("We couldn’t reach the shop.");
  await expect(dialog).toContainText("second will never run.");
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

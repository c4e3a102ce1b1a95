// The figures in the admin area: the overview, which updates live, and the report.

import type { APIRequestContext, Locator } from "@playwright/test";
import { violations } from "./axe";
import { expect, open, type Page, test } from "./shop";
import { complaints, signIn } from "./staff";

/** What a visitor's browser reports when it visits these pages. */
async function visit(request: APIRequestContext, pages: string[]): Promise<void> {
  const session_id = crypto.randomUUID();
  const events = pages.map((path, index) => ({
    type: "page_view",
    page: path,
    session_id,
    timestamp: new Date(Date.now() - 10_000 + index * 1_000).toISOString(),
  }));
  const answer = await request.post("/api/me/activity", { data: { events } });
  expect(answer.status()).toBe(202);
}

const tile = (page: Page, label: string) =>
  page.locator(".tile", { has: page.getByText(label, { exact: true }) }).first();

test("the overview shows figures, charts and tables", { tag: "@phone" }, async ({ page }) => {
  const said = complaints(page);
  await signIn(page, "Sample Staff", "/admin/overview");
  await expect(page.getByRole("heading", { name: "Overview", level: 1 })).toBeVisible();
  for (const label of ["Revenue", "Paid orders", "Conversion", "Average order"])
    await expect(tile(page, label)).toBeVisible();
  await expect(page.locator(".chart-plot svg").first()).toBeVisible();
  const steps = page.locator(".funnel tbody tr");
  await expect(steps).toHaveCount(5);
  // The bar is drawn from the first cell, and can be as long as the row.
  const widths = await steps.first().evaluate((row) => {
    const { width } = getComputedStyle(row.children[0] as Element, "::before");
    return [row.getBoundingClientRect().width, Number.parseFloat(width)];
  });
  expect(widths[0]).toBeCloseTo(widths[1] ?? 0, 0);
  await page.getByText("Show as table").click();
  await expect(page.locator(".chart-table tbody tr")).toHaveCount(7);
  await page.getByRole("radio", { name: "Visits" }).check();
  await expect(page.getByRole("table", { name: "Visits by day" })).toBeVisible();
  expect(await violations(page)).toEqual([]);
  await page.getByRole("link", { name: "30 days" }).click();
  await expect(page).toHaveURL(/days=30/);
  await expect(page.getByRole("link", { name: "30 days" })).toHaveAttribute("aria-current", "page");
  await expect(page.locator(".chart-table tbody tr")).toHaveCount(30);
  const width = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  expect(width).toBeLessThanOrEqual(0);
  expect(said).toEqual([]);
});

test("a chart is drawn before scripts run, and tells its exact figures", { tag: "@phone" }, async ({
  page,
  browser,
  baseURL,
}) => {
  await signIn(page, "Sample Staff", "/admin/overview");
  const figures = page.locator(".chart-table tbody tr");
  await page.getByText("Show as table").click();
  /** What is shown above the chart agrees with a row of the table. */
  const expectFigures = async (row: Locator) => {
    await expect(page.locator(".chart-tip")).toBeVisible();
    // Orders of other tests change both.
    await expect(async () => {
      const parts = await row.locator("th, td").allTextContents();
      await expect(page.locator(".chart-tip")).toHaveText(parts.join(""), { timeout: 1_000 });
    }).toPass();
  };
  const slider = page.getByRole("slider", { name: "Revenue by day" });
  await slider.focus();
  await expectFigures(figures.last());
  await page.keyboard.press("ArrowLeft");
  await expectFigures(figures.nth(5));
  await page.keyboard.press("Home");
  await expectFigures(figures.first());
  const day = await figures.first().locator("th").textContent();
  await expect(slider).toHaveAttribute("aria-valuetext", new RegExp(`^${day}: Revenue \\$`));
  await slider.blur();
  await expect(page.locator(".chart-tip")).toBeHidden();
  const { width } = (await page.locator(".chart-area").boundingBox()) ?? { width: 0 };
  await page.locator(".chart-area").hover({ position: { x: width * 0.5, y: 60 } });
  await expectFigures(figures.nth(3));
  await page.locator(".chart-area").hover({ position: { x: width - 1, y: 60 } });
  await expectFigures(figures.last());
  const plain = await browser.newContext({
    baseURL: baseURL ?? "",
    javaScriptEnabled: false,
    storageState: await page.context().storageState(),
  });
  const drawn = await plain.newPage();
  await drawn.goto("/admin/overview");
  await expect(drawn.locator(".chart-area > svg")).toBeVisible();
  await expect(drawn.getByRole("slider")).toHaveCount(0);
  await plain.close();
});

test("the overview follows what happens while it is looked at", async ({ page, request }) => {
  await page.clock.install();
  await signIn(page, "Sample Staff", "/admin/overview?days=1");
  const checkouts = page.locator(".funnel tbody tr", { hasText: "Reached checkout" });
  const figure = async () => Number(await checkouts.locator("td").first().textContent());
  const before = await figure();
  await visit(request, ["/", "/product/double-blade-cutter", "/cart", "/checkout"]);
  // Polled every 15 seconds, with figures that are at most 5 seconds old.
  await expect(async () => {
    await page.clock.fastForward(15_000);
    expect(await figure()).toBeGreaterThan(before);
  }).toPass({ timeout: 30_000 });
  await expect(page.getByText(/^Live, as of/)).toBeVisible();
  // A hidden tab does not poll; a tab that becomes visible again is updated at once.
  let asked = 0;
  page.on("request", (asking) => {
    if (asking.url().includes("/api/admin/overview")) asked += 1;
  });
  await hide(page, true);
  await page.clock.fastForward(60_000);
  expect(asked).toBe(0);
  await hide(page, false);
  await page.clock.fastForward(1);
  await expect.poll(() => asked).toBe(1);
});

test("the focus stays on a link of the overview when a newer one comes", async ({ page }) => {
  await page.clock.install();
  await signIn(page, "Sample Staff", "/admin/overview?days=1");
  let numbers = [1];
  await page.route("**/api/admin/overview?*", async (route) => {
    const response = await route.fetch();
    const json = await response.json();
    const items = numbers.map((number) => ({
      label: `Waiting ${number}`,
      why: "unfulfilled",
      href: `/admin/orders/waiting-${number}`,
      at: `2026-11-21T12:00:0${number}`,
    }));
    json.hands = [{ kind: "unsent", total: items.length, items, href: null }];
    await route.fulfill({ response, json });
  });
  await page.clock.fastForward(15_000);
  const link = (number: number) => page.getByRole("link", { name: `Waiting ${number}` });
  await link(1).focus();
  numbers = [2, 1];
  await page.clock.fastForward(15_000);
  await expect(link(2)).toBeVisible();
  await expect(link(1)).toBeFocused();
});

/** Simulates that another tab comes to the front, or is closed. */
async function hide(page: Page, hidden: boolean): Promise<void> {
  await page.evaluate((value) => {
    Object.defineProperty(document, "hidden", { value, configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
  }, hidden);
}

test("the report shows the period of its address, by keyboard too", { tag: "@phone" }, async ({
  page,
  request,
}) => {
  const said = complaints(page);
  await visit(request, ["/", "/product/double-blade-cutter"]);
  await signIn(page, "Sample Staff", "/admin/analytics");
  await expect(page.locator(".chart-plot svg").first()).toBeVisible();
  // Visits are counted a moment after they were sent.
  await expect(async () => {
    await page.reload();
    await expect(page.getByRole("table", { name: "Pages" })).toContainText(
      "/product/double-blade-cutter",
      { timeout: 2_000 },
    );
  }).toPass({ timeout: 30_000 });
  expect(await violations(page)).toEqual([]);
  await page.getByLabel("By", { exact: true }).focus();
  await page.keyboard.press("w");
  await page.getByRole("button", { name: "Apply", exact: true }).focus();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/by=week/);
  const table = page.locator("details", {
    has: page.getByRole("table", { name: "Visits by week" }),
  });
  await page.locator(".chart-table summary").first().focus();
  await page.keyboard.press("Enter");
  await expect(table).toHaveAttribute("open");
  await expect(page.getByRole("columnheader", { name: "Previous period" }).first()).toBeVisible();
  await page.getByLabel("Compare", { exact: true }).selectOption("no");
  await page.getByRole("button", { name: "Apply", exact: true }).click();
  await expect(page).toHaveURL(/compare=no/);
  await expect(page.getByRole("columnheader", { name: "Previous period" })).toHaveCount(0);
  await page.goBack();
  await expect(page).toHaveURL(/by=week(?!.*compare=no)/);
  const width = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  expect(width).toBeLessThanOrEqual(0);
  expect(said).toEqual([]);
});

test("each section comes as a file", async ({ page, request }) => {
  await visit(request, ["/", "/products"]);
  await signIn(page, "Sample Staff", "/admin/analytics");
  const files = page.getByRole("link", { name: /^CSV of/ });
  await expect(files).toHaveCount(9);
  const coming = page.waitForEvent("download");
  await page.getByRole("link", { name: "CSV of pages" }).click();
  const download = await coming;
  expect(download.suggestedFilename()).toMatch(/^\d{4}-\d\d-\d\d-\d{4}-\d\d-\d\d-pages\.csv$/);
  for (const link of await files.all()) {
    const answer = await page.request.get((await link.getAttribute("href")) ?? "");
    expect(answer.status()).toBe(200);
  }
});

test("nobody but staff sees figures", async ({ page }) => {
  await page.goto("/auth/login?return_to=/account");
  await page.getByRole("button", { name: /Sample Shopper/ }).click();
  await page.waitForURL("**/account");
  await open(page, "/admin/overview");
  await expect(page.getByText("Your account doesn’t have permission to do this.")).toBeVisible();
  expect((await page.request.get("/api/admin/overview")).status()).toBe(403);
  expect((await page.request.get("/api/admin/analytics/sales.csv")).status()).toBe(403);
});

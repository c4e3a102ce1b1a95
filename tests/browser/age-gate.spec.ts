import { expect, hydrated, open, type Page, payloads, test } from "./shop";

test.use({ verified: false });

const BIRTH_DATE = "1980-05-17";
const EMPTY = "Please enter your date of birth.";
const TOO_YOUNG = "Sorry, you must be at least 21 years old.";
const DAY_MS = 24 * 60 * 60 * 1000;

test("the age gate says what it is for in the exact words", async ({ page }) => {
  await open(page, "/");
  const gate = page.getByRole("dialog", { name: "Are you at least 21 years old?" });
  await expect(gate.getByRole("heading")).toHaveText("Are you at least 21 years old?");
  await expect(gate.locator(".gate-note")).toHaveText(
    "You must be 21+ to enter this site. We use this information solely for age verification and do not store it.",
  );
  await expect(gate.getByRole("button")).toHaveText("Enter");
  await expect(gate.getByLabel("Date of birth")).toHaveAttribute("type", "date");
  await expect(gate.locator(".gate-legal")).toHaveText(
    "Products for legal tobacco use only. Cardinal & Briar, OH, License # pending.",
  );
});

test("the longest name of a company fits the gate", async ({ page }) => {
  await open(page, "/products");
  await page.locator(".gate .wordmark").evaluate((each) => {
    each.textContent = "Cardinal & Briar Fine Tobacconists of Greater Columbus, Ohio";
  });
  for (const width of [320, 390, 1024]) {
    await page.setViewportSize({ width, height: 800 });
    const over = await page
      .locator(".gate")
      .evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);
    expect(over, `${width}`).toBe(0);
  }
});

test("the page beneath the gate is inert and the focus stays in the dialog", {
  tag: "@phone",
}, async ({ page }) => {
  await open(page, "/products");
  await expect(page.locator(".site")).toHaveJSProperty("inert", true);
  await expect(page.getByLabel("Date of birth")).toBeFocused();
  const stops = new Set<string>();
  for (let i = 0; i < 12; i += 1) {
    await page.keyboard.press("Tab");
    stops.add(
      await page.evaluate(() => {
        const { activeElement: at } = document;
        return at?.closest("dialog") ? "dialog" : (at?.tagName ?? "");
      }),
    );
  }
  // Between the last field and the first, the focus is in the browser's own toolbars.
  expect([...stops].filter((stop) => stop !== "BODY")).toEqual(["dialog"]);
});

test("the gate refuses an empty date and somebody who is too young", { tag: "@phone" }, async ({
  page,
}) => {
  await open(page, "/");
  await page.getByRole("button", { name: "Enter" }).click();
  await expect(page.getByRole("alert").filter({ hasText: EMPTY })).toHaveText(EMPTY);
  await expect(page.getByLabel("Date of birth")).toBeFocused();
  await enter(page, await almost21(page));
  await expect(page.locator("#gate-error")).toHaveText(TOO_YOUNG);
  await expect(page.locator("#gate-error")).toHaveRole("alert");
  await expect(page.getByLabel("Date of birth")).toHaveAttribute("aria-invalid", "true");
  await expect(page.locator(".site")).toHaveJSProperty("inert", true);
  expect(await page.context().cookies()).toEqual([]);
});

test("the server refuses who is too young even when the browser does not", async ({ page }) => {
  const birthDate = await almost21(page);
  const answer = await page.request.post("/api/verify-age", {
    data: { birth_date: birthDate, user_id: null, preferred_state: null },
  });
  expect(answer.status()).toBe(422);
  expect((await answer.json()).errors.birth_date).toEqual([TOO_YOUNG]);
});

test("who is old enough gets in without a reload and stays in after one", {
  tag: "@phone",
}, async ({ page }) => {
  await open(page, "/products");
  await page.evaluate(() => document.body.setAttribute("data-same-document", ""));
  await enter(page, BIRTH_DATE);
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(page.locator(".site")).toHaveJSProperty("inert", false);
  await expect(page.locator("body[data-same-document]")).toHaveCount(1);
  const [cookie] = await page.context().cookies();
  expect(cookie?.httpOnly).toBe(true);
  const seconds = (cookie?.expires ?? 0) - (await page.evaluate(() => Date.now() / 1000));
  expect(Math.abs(seconds - 86_400)).toBeLessThan(60);
  await page.reload();
  await hydrated(page);
  await expect(page.getByRole("dialog")).toHaveCount(0);
});

test("another tab that waits at the gate opens with the first", async ({ page, context }) => {
  const other = await context.newPage();
  await open(other, "/cart");
  await expect(other.getByRole("dialog")).toBeVisible();
  await open(page, "/");
  await enter(page, BIRTH_DATE);
  await expect(other.getByRole("dialog")).toHaveCount(0);
});

test("who passes the gate before the code is there is remembered, and other tabs open", async ({
  page,
  context,
}) => {
  const other = await context.newPage();
  await open(other, "/cart");
  await expect(other.getByRole("dialog")).toBeVisible();
  let letThrough = () => {};
  const wait = new Promise<void>((resolve) => {
    letThrough = resolve;
  });
  await page.route("**/assets/client-*.js", async (route) => {
    await wait;
    await route.continue();
  });
  await page.goto("/products", { waitUntil: "commit" });
  await enter(page, BIRTH_DATE);
  await expect(page.getByRole("dialog")).toHaveCount(0);
  expect(await remembered(page)).toBeNull();
  letThrough();
  await expect.poll(() => remembered(page)).not.toBeNull();
  await expect(other.getByRole("dialog")).toHaveCount(0);
});

test("a remembered verification older than 24 hours is ignored and removed", async ({ page }) => {
  const asked = payloads(page);
  await remember(page, DAY_MS + 1000);
  await open(page, "/");
  await expect(page.getByRole("dialog")).toBeVisible();
  await expect.poll(() => remembered(page)).toBeNull();
  expect(asked).toEqual([]);
});

test("a remembered verification opens nothing without the server", async ({ page }) => {
  const asked = payloads(page);
  await remember(page, DAY_MS - 60_000);
  await open(page, "/");
  await expect.poll(() => remembered(page)).toBeNull();
  expect(asked).toEqual(["/_payload.json"]);
  await expect(page.getByRole("dialog")).toBeVisible();
});

test("the birth date is kept nowhere", async ({ page }) => {
  const addresses: string[] = [];
  page.on("request", (request) => addresses.push(request.url()));
  await open(page, "/products");
  await enter(page, BIRTH_DATE);
  await expect(page.getByRole("dialog")).toHaveCount(0);
  const kept = await page.evaluate(async () => [
    JSON.stringify(localStorage),
    JSON.stringify(sessionStorage),
    JSON.stringify(history.state),
    document.cookie,
    location.href,
    document.documentElement.outerHTML,
    ...(await indexedDB.databases()).map(({ name }) => `database ${name}`),
    ...(await caches.keys()).map((name) => `cache ${name}`),
  ]);
  kept.push(...addresses, JSON.stringify(await page.context().cookies()));
  expect(kept.filter((text) => text.includes(BIRTH_DATE))).toEqual([]);
  expect(kept.filter((text) => /^(database|cache) /.test(text))).toEqual([]);
});

test("staff pass the gate like anybody, and no key leads past it", async ({ page }) => {
  await page.goto("/auth/login?return_to=/admin/users");
  await page.getByRole("button", { name: "Sample Staff" }).click();
  await hydrated(page);
  await expect(page).toHaveURL("/admin/users");
  await expect(page.locator(".site")).toHaveJSProperty("inert", true);
  await expect(page.getByLabel("Date of birth")).toBeFocused();
  for (const keys of ["Control+k", "Escape", "g", "o"]) await page.keyboard.press(keys);
  await expect(page.getByRole("dialog")).toHaveCount(1);
  const asked = page.waitForRequest("**/api/verify-age");
  await enter(page, BIRTH_DATE);
  expect((await asked).postDataJSON()).toMatchObject({ user_id: "demo-staff" });
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(page).toHaveURL("/admin/users");
  await expect(page.locator(".site")).toHaveJSProperty("inert", false);
  await page.keyboard.press("Control+k");
  await expect(page.getByRole("dialog", { name: "Search or go to" })).toBeVisible();
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("the gate is a form that leads back to the page", async ({ page }) => {
    await page.goto("/category/pipes?sort=price");
    const posted = page.waitForResponse((response) => response.request().method() === "POST");
    await enter(page, BIRTH_DATE);
    expect((await posted).status()).toBe(303);
    await expect(page).toHaveURL("/category/pipes?sort=price");
    await expect(page.getByRole("dialog")).toHaveCount(0);
    await expect(page.locator(".site")).not.toHaveAttribute("inert");
  });

  test("the form of the gate answers a refusal with its message and 422", async ({ page }) => {
    for (const [birthDate, message] of [
      ["", EMPTY],
      [await almost21(page), TOO_YOUNG],
    ] as const) {
      await page.goto("/cart");
      const posted = page.waitForResponse((response) => response.request().method() === "POST");
      await enter(page, birthDate);
      expect((await posted).status()).toBe(422);
      await expect(page.locator("#gate-error")).toHaveText(message);
      await expect(page.locator(".site")).toHaveAttribute("inert");
    }
    await enter(page, BIRTH_DATE);
    await expect(page).toHaveURL("/cart");
    await expect(page.getByRole("dialog")).toHaveCount(0);
  });
});

async function enter(page: Page, birthDate: string): Promise<void> {
  await page.getByLabel("Date of birth").fill(birthDate);
  await page.getByRole("button", { name: "Enter" }).click();
}

/** The birth date of somebody who turns 21 tomorrow, by the shop's calendar. */
async function almost21(page: Page): Promise<string> {
  const answer = await page.request.get("/_payload.json");
  const today: string = (await answer.json()).shared.max_birth_date;
  const day = new Date(`${today}T00:00:00Z`);
  day.setUTCDate(day.getUTCDate() + 1);
  day.setUTCFullYear(day.getUTCFullYear() - 21);
  return day.toISOString().slice(0, 10);
}

/** Stores a verification of this age in the browser before any of the shop's scripts runs. */
async function remember(page: Page, agoMs: number): Promise<void> {
  await page.addInitScript((ago) => {
    localStorage.setItem("shop.age", JSON.stringify({ verified_at: Date.now() - ago }));
  }, agoMs);
}

function remembered(page: Page): Promise<string | null> {
  return page.evaluate(() => localStorage.getItem("shop.age"));
}

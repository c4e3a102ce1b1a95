import type { BrowserContext } from "@playwright/test";
import { violationsInBoth } from "./axe";
import { expect, hydrated, open, type Page, test } from "./shop";

/** The fields of the card form. */
export const card = (page: Page) => page.frameLocator("#card-form iframe");

/** The button that places the order. */
export const payButton = (page: Page) =>
  page.getByRole("button", { name: /^(Pay|Place order|Place order, pay)/ });

export const newEmail = () => `buyer-${crypto.randomUUID().slice(0, 13)}@shop.example`;

/** By how much the page is wider than the screen. */
export const tooWide = (page: Page) =>
  page.evaluate(() => Math.max(document.documentElement.scrollWidth - innerWidth, 0));

/** Adds a product to the cart from its page. */
export async function add(page: Page, path: string): Promise<void> {
  await open(page, path);
  await addHere(page);
}

/** Adds a product, which the server's pages then know of. */
export async function addAndSync(page: Page, path: string): Promise<void> {
  const synced = page.waitForResponse(/\/api\/cart\/(guest|sync)$/);
  await add(page, path);
  await synced;
}

/** Adds the product that is open. */
export async function addHere(page: Page): Promise<void> {
  await page.getByRole("button", { name: /^Add to cart/ }).click();
  // It is added once the press was shown. The header already counts what was added before.
  await expect(page.locator(".toast", { hasText: "Added to cart" })).toBeVisible();
}

export async function goToCheckout(page: Page): Promise<void> {
  await page.goto("/cart");
  await hydrated(page);
  await page.getByRole("link", { name: "Checkout", exact: true }).click();
  await page.waitForURL("/checkout");
  await hydrated(page);
}

/** Saves an address of the account that is signed in. */
export async function saveAddress(
  context: BrowserContext,
  line1: string,
  is_default = true,
  phone = "",
): Promise<void> {
  const answer = await context.request.post("/api/me/addresses", {
    data: {
      first_name: "Iris",
      last_name: "Vane",
      company: "",
      line1,
      line2: "",
      city: "Columbus",
      state: "OH",
      postal_code: "43215",
      phone,
      is_default,
    },
    headers: { origin: test.info().project.use.baseURL ?? "" },
  });
  expect(answer.ok()).toBe(true);
}

/** Name and address. */
export async function fillAddress(page: Page, state = "OH", zip = "43215"): Promise<void> {
  await page.getByLabel("First name").fill("Iris");
  await page.getByLabel("Last name").fill("Vane");
  await page.getByLabel("Street address").fill("48 Gay Street");
  await page.getByLabel("City").fill("Columbus");
  await page.getByLabel("State", { exact: true }).selectOption(state);
  await page.getByLabel("ZIP code").fill(zip);
}

/** Email, name and address. */
export async function fillContact(
  page: Page,
  email: string,
  state = "OH",
  zip = "43215",
): Promise<void> {
  await page.getByLabel("Email").fill(email);
  await fillAddress(page, state, zip);
}

export async function fillCard(page: Page, number: string): Promise<void> {
  await card(page).getByLabel("Card number").fill(number);
  await card(page).getByLabel("Expires").fill("12/30");
  await card(page).getByLabel("Security code").fill("111");
  await card(page).getByLabel("ZIP code").fill("43215");
}

/** Waits for the order's page, and until it has ended the checkout: before that, the next checkout in this tab leads to it. */
export async function confirmed(page: Page): Promise<void> {
  await page.waitForURL(/\/order-confirmation\?order=/, { timeout: 30_000 });
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Thank you");
  await page.waitForFunction(
    () => !JSON.parse(sessionStorage.getItem("shop.checkout") ?? "{}").placed,
  );
}

/** Collects console messages and uncaught errors after this call. */
export function complaintsOf(page: Page): string[] {
  const complaints: string[] = [];
  page.on("console", (message) => complaints.push(`${message.type()}: ${message.text()}`));
  page.on("pageerror", (error) => complaints.push(`uncaught: ${error.message}`));
  return complaints;
}

/** That axe finds nothing wrong on the page. */
export async function expectNoViolations(page: Page): Promise<void> {
  // The color of an element that the pointer leaves changes with a delay.
  await page.mouse.move(0, 0);
  expect(await violationsInBoth(page)).toEqual([]);
}

import type { BrowserContext, Route } from "@playwright/test";
import { expect, hydrated, type Page } from "./shop";

/** Accounts of the demo's identity provider. */
export type Account = "Sample Shopper" | "Sample Staff" | "Sample Admin" | "Sample Owner";

/** Starts a new session in the shop and at the provider, and opens a page of the shop. */
export async function signIn(page: Page, account: Account, to: string): Promise<void> {
  const context = page.context();
  const kept = (await context.cookies()).filter(({ name }) => name === "age");
  await context.clearCookies();
  await context.addCookies(kept);
  await page.goto(`/auth/login?return_to=${encodeURIComponent(to)}`);
  await page.getByRole("button", { name: account }).click();
  await page.waitForURL(to);
  await hydrated(page);
}

/** Creates an account for this test only, signed in in a separate browser context. */
export async function newcomer(context: BrowserContext, name: string): Promise<Page> {
  const page = await context.newPage();
  await page.goto("/auth/login?return_to=/account");
  await page.getByText("Create an account").click();
  await page.getByLabel("Name").fill(name);
  await page.getByLabel("Email").fill(`${crypto.randomUUID()}@shop.example`);
  await page.getByRole("button", { name: "Create account" }).click();
  await page.waitForURL("/account");
  await hydrated(page);
  return page;
}

/** Collects console errors after this call, except for rejected calls, which tests provoke. */
export function complaints(page: Page): string[] {
  const heard: string[] = [];
  page.on("console", (message) => {
    const isRefusal = /status of (401|403|409|422)/.test(message.text());
    if (["error", "warning"].includes(message.type()) && !isRefusal)
      heard.push(`${message.text()} ${message.location().url}`);
  });
  page.on("pageerror", (error) => heard.push(String(error)));
  return heard;
}

/** The answer to a call that needs a fresh sign-in. */
export const STALE = {
  status: 403,
  contentType: "application/problem+json",
  body: JSON.stringify({
    type: "about:blank",
    title: "Forbidden",
    status: 403,
    detail: "Confirm it’s you: this needs a sign-in of the last 15 minutes.",
    code: "stale_sign_in",
    errors: {},
  }),
};

/** Holds the calls of an address until the returned function is called. Then they get this answer, or that of the shop. */
export async function hold(
  page: Page,
  address: string,
  answer?: Parameters<Route["fulfill"]>[0],
): Promise<() => void> {
  let goOn = () => {};
  const held = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  await page.route(address, async (route) => {
    await held;
    await (answer ? route.fulfill(answer) : route.continue());
  });
  return goOn;
}

/** Signs in again in the window that opens for it. */
export async function signInAgain(page: Page, account: Account): Promise<void> {
  const confirm = page.getByRole("dialog", { name: "Confirm it’s you" });
  const link = confirm.getByRole("link", { name: "Sign in again" });
  // So that the code for its click is there.
  await expect(link).toBeFocused();
  const opened = page.waitForEvent("popup");
  await link.click();
  const popup = await opened;
  const closed = popup.waitForEvent("close");
  await popup.getByRole("button", { name: account }).click();
  await closed;
  await expect(confirm).toBeHidden();
}

import { test as base, expect, type Page, request } from "@playwright/test";

export type { Page };
export { expect };

interface Options {
  /** Whether the visitor has passed the age gate. */
  verified: boolean;
}

type Cookies = Awaited<ReturnType<Awaited<ReturnType<typeof request.newContext>>["storageState"]>>;

/** Tests of the running shop; by default the visitor has passed the age gate. */
export const test = base.extend<Options & { shopper: Page }, { ageCookies: Cookies["cookies"] }>({
  verified: [true, { option: true }],
  ageCookies: [
    // biome-ignore lint/correctness/noEmptyPattern: the runner reads from the pattern what a fixture needs.
    async ({}, use, { project }) => {
      const caller = await request.newContext({ baseURL: project.use.baseURL ?? "" });
      const answer = await caller.post("/api/verify-age", {
        data: { birth_date: "1980-05-17", user_id: null, preferred_state: null },
      });
      expect(answer.status()).toBe(200);
      const { cookies } = await caller.storageState();
      await caller.dispose();
      await use(cookies);
    },
    { scope: "worker" },
  ],
  context: async ({ context, verified, ageCookies }, use, info) => {
    if (verified) await context.addCookies(ageCookies);
    await use(context);
    // The runner's own "only-on-failure" also takes a screenshot at the end of every test.
    if (info.status === info.expectedStatus) return;
    for (const [at, page] of context.pages().entries())
      await page.screenshot({ path: info.outputPath(`${at}.png`), timeout: 5000 }).catch(() => {});
  },
  /** A page of another visitor, who is signed out and has an empty cart. */
  shopper: async ({ browser, baseURL, ageCookies }, use) => {
    const context = await browser.newContext({ baseURL: baseURL ?? "" });
    await context.addCookies(ageCookies);
    await use(await context.newPage());
    await context.close();
  },
});

/** One page of each kind. */
export const PAGES = {
  home: "/",
  list: "/products",
  search: "/products?q=humidor",
  category: "/category/pipes",
  product: "/product/double-blade-cutter",
  variant: "/product/double-blade-cutter?variant=DBC-BRA",
  cart: "/cart",
  checkout: "/checkout",
  privacy: "/content/legal/privacy-policy",
  shipping: "/content/legal/shipping-policy",
  terms: "/content/legal/terms-of-service",
  refunds: "/content/legal/refund-return-policy",
  missing: "/no-such-page",
};

/** Loads a page and waits until it is hydrated and idle. */
export async function open(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await hydrated(page);
}

/** Scrolls to the end of a page, so that lazy pictures are loaded, too. */
export async function scrollThrough(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const frame = () => new Promise(requestAnimationFrame);
    while (scrollY + innerHeight < document.documentElement.scrollHeight - 1) {
      scrollBy({ top: innerHeight, behavior: "instant" });
      await frame();
      await frame();
    }
  });
}

/** The live region for page titles is created when the code of the navigation runs: after hydration, when the page is idle. */
export async function hydrated(page: Page): Promise<void> {
  await expect(page.locator("body > [role=status]")).toHaveCount(1);
}

/** Waits for the code that handles links to sign-in, shows ripples, and restores the focus. It, too, is loaded when the page is idle. */
export async function backgroundRuns(page: Page): Promise<void> {
  await expect.poll(() => page.evaluate(pointAtSignIn), { intervals: [50] }).toBe(true);
}

/** Has the page fetched again, as when a browser has kept it since before a sign-in. Waits for the request. */
export async function refreshes(page: Page): Promise<void> {
  await backgroundRuns(page);
  const asked = page.waitForRequest("**/_payload.json*");
  await page.evaluate(() => {
    localStorage.setItem("shop.cart.sync", JSON.stringify({ user: "another" }));
    dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true }));
  });
  await asked;
}

/** Points at a link to sign-in. Returns whether the code for a click has been loaded because of that. */
function pointAtSignIn(): Promise<boolean> {
  const link = document.createElement("a");
  link.href = "/auth/login";
  document.body.append(link);
  link.dispatchEvent(new MouseEvent("mouseover", { bubbles: true }));
  link.remove();
  return new Promise((resolve) => {
    // The clock of a test replaces `performance`, but not this.
    new PerformanceObserver((list, observer) => {
      observer.disconnect();
      resolve(list.getEntries().some(({ name }) => name.includes("/assets/sign-in-")));
    }).observe({ type: "resource", buffered: true });
  });
}

/** The heading of the page. */
export function heading(page: Page) {
  return page.locator("main h1");
}

/** The menu's link to all products. */
export function shopAll(page: Page) {
  return page.locator(".menu-top", { hasText: "Shop all" });
}

/** Collects the URLs of the documents that the browser loads after this call. */
export function documents(page: Page): string[] {
  const paths: string[] = [];
  page.on("request", (request) => {
    if (request.isNavigationRequest() && request.frame() === page.mainFrame())
      paths.push(pathOf(request.url()));
  });
  return paths;
}

/** Collects the payloads that the app requests after this call. */
export function payloads(page: Page): string[] {
  const paths: string[] = [];
  page.on("request", (request) => {
    if (request.url().includes("_payload.json")) paths.push(pathOf(request.url()));
  });
  return paths;
}

export function pathOf(address: string): string {
  const { pathname, search } = new URL(address);
  return pathname + search;
}

/** A visitor with data saving on, so that the app prefetches nothing. */
export async function saveData(page: Page): Promise<void> {
  await page.addInitScript(() => {
    Object.defineProperty(navigator, "connection", { value: { saveData: true } });
  });
}

/** Like Safari on iOS, which has no `beforeunload`. */
export async function withoutBeforeUnload(page: Page): Promise<void> {
  await page.addInitScript(() => {
    addEventListener("beforeunload", (event) => event.stopImmediatePropagation());
  });
}

/** Waits until a guest's cart is synced: before that a response may still change the browser's cart. */
export async function guestCartIsSent(page: Page): Promise<void> {
  await expect
    .poll(() =>
      page.evaluate(() => {
        const record = JSON.parse(localStorage.getItem("shop.cart.guest") ?? "{}");
        return record.sent === null && Boolean(record.cookie);
      }),
    )
    .toBe(true);
}

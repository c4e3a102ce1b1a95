import type { Locator } from "@playwright/test";
import { add } from "./checkout-form";
import { expect, open, PAGES, type Page, test } from "./shop";

// The next step is always visible and not covered by anything.

const PRODUCT = "/product/double-blade-cutter";

test("the cart, the order and the filters of a long list stay", { tag: "@phone" }, async ({
  page,
}) => {
  await open(page, "/products");
  await scrollTo(page, 0.5);
  await expect(page.locator(".sort summary")).toBeInViewport({ ratio: 1 });
  if (isWide(page)) {
    await expect(page.locator(".cart-link")).toBeInViewport({ ratio: 1 });
    await expect(page.locator("#filters-heading")).toBeInViewport({ ratio: 1 });
    expect(await overlap(page.locator(".header-bar"), page.locator(".list-bar"))).toBeLessThan(2);
    // Beside a text, the last link is within reach, too.
    await page.setViewportSize({ width: 1366, height: 680 });
    await open(page, PAGES.privacy);
    await scrollTo(page, 0.5);
    const last = page.locator(".legal-side a").last();
    await last.focus();
    await expect(last).toBeInViewport({ ratio: 1 });
  } else {
    const filters = page.getByRole("button", { name: "Filters" });
    await expect(filters).toBeInViewport({ ratio: 1 });
    await filters.click();
    const show = page.getByRole("button", { name: /^Show \d+ products$/ });
    await expect(show).toBeInViewport({ ratio: 1 });
    // No text of the options is visible beside or below the button.
    const under = await show.evaluate((button) => {
      const { left, bottom } = button.getBoundingClientRect();
      const shadow = getComputedStyle(button).boxShadow;
      return { left, gap: innerHeight - bottom, shadow };
    });
    expect(under.shadow).not.toBe("none");
    expect(under.gap).toBeLessThan(24);
  }
});

test("what is reached with the keyboard scrolls clear of the bars of a list", {
  tag: "@phone",
}, async ({ page }) => {
  await open(page, "/products");
  const cards = page.locator(".card a");
  const bar = page.locator(".list-bar");
  await putUnder(page.locator("html"), cards.nth(12), bar);
  await reach(cards.nth(13), "Shift+Tab", cards.nth(12), bar);
  if (!isWide(page)) return;
  await scrollTo(page, 0);
  const options = page.locator(".facet li a");
  const head = page.locator(".filters-head");
  await putUnder(page.locator(".filters"), options.nth(0), head);
  await reach(options.nth(1), "Shift+Tab", options.nth(0), head);
});

test("a product can be bought from wherever its page is read", { tag: "@phone" }, async ({
  page,
}) => {
  await page.clock.install();
  await open(page, PRODUCT);
  const buy = page.locator(".product-buy").getByRole("button", { name: /^Add to cart/ });
  const info = page.locator(".product-info");
  const details = page.locator(".product-details");
  if (isWide(page)) {
    await page.setViewportSize({ width: 768, height: 1024 });
    await expect(buy).toBeInViewport({ ratio: 1 });
    for (const width of [1024, 1440]) {
      await page.setViewportSize({ width, height: 800 });
      for (const part of [0.25, 0.5, 0.75, 1]) {
        await scrollTo(page, part);
        expect(await overlap(info, details)).toBeLessThanOrEqual(0);
      }
    }
    await scrollTo(page, 0);
  } else {
    await expect(buy).toBeInViewport({ ratio: 1 });
    await details.scrollIntoViewIfNeeded();
    await expect(buy).toBeInViewport({ ratio: 1 });
  }
  // The message covers nothing in the header, and links to the cart. The clock is paused so that it stays visible.
  await page.clock.pauseAt(Date.now() + 60_000);
  await buy.click();
  const toast = page.locator(".toast-success");
  // It comes after the next frame.
  while ((await toast.count()) === 0) await page.clock.runFor(1);
  await expect(toast).toContainText("Added to cart");
  for (const part of [".cart-link", ".header-end"]) {
    expect(await overlap(page.locator(part), toast), part).toBeLessThanOrEqual(0);
  }
  await expect(toast.getByRole("link", { name: "View cart" })).toHaveAttribute("href", "/cart");
});

// On phones the summary stands below the form.
test("the button that pays is on the screen however much is bought", async ({ page }) => {
  await add(page, PRODUCT);
  await page.setViewportSize({ width: 1366, height: 768 });
  await open(page, "/checkout");
  const goods = page.locator(".checkout-summary .bought > li");
  await expect(goods).toHaveCount(1);
  const pay = page.locator(".checkout-summary [type=submit].button-primary");
  for (const lines of [6, 30]) {
    // Copies of the same line, since only their height matters.
    await goods.first().evaluate((line, lines) => {
      const list = line.parentElement;
      while (list && list.children.length < lines) list.append(line.cloneNode(true));
    }, lines);
    await expect(goods).toHaveCount(lines);
    await scrollTo(page, 0);
    await expect(pay).toBeInViewport({ ratio: 1 });
    await scrollTo(page, 0.1);
    await expect(pay).toBeInViewport({ ratio: 1 });
  }
  // It covers nothing that is reached with the keyboard.
  const code = page.locator(".promo-entry > summary");
  await putUnder(page.locator("html"), code, pay);
  await reach(page.getByRole("link", { name: "Edit cart" }), "Tab", code, pay);
  // So is the reason why nothing was bought.
  await pay.click();
  const refusal = page.locator("#refusal");
  await expect(refusal).toContainText("missing or incorrect");
  await expect(refusal).toBeInViewport({ ratio: 1 });
  expect(await overlap(refusal, pay)).toBeLessThanOrEqual(0);
});

/** Scrolls to a fraction of the page's height, without animation. */
async function scrollTo(page: Page, part: number): Promise<void> {
  await page.evaluate((part) => {
    window.scrollTo({ top: document.body.scrollHeight * part, behavior: "instant" });
  }, part);
}

/** Scrolls, so that an element lies under what covers a part of the window. */
async function putUnder(scroller: Locator, element: Locator, cover: Locator): Promise<void> {
  // What is sticky may move at first.
  await expect(async () => {
    const by = (await middle(element)) - (await middle(cover));
    await scroller.evaluate((each, top) => each.scrollBy({ top, behavior: "instant" }), by);
    expect(Math.abs(by)).toBeLessThan(2);
  }).toPass();
}

async function middle(element: Locator): Promise<number> {
  const box = await element.boundingBox();
  if (!box) throw new Error("it has no place");
  return box.y + box.height / 2;
}

/** Moves the focus from one element to the next by a key, after which nothing may cover that one. */
async function reach(from: Locator, key: string, to: Locator, cover: Locator): Promise<void> {
  await from.evaluate((each: HTMLElement) => each.focus({ preventScroll: true }));
  await from.page().keyboard.press(key);
  await expect(to).toBeFocused();
  await expect.poll(() => overlap(to, cover)).toBeLessThanOrEqual(0);
}

function isWide(page: Page): boolean {
  return (page.viewportSize()?.width ?? 0) >= 1024;
}

/** How far two boxes overlap, in pixels; 0 or less if they do not. */
async function overlap(one: Locator, other: Locator): Promise<number> {
  const [a, b] = [await one.boundingBox(), await other.boundingBox()];
  if (!a || !b) throw new Error("one of them has no place");
  const over = (start: "x" | "y", size: "width" | "height") =>
    Math.min(a[start] + a[size], b[start] + b[size]) - Math.max(a[start], b[start]);
  return Math.min(over("x", "width"), over("y", "height"));
}

import { setTimeout } from "node:timers/promises";
import { layoutShifts } from "./layout-shifts";
import { documents, expect, open, type Page, payloads, refreshes, saveData, test } from "./shop";

const COUNT = ".list-count";
const ALL = "159 products";

test("a filter narrows the list, stands in the address, and the back button undoes it", {
  tag: "@phone",
}, async ({ page }) => {
  await open(page, "/products");
  const loads = documents(page);
  await expect(page.locator(COUNT)).toHaveText(ALL);
  await openFilters(page);
  await option(page, "Material", "Briar").click();
  await expect(page).toHaveURL("/products?material=briar");
  await expect(page.locator(COUNT)).toHaveText("14 products");
  await expect(page.locator(".card")).toHaveCount(14);
  await closeFilters(page);
  await expect(chip(page, "Briar")).toBeVisible();
  await page.goBack();
  await expect(page).toHaveURL("/products");
  await expect(page.locator(COUNT)).toHaveText(ALL);
  await page.goForward();
  await expect(page.locator(COUNT)).toHaveText("14 products");
  await chip(page, "Briar").click();
  await expect(page).toHaveURL("/products");
  await expect(page.locator(COUNT)).toHaveText(ALL);
  expect(loads).toEqual([]);
});

test("filters of different kinds add up and are cleared together", { tag: "@phone" }, async ({
  page,
}) => {
  await open(page, "/products?material=briar&sale=1");
  const both = await count(page);
  expect(both).toBeGreaterThan(0);
  expect(both).toBeLessThan(14);
  await expect(page.locator(".chip")).toHaveCount(2);
  await page.getByRole("link", { name: "Clear all" }).click();
  await expect(page).toHaveURL("/products");
  await expect(page.locator(COUNT)).toHaveText(ALL);
});

/** What moves within half a second of a click is not counted as a layout shift. */
const LATE_MS = 700;

test("a choice moves nothing when the answer is late", { tag: "@phone" }, async ({ page }) => {
  await saveData(page);
  let answer = () => {};
  const checked = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route("**/_payload.json*", async (route) => {
    await Promise.all([setTimeout(LATE_MS), checked]);
    await route.continue();
  });
  await open(page, "/products");
  await openFilters(page);
  await option(page, "Material", "Briar").click();
  await expect(chip(page, "Briar")).toHaveCount(1);
  await expect(page.locator(COUNT), "the answer is not there yet").toHaveText(ALL);
  answer();
  await expect(page).toHaveURL("/products?material=briar");
  await option(page, "Deals", "On sale").click();
  await expect(page).toHaveURL("/products?material=briar&sale=1");
  await page.getByLabel("To, dollars").fill("120");
  await page.getByRole("button", { name: "Apply" }).click();
  await expect(page).toHaveURL("/products?material=briar&sale=1&max_price=120");
  await closeFilters(page);
  await page.locator(".sort summary").click();
  await page.locator(".sort").getByRole("link", { name: "Price: high to low" }).click();
  await expect(page).toHaveURL(/sort=price-desc/);
  for (const label of ["On sale", "Up to $120", "Briar"]) {
    await chip(page, label).click();
    await expect(chip(page, label)).toHaveCount(0);
    await expect(page.locator(".progress")).toHaveCount(0);
  }
  await expect(page).toHaveURL("/products?sort=price-desc");
  expect(await layoutShifts(page)).toEqual([]);
});

test("choices that are made before an answer all count", { tag: "@phone" }, async ({ page }) => {
  await saveData(page);
  await open(page, "/products?material=briar&sale=1");
  let answer = await holdPayloads(page);
  await chip(page, "Briar").click();
  await expect(chip(page, "Briar")).toHaveCount(0);
  await chip(page, "On sale").click();
  await expect(page.locator(".chip")).toHaveCount(0);
  answer();
  await expect(page.locator(COUNT)).toHaveText(ALL);
  await expect(page).toHaveURL("/products");
  answer = await holdPayloads(page);
  await openFilters(page);
  await option(page, "Material", "Briar").click();
  await expect(chip(page, "Briar")).toHaveCount(1);
  await option(page, "Deals", "On sale").click();
  await expect(page.locator(".chip")).toHaveText([/Briar/, /On sale/]);
  answer();
  await expect(page).toHaveURL("/products?material=briar&sale=1");
});

test("a double click on a chosen filter removes only that one", async ({ page }) => {
  await saveData(page);
  await open(page, "/products?material=briar&sale=1");
  const asked = payloads(page);
  const box = await chip(page, "Briar").boundingBox();
  if (!box) throw new Error("the filter is not shown");
  const point = { x: box.x + 16, y: box.y + box.height / 2 };
  await page.mouse.click(point.x, point.y);
  await expect(page).toHaveURL("/products?sale=1");
  const pointedAt = () =>
    page.evaluate(({ x, y }) => document.elementFromPoint(x, y)?.textContent, point);
  await expect.poll(pointedAt, "the next one has taken its place").toContain("On sale");
  await page.mouse.down({ clickCount: 2 });
  await page.mouse.up({ clickCount: 2 });
  await page.goBack();
  await expect(page).toHaveURL("/products?material=briar&sale=1");
  await expect(page.locator(".chip")).toHaveCount(2);
  expect(asked).toEqual([
    "/products/_payload.json?sale=1",
    "/products/_payload.json?material=briar&sale=1",
  ]);
});

test("filters keep their places, and one without products cannot be chosen", {
  tag: "@phone",
}, async ({ page }) => {
  await open(page, "/products");
  await openFilters(page);
  const labels = () => page.locator(".facet li a").allTextContents();
  const names = async () => (await labels()).map((text) => text.replace(/\d+$/, ""));
  const before = await names();
  await option(page, "Material", "Briar").click();
  await expect(page).toHaveURL("/products?material=briar");
  await expect(option(page, "Material", "Briar")).toBeFocused();
  const empty = option(page, "Category", "Cigar");
  await expect(empty).toHaveAttribute("aria-disabled", "true");
  await expect(empty).toContainText("0");
  expect(await names()).toEqual(before);
  await empty.click({ force: true });
  await option(page, "Category", "Pipes").click();
  await expect(page).toHaveURL("/products?category=pipes&material=briar");
});

test("the menu closes when it leads to another page, or to the same list without filters", {
  tag: "@phone",
}, async ({ page }) => {
  await open(page, "/products?sale=1");
  const button = page.getByRole("button", { name: "Menu", exact: true });
  const menu = page.locator("#menu");
  const expectClosed = async () => {
    await expect(menu.locator("details[open]")).toHaveCount(0);
    await expect(page.locator("#menu:popover-open")).toHaveCount(0);
  };
  if (await button.isVisible()) await button.click();
  await menu.getByRole("link", { name: "Shop all" }).click();
  await expect(page).toHaveURL("/products");
  // The address changes before the list; then the menu closes.
  await expect(page.locator(COUNT)).toHaveText(ALL);
  await expectClosed();
  if (await button.isVisible()) await button.click();
  await menu.locator("summary").first().click();
  await menu.locator("details[open] a").first().click();
  await expect(page).toHaveURL(/\/category\//);
  await expectClosed();
});

test("the drawer of filters covers the header until it has closed", async ({ page }) => {
  await page.setViewportSize({ width: 800, height: 800 });
  await page.emulateMedia({ reducedMotion: "reduce" });
  await open(page, "/products");
  await openFilters(page);
  const covers = await page.locator("#filters").evaluate((drawer: HTMLElement) => {
    // It is still shown, but no longer in the top layer, as in browsers that cannot delay that.
    drawer.style.display = "block";
    drawer.style.translate = "none";
    drawer.hidePopover();
    const { left, width } = drawer.getBoundingClientRect();
    return drawer.contains(document.elementFromPoint(left + width / 2, 70));
  });
  expect(covers).toBe(true);
});

test("a chosen order sorts the list and stands in the address", { tag: "@phone" }, async ({
  page,
}) => {
  await open(page, "/products");
  await page.locator(".sort summary").click();
  await page.locator(".sort").getByRole("link", { name: "Price: high to low" }).click();
  await expect(page).toHaveURL("/products?sort=price-desc");
  await expect(page.locator(".sort summary")).toContainText("Price: high to low");
  const prices = await cardPrices(page);
  expect(prices).toHaveLength(48);
  expect(prices).toEqual(prices.toSorted((a, b) => b - a));
});

test("a price range keeps the other choices", { tag: "@phone" }, async ({ page }) => {
  await open(page, "/products?sort=price");
  await openFilters(page);
  await page.getByLabel("From, dollars").fill("50");
  await page.getByLabel("To, dollars").fill("80");
  await page.getByRole("button", { name: "Apply" }).click();
  await expect(page).toHaveURL(/min_price=50&max_price=80/);
  await expect(page).toHaveURL(/sort=price/);
  await expect(page.locator(".chip")).toHaveCount(1);
  await expect(page.locator(COUNT)).not.toHaveText(ALL);
  const exact = await page.locator(".card .price").evaluateAll((prices) =>
    prices
      .map((price) => (price.querySelector("b") ?? price).textContent ?? "")
      .filter((text) => !text.startsWith("From"))
      .map((text) => Number(text.replace("$", ""))),
  );
  expect(exact.length).toBeGreaterThan(0);
  expect(exact.filter((price) => price < 50 || price > 80)).toEqual([]);
});

test("pages of a list follow each other without repeating a product", { tag: "@phone" }, async ({
  page,
}) => {
  await open(page, "/products");
  const first = await titles(page);
  const pages = page.getByRole("navigation", { name: "Pages" });
  await pages.getByRole("link", { name: "Next" }).click();
  await expect(page).toHaveURL("/products?page=2");
  await expect(pages.getByRole("link", { name: "Page 2" })).toHaveAttribute("aria-current", "page");
  const second = await titles(page);
  expect(second).toHaveLength(48);
  expect(second.filter((title) => first.includes(title))).toEqual([]);
  await page.setViewportSize({ width: 320, height: 640 });
  expect(await over(page)).toBe(0);
  await page.goBack();
  await expect(pages.getByRole("link", { name: "Page 1" })).toHaveAttribute("aria-current", "page");
  expect(await titles(page)).toEqual(first);
});

test("the numbers of many pages fit a phone", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.route("**/products/_payload.json?page=2", async (route) => {
    const response = await route.fetch();
    const json = await response.json();
    json.props.pages = [1, 3, 4, 5, 6, 7, 9].map((number) => ({
      label: `${number}`,
      href: `/products?page=${number}`,
      current: number === 5,
      after_gap: number === 3 || number === 9,
    }));
    await route.fulfill({ response, json });
  });
  await open(page, "/products");
  const pages = page.getByRole("navigation", { name: "Pages" });
  await pages.getByRole("link", { name: "Next" }).click();
  await expect(pages.getByRole("link", { name: "Page 9" })).toBeVisible();
  await expect(pages.getByRole("link", { name: "Previous" })).toBeVisible();
  expect(await over(page)).toBe(0);
  await page.unrouteAll({ behavior: "ignoreErrors" });
});

test("a search finds what is meant in spite of a typing error", { tag: "@phone" }, async ({
  page,
}) => {
  await open(page, "/");
  const loads = documents(page);
  await search(page).fill("humidro");
  await search(page).press("Enter");
  await expect(page).toHaveURL("/products?q=humidro");
  await expect(page.locator(".card h3").first()).toContainText("Humidor");
  await expect(search(page)).toHaveValue("humidro");
  await page.goBack();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Slow pleasures, well made.");
  expect(loads).toEqual([]);
});

test("a search for nothing that exists offers ways out", async ({ page }) => {
  await open(page, "/products?q=qqqzzzxxx");
  await expect(page.locator(COUNT)).toHaveText("0 products");
  await expect(page.getByRole("heading", { name: "No products found" })).toBeVisible();
  await expect(page.locator(".nothing .ways a").first()).toBeVisible();
  // However long the word is, nothing is wider than the screen.
  await page.setViewportSize({ width: 320, height: 640 });
  await open(page, `/products?q=${"q".repeat(100)}`);
  expect(await over(page)).toBe(0);
});

test("names with long words fit a small screen, and the purchase form covers nothing on paper", async ({
  page,
}) => {
  await page.setViewportSize({ width: 320, height: 640 });
  await open(page, "/product/three-way-pipe-tool");
  const names = page.locator(
    ".wordmark, .breadcrumbs li:last-child, .product h1, .card h3 a, .card .category, .footer-shop a",
  );
  await names.evaluateAll((all) => {
    for (const each of all) each.textContent = "q".repeat(50);
  });
  expect(await over(page)).toBe(0);
  await expect(page.locator(".product-buy")).toHaveCSS("position", "sticky");
  await page.emulateMedia({ media: "print" });
  await expect(page.locator(".product-buy")).toHaveCSS("position", "static");
});

test("the longest name of a company fits every screen", async ({ page }) => {
  await open(page, "/products");
  await page.locator(".wordmark").evaluateAll((all) => {
    for (const each of all)
      each.textContent = "Cardinal & Briar Fine Tobacconists of Greater Columbus, Ohio";
  });
  for (const width of [320, 390, 768, 1024, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    expect(await over(page), `${width}`).toBe(0);
  }
  // The bar of large screens is as high for any name.
  const bar = await page.locator(".header-bar").boundingBox();
  const name = await page.locator(".header-bar .wordmark").boundingBox();
  if (!bar || !name) throw new Error("one of them has no place");
  expect(name.y).toBeGreaterThanOrEqual(bar.y);
  expect(name.y + name.height).toBeLessThanOrEqual(bar.y + bar.height);
});

test("suggestions are chosen with the keyboard", { tag: "@phone" }, async ({ page }) => {
  await open(page, "/");
  const box = search(page);
  // At once: the list of a shorter text would come first.
  await box.fill("humid");
  const list = page.getByRole("listbox", { name: "Suggestions" });
  await expect(list).toBeVisible();
  // Also of a single one this is said rightly.
  const count = await list.getByRole("option").count();
  await expect(page.locator(".search-box [role=status]")).toHaveText(`${count} found`);
  await expect(box).toHaveAttribute("aria-expanded", "true");
  await box.press("ArrowDown");
  const first = list.getByRole("option").first();
  await expect(first).toHaveAttribute("aria-selected", "true");
  await expect(box).toHaveAttribute(
    "aria-activedescendant",
    (await first.getAttribute("id")) ?? "",
  );
  await box.press("ArrowDown");
  await expect(list.getByRole("option").nth(1)).toHaveAttribute("aria-selected", "true");
  await box.press("ArrowUp");
  await expect(first).toHaveAttribute("aria-selected", "true");
  await box.press("Escape");
  await expect(list).toBeHidden();
  await expect(box).toHaveAttribute("aria-expanded", "false");
  await box.press("ArrowDown");
  await expect(list).toBeVisible();
  await box.press("ArrowDown");
  const href = await list.getByRole("option", { selected: true }).getAttribute("href");
  await box.press("Enter");
  await expect(page).toHaveURL(href ?? "");
  await expect(list).toBeHidden();
});

test("the suggestion that the keys have reached is in view in a low window", async ({ page }) => {
  const box = search(page);
  const options = page.getByRole("listbox", { name: "Suggestions" }).getByRole("option");
  // On wide screens the bar with the list is sticky.
  for (const [width, height, text] of [
    [640, 400, "pipe"],
    [1366, 657, "ca"],
  ] as const) {
    await page.setViewportSize({ width, height });
    await open(page, "/");
    await box.fill(text);
    await expect(options.last()).toBeVisible();
    await expect(options.last()).not.toBeInViewport({ ratio: 0.9 });
    await box.press("ArrowUp");
    await expect(options.last()).toHaveAttribute("aria-selected", "true");
    await expect(options.last()).toBeInViewport({ ratio: 0.9 });
  }
});

test("a suggestion is no longer chosen when the list below the search changes", async ({
  page,
}) => {
  let held = false;
  let answer = () => {};
  await page.route(/\/api\/search\/suggest\?/, async (route) => {
    if (held)
      await new Promise<void>((resolve) => {
        answer = resolve;
      });
    await route.continue();
  });
  await open(page, "/");
  const box = search(page);
  await box.fill("humid");
  const list = page.getByRole("listbox", { name: "Suggestions" });
  await expect(list).toBeVisible();
  held = true;
  const asked = page.waitForRequest(/\/api\/search\/suggest\?/);
  await box.fill("pipe");
  await asked;
  await box.press("ArrowDown");
  await expect(list.getByRole("option", { selected: true })).toHaveCount(1);
  const before = await list.getByRole("option").first().getAttribute("href");
  answer();
  await expect(list.getByRole("option").first()).not.toHaveAttribute("href", before ?? "");
  await expect(list.getByRole("option", { selected: true })).toHaveCount(0);
  await box.press("Enter");
  await expect(page).toHaveURL("/products?q=pipe");
});

test("a finger that scrolls the suggestions chooses none of them", async ({ page }) => {
  await open(page, "/");
  const box = search(page);
  await box.fill("pipe");
  const options = page.getByRole("listbox", { name: "Suggestions" }).getByRole("option");
  await expect(options.nth(2)).toBeVisible();
  await options.nth(2).dispatchEvent("pointermove", { pointerType: "touch" });
  await box.press("Enter");
  await expect(page).toHaveURL("/products?q=pipe");
});

test("what is typed into the search stays when a filter's answer arrives", async ({ page }) => {
  await saveData(page);
  await open(page, "/products");
  let answer = () => {};
  const held = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route("**/_payload.json*", async (route) => {
    await held;
    await route.continue();
  });
  await openFilters(page);
  const asked = page.waitForRequest("**/_payload.json*");
  await option(page, "Material", "Briar").click();
  await asked;
  await closeFilters(page);
  await search(page).fill("humid");
  answer();
  await expect(page).toHaveURL("/products?material=briar");
  await expect(page.locator(COUNT)).toHaveText("14 products");
  await expect(search(page)).toHaveValue("humid");
  await expect(search(page)).toBeFocused();
});

test("choosing a variant changes price, picture, stock and address in place", {
  tag: "@phone",
}, async ({ page }) => {
  await open(page, "/product/double-blade-cutter");
  const loads = documents(page);
  const entries = await page.evaluate(() => history.length);
  await expect(page.locator(".product-price .price")).toHaveText("$48.00");
  await expect(page.locator(".stock")).toHaveText("In stock");
  await page.locator(".picker").getByRole("link", { name: "Brass" }).click();
  await expect(page.locator(".product-price .price")).toHaveText("$52.00");
  await expect(page.locator(".stock")).toHaveText("Only 4 left");
  await expect(page.getByRole("button", { name: "Add to cart · $52.00" })).toBeVisible();
  await expect(page).toHaveURL("/product/double-blade-cutter?variant=DBC-BRA");
  await expect(page.locator(".picker a[aria-current]")).toHaveText("Brass");
  await expect(page.getByRole("link", { name: "Photo 3 of 5" })).toHaveAttribute("aria-current");
  await expect.poll(() => shownPicture(page)).toBe("Double-Blade Cutter in brass");
  expect(await page.evaluate(() => history.length)).toBe(entries);
  expect(loads).toEqual([]);
  await page.reload();
  await expect(page.locator(".product-price .price")).toHaveText("$52.00");
});

test("a variant that is chosen while the page is fetched again stays chosen", async ({ page }) => {
  await saveData(page);
  await open(page, "/product/double-blade-cutter");
  let answer = () => {};
  const answered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route("**/_payload.json*", async (route) => {
    await answered;
    await route.continue();
  });
  await refreshes(page);
  await page.locator(".picker").getByRole("link", { name: "Brass" }).click();
  await expect(page).toHaveURL("/product/double-blade-cutter?variant=DBC-BRA");
  const shown = page.waitForResponse(/_payload\.json\?variant=DBC-BRA$/);
  answer();
  await shown;
  await expect(page.locator(".progress")).toHaveCount(0);
  await expect(page).toHaveURL("/product/double-blade-cutter?variant=DBC-BRA");
  await expect(page.locator(".picker a[aria-current]")).toHaveText("Brass");
  await expect(page.locator(".product-price .price")).toHaveText("$52.00");
});

test("the purchase form stays in the window below many choices", async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  await open(page, "/product/double-blade-cutter");
  await page
    .locator(".picker")
    .first()
    .evaluate((picker) => {
      for (let more = 0; more < 8; more += 1) picker.after(picker.cloneNode(true));
    });
  await expect(page.getByRole("button", { name: /^Add to cart/ })).toBeInViewport({ ratio: 1 });
  await page.locator(".product-story").evaluate((story) => {
    story.style.paddingBlockEnd = "2000px";
  });
  const choices = await page.locator(".picker a").all();
  await choices[0]?.focus();
  for (const choice of choices) {
    await expect(choice).toBeFocused();
    const covered = () =>
      choice.evaluate((link) => {
        const { x, y, width, height } = link.getBoundingClientRect();
        return !link.contains(document.elementFromPoint(x + width / 2, y + height / 2));
      });
    await expect.poll(covered).toBe(false);
    await page.keyboard.press("Tab");
  }
});

test("a variant that is sold out says so and cannot be bought", async ({ page }) => {
  await open(page, "/product/heavy-glass-ashtray");
  await page.locator(".picker a", { hasText: "Sold out" }).first().click();
  await expect(page.locator(".stock")).toHaveText("Sold out");
  await expect(page.getByRole("button", { name: "Sold out" })).toBeDisabled();
  await expect(page.getByRole("group", { name: "Quantity" })).toHaveCount(0);
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("filters and orders are links that work without JavaScript", { tag: "@phone" }, async ({
    page,
  }) => {
    await page.goto("/products");
    await openFilters(page);
    await option(page, "Material", "Briar").click();
    await expect(page).toHaveURL("/products?material=briar");
    await expect(page.locator(COUNT)).toHaveText("14 products");
    await page.locator(".sort summary").click();
    await page.locator(".sort").getByRole("link", { name: "Price: low to high" }).click();
    await expect(page).toHaveURL("/products?material=briar&sort=price");
    await expect(page.locator(".card")).toHaveCount(14);
    const prices = await cardPrices(page);
    expect(prices).toEqual(prices.toSorted((a, b) => a - b));
    await openFilters(page);
    await page.getByLabel("To, dollars").fill("80");
    await page.getByRole("button", { name: "Apply" }).click();
    await expect(page).toHaveURL(/max_price=80/);
    await expect(page).toHaveURL(/material=briar/);
    await expect(page).toHaveURL(/sort=price/);
    await chip(page, "Briar").click();
    await expect(page).not.toHaveURL(/material/);
  });

  test("the search is a form that works without JavaScript", async ({ page }) => {
    await page.goto("/");
    await search(page).fill("humidor");
    await search(page).press("Enter");
    await expect(page).toHaveURL("/products?q=humidor");
    await expect(page.locator(".card h3").first()).toContainText(/humidor/i);
    await page.locator(".card a").first().click();
    await expect(page.locator(".product h1")).toBeVisible();
  });

  test("variants are links that work without JavaScript", { tag: "@phone" }, async ({ page }) => {
    await page.goto("/product/double-blade-cutter");
    await page.locator(".picker").getByRole("link", { name: "Brass" }).click();
    await expect(page).toHaveURL("/product/double-blade-cutter?variant=DBC-BRA");
    await expect(page.locator(".product-price .price")).toHaveText("$52.00");
    await expect(page.locator(".stock")).toHaveText("Only 4 left");
    await expect.poll(() => shownPicture(page)).toBe("Double-Blade Cutter in brass");
    await page.getByRole("textbox", { name: "Quantity" }).fill("2");
    await page.getByRole("button", { name: /Add to cart/ }).click();
    await expect(page).toHaveURL("/cart");
    await expect(page.locator(".cart-line")).toContainText("DBC-BRA");
    await expect(page.locator(".cart-total dd")).toHaveText("$104.00");
  });
});

/** Holds payloads until the returned function is called. */
async function holdPayloads(page: Page): Promise<() => void> {
  let answer = () => {};
  const held = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route("**/_payload.json*", async (route) => {
    await held;
    // The page may have canceled it.
    await route.continue().catch(() => {});
  });
  return () => answer();
}

/** On a phone the filters are in a drawer. */
async function openFilters(page: Page): Promise<void> {
  const button = page.locator(".filter-button");
  if (await button.isVisible()) await button.click();
}

async function closeFilters(page: Page): Promise<void> {
  const button = page.locator(".filters-show");
  if (await button.isVisible()) await button.click();
  await expect(page.locator("#filters:popover-open")).toHaveCount(0);
}

/** The picture at which the gallery has stopped scrolling. */
function shownPicture(page: Page): Promise<string | undefined> {
  return page.locator(".gallery-strip").evaluate((strip) => {
    const { left } = strip.getBoundingClientRect();
    const distance = (image: Element) => Math.abs(image.getBoundingClientRect().left - left);
    return [...strip.querySelectorAll("img")].find((image) => distance(image) < 2)?.alt;
  });
}

function option(page: Page, facet: string, label: string) {
  return page
    .locator(".facet", { has: page.getByRole("heading", { name: facet, exact: true }) })
    .locator("li a", { hasText: label })
    .first();
}

function chip(page: Page, label: string) {
  return page.locator(".chip", { hasText: label });
}

function search(page: Page) {
  return page.locator("#search");
}

async function count(page: Page): Promise<number> {
  return Number.parseInt((await page.locator(COUNT).textContent()) ?? "", 10);
}

function titles(page: Page): Promise<string[]> {
  return page.locator(".card h3").allTextContents();
}

/** The current price on each card, in dollars. */
function cardPrices(page: Page): Promise<number[]> {
  return page.locator(".card .price").evaluateAll((prices) =>
    prices.map((price) => {
      const now = (price.querySelector("b") ?? price).textContent ?? "";
      return Number(now.replace(/[^\d.]/g, ""));
    }),
  );
}

/** How many pixels the page is wider than the screen. */
function over(page: Page): Promise<number> {
  return page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    return Math.max(scrollWidth - clientWidth, 0);
  });
}

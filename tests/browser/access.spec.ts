// Accessibility: the focus, forced colors, and narrow screens.
import {
  add,
  confirmed,
  fillAddress,
  fillCard,
  goToCheckout,
  payButton,
  saveAddress,
  tooWide,
} from "./checkout-form";
import { backgroundRuns, expect, open, type Page, test } from "./shop";
import { newcomer, signIn } from "./staff";

/** Loads a page without its pictures, and waits for the code that is loaded after it. */
async function openAll(page: Page, path: string): Promise<void> {
  await page.route("**/images/**", (route) => route.abort());
  await open(page, path);
  await backgroundRuns(page);
}

test("the focus goes to what replaces an element, even if that is replaced at once", async ({
  page,
}) => {
  await openAll(page, "/products?material=briar&sale=1");
  await page.locator(".chip").first().focus();
  await page.evaluate(async () => {
    const [first, second] = document.querySelectorAll(".chips > li");
    first?.remove();
    // The page hears of each removal before any task.
    await Promise.resolve();
    second?.replaceWith(second.cloneNode(true));
  });
  await expect(page.locator(".chip")).toHaveCount(1);
  await expect(page.locator(".chip")).toBeFocused();
});

test("the focus stays where somebody works, whatever goes", async ({ page }) => {
  await openAll(page, "/products");
  await page.locator(".facet li a", { hasText: "On sale" }).focus();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/sale=1/);
  await expect(page.locator(".facet li a", { hasText: "On sale" })).toBeFocused();
  await page.locator(".facet li a", { hasText: "In stock" }).click();
  await expect(page.locator(".chip")).toHaveCount(2);
  // When the first of two chips is removed, the other one takes its place.
  await page.locator(".chip").first().focus();
  await page.keyboard.press("Enter");
  await expect(page.locator(".chip")).toHaveCount(1);
  await expect(page.locator(".chip")).toBeFocused();

  const signUp = page.getByRole("link", { name: "Create an account" });
  for (const leave of ["Escape", "Enter"]) {
    await signUp.focus();
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: "Cancel" }).focus();
    await page.keyboard.press(leave);
    await expect(dialog).toHaveCount(0);
    await expect(signUp).toBeFocused();
  }

  await openAll(page, "/product/double-blade-cutter");
  const fewer = page.getByRole("button", { name: "Decrease quantity" });
  await page.getByRole("textbox", { name: "Quantity" }).fill("2");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("button", { name: /^Add to cart · \$96/ })).toBeVisible();
  await expect(page.getByRole("textbox", { name: "Quantity" })).toBeFocused();
  await fewer.focus();
  await page.keyboard.press("Enter");
  await expect(fewer).toHaveAttribute("aria-disabled", "true");
  await expect(fewer).toBeFocused();
  await page.getByRole("button", { name: /^Add to cart/ }).click();
  await page.getByRole("button", { name: "Close notification" }).focus();
  await page.keyboard.press("Enter");
  await expect(page.locator(".toast")).toHaveCount(0);
  await expect(page.getByRole("heading", { level: 1 })).toBeFocused();

  await openAll(page, "/cart");
  await page.getByRole("button", { name: /^Save for later/ }).focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "Saved for later" })).toBeVisible();
  await expect(page.getByRole("heading", { name: "Your cart" })).toBeFocused();
});

test("the focus stays on the button that saves, and goes on to the next row", async ({
  context,
}) => {
  const page = await newcomer(context, "Tess Keys");
  await backgroundRuns(page);
  const save = page.getByRole("button", { name: "Save profile" });
  await page.getByLabel("Name", { exact: true }).fill("Tess Keyes");
  await save.focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Tess Keyes");
  await expect(save).toHaveAttribute("aria-disabled", "false");
  await expect(save).toBeFocused();
  for (const street of ["1 Oak Street", "2 Oak Street"]) await saveAddress(context, street, false);
  await openAll(page, "/account");
  await page
    .getByRole("button", { name: /^Remove address/ })
    .first()
    .focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("button", { name: /^Remove address/ })).toHaveCount(1);
  await expect(page.getByRole("button", { name: /^Remove address/ })).toBeFocused();
});

test("what is chosen stands out in the colors of the system", async ({ page }) => {
  await page.emulateMedia({ forcedColors: "active" });
  await open(page, "/product/double-blade-cutter");
  await page.getByRole("combobox").fill("hum");
  await expect(page.getByRole("option").nth(1)).toBeVisible();
  await page.keyboard.press("ArrowDown");
  const ground = (selector: string) =>
    page
      .locator(selector)
      .first()
      .evaluate((each) => getComputedStyle(each).backgroundColor);
  for (const [chosen, other] of [
    ["[role=option][aria-selected=true]", "[role=option][aria-selected=false]"],
    [".choice[aria-current]", ".choice:not([aria-current])"],
    [".gallery-thumbs [aria-current]", ".gallery-thumbs a:not([aria-current])"],
  ] as const)
    expect(await ground(chosen), chosen).not.toBe(await ground(other));
  await signIn(page, "Sample Admin", "/admin/settings/shipping");
  const ofSystem = await page.evaluate(() => {
    const element = document.createElement("p");
    element.style.forcedColorAdjust = "none";
    element.style.color = "SelectedItemText";
    element.style.background = "SelectedItem";
    document.body.append(element);
    const { color, backgroundColor } = getComputedStyle(element);
    element.remove();
    return [color, backgroundColor];
  });
  const expectSelected = async (selector: string) => {
    const [color = "", background = ""] = ofSystem;
    await expect(page.locator(selector).first(), selector).toHaveCSS("color", color);
    await expect(page.locator(selector).first(), selector).toHaveCSS(
      "background-color",
      background,
    );
  };
  for (const place of [".admin-side li", ".settings-parts"])
    await expectSelected(`${place} a[aria-current]`);
  await open(page, "/admin/products");
  await page.locator("tbody .admin-list-choice input").first().check();
  for (const chosen of [".admin-list-views [aria-current]", "tr[aria-selected=true]"])
    await expectSelected(chosen);
  await page.keyboard.press("Control+k");
  await expectSelected("dialog [role=option][aria-selected=true]");
  await open(page, "/admin/overview");
  for (const chosen of ["a[aria-current]", "label:has(:checked)"])
    await expectSelected(`.segments ${chosen}`);
});

test.describe("on a phone", () => {
  test.use({ viewport: { width: 390, height: 664 } });

  test("an open drawer keeps the focus, and shows what has it", async ({ page }) => {
    // The drawers open without an animation.
    await page.emulateMedia({ reducedMotion: "reduce" });
    await openAll(page, "/products");
    for (const [opener, drawer] of [
      ["Menu", "#menu"],
      ["Filters", "#filters"],
    ] as const) {
      await page.getByRole("button", { name: opener, exact: true }).click();
      await expect(page.locator(drawer)).toBeVisible();
      const seen = new Set<string>();
      for (;;) {
        await page.keyboard.press("Tab");
        const at = await page.locator(drawer).evaluate((element) => {
          const focused = document.activeElement;
          const box = focused?.getBoundingClientRect();
          const top =
            box && document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
          return {
            name: `${focused?.tagName} ${focused?.textContent} ${focused?.getAttribute("name")}`,
            isInside: element.contains(focused),
            isSeen: Boolean(focused?.contains(top ?? null)),
          };
        });
        expect(at).toMatchObject({ isInside: true, isSeen: true });
        if (seen.has(at.name)) break;
        seen.add(at.name);
      }
      expect(seen.size).toBeGreaterThan(5);
      await page.keyboard.press("Escape");
      await expect(page.locator(drawer)).toBeHidden();
      await expect(page.getByRole("button", { name: opener, exact: true })).toBeFocused();
    }
    // What a key has shown is reached next.
    await page.getByRole("button", { name: "Filters", exact: true }).click();
    const more = page.locator(".facet-more").first();
    await more.locator("summary").focus();
    await page.keyboard.press("Enter");
    await expect(more).toHaveAttribute("open");
    await expect(more.locator("summary")).toBeFocused();
    await page.keyboard.press("Tab");
    await expect(more.locator("a").first()).toBeFocused();
  });

  test("Tab stays in an open drawer in browsers without checkVisibility, too", async ({ page }) => {
    // Like Safari before 17.4.
    await page.addInitScript(() => {
      delete (Element.prototype as Partial<Element>).checkVisibility;
    });
    const thrown: Error[] = [];
    page.on("pageerror", (error) => thrown.push(error));
    await openAll(page, "/");
    await page.getByRole("button", { name: "Menu", exact: true }).click();
    for (const key of ["Tab", "Shift+Tab"]) {
      await page.keyboard.press(key);
      await expect(page.locator("#menu :focus")).toHaveCount(1);
    }
    expect(thrown).toEqual([]);
  });

  test("a touch outside of an open drawer closes it, also where the browser does not", async ({
    page,
  }) => {
    await openAll(page, "/products");
    for (const [opener, id] of [
      ["Menu", "menu"],
      ["Filters", "filters"],
    ] as const) {
      await page.getByRole("button", { name: opener, exact: true }).click();
      const drawer = page.locator(`#${id}:popover-open`);
      await expect(drawer).toHaveCount(1);
      // The browser ignores such an event.
      const touch = (selector: string) =>
        page.locator(selector).first().dispatchEvent("pointerup", { pointerType: "touch" });
      await touch(`#${id} a`);
      await touch(`:not(#${id} *)[popovertarget=${id}]`);
      await expect(drawer).toHaveCount(1);
      await touch("h1");
      await expect(drawer).toHaveCount(0);
    }
  });
});

/** That the focus gets into `part`, and nothing there lies under a bar while it has the focus. */
async function expectUncovered(page: Page, part: string, bars: string): Promise<void> {
  let within = 0;
  for (const key of ["Tab", "Shift+Tab"]) {
    for (let presses = 0; presses < 60; presses += 1) {
      await page.keyboard.press(key);
      const seen = await page.evaluate(
        ([part, bars]) => {
          const focused = document.activeElement;
          if (!focused?.closest(part) || focused.closest(bars)) return null;
          const { x, y, width, height } = focused.getBoundingClientRect();
          const covered = [y + 2, y + height - 2].every((at) =>
            document.elementFromPoint(x + width / 2, at)?.closest(bars),
          );
          return { hidden: covered ? focused.outerHTML : null };
        },
        [part, bars] as const,
      );
      if (!seen) continue;
      expect(seen.hidden).toBeNull();
      within += 1;
    }
  }
  expect(within, part).toBeGreaterThan(0);
}

test("nothing of the admin area that has the focus lies under a bar, and 320 px are enough", async ({
  page,
}) => {
  await signIn(page, "Sample Admin", "/admin/settings/shipping");
  await page.emulateMedia({ reducedMotion: "reduce" });
  await expectUncovered(page, "main form", ".admin-bar, .settings-save");
  await open(page, "/admin/products?q=double-blade");
  const product = page.locator("a.product-cell").first();
  await open(page, (await product.getAttribute("href")) ?? "");
  // A laptop, enlarged to twice the size.
  await page.setViewportSize({ width: 683, height: 384 });
  await expectUncovered(page, ".product-editor", ".admin-bar, .admin-head");
  await page.setViewportSize({ width: 320, height: 640 });
  for (const path of ["/admin/settings/tax", "/admin/settings/shipping", "/checkout", "/account"]) {
    await open(page, path);
    const over = await page.evaluate(() => {
      const { scrollWidth, clientWidth } = document.documentElement;
      return Math.max(scrollWidth - clientWidth, 0);
    });
    expect(over, path).toBe(0);
  }
  await open(page, "/admin/products/groups");
  const up = await page.getByRole("button", { name: "Move Pipes up" }).boundingBox();
  const edit = await page.getByRole("button", { name: "Edit Pipes" }).boundingBox();
  expect(up?.y).toBe(edit?.y);
  await open(page, "/admin/orders/drafts");
  await expect(page.locator(".admin-list-views [aria-current]")).toBeInViewport({ ratio: 1 });
  await open(page, "/admin/products");
  // Rows are cards here: nothing scrolls, so the list is no stop for the keyboard.
  await expect(page.locator(".admin-list-scroll")).not.toHaveAttribute("tabindex");
  for (const menu of await page.locator(".admin-list-menu > summary").all()) {
    await menu.click();
    await expect(menu.locator("xpath=../fieldset")).toBeInViewport();
    const over = () =>
      page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
    await expect.poll(over, await menu.innerText()).toBeLessThanOrEqual(0);
    await page.keyboard.press("Escape");
  }
});

test("for an account with a long name and email and for its order 320 px are enough, too", async ({
  context,
}) => {
  const name = `${"vane.".repeat(5)}iris@shop.example`;
  const page = await newcomer(context, name);
  await add(page, "/product/three-way-pipe-tool?variant=TWT-SIN");
  await goToCheckout(page);
  await fillAddress(page);
  await fillCard(page, "4111111111111111");
  await payButton(page).click();
  await confirmed(page);
  const label = await page.locator(".order-head .label").innerText();
  const number = /order ([^\s,]+)/i.exec(label)?.[1];
  await page.setViewportSize({ width: 320, height: 640 });
  await signIn(page, "Sample Admin", `/admin/orders/${number}`);
  expect(await tooWide(page)).toBe(0);
  await page.locator(".panel a[href^='/admin/users/']").click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(name);
  expect(await tooWide(page)).toBe(0);
});

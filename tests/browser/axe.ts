import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "./shop";

const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22a", "wcag22aa", "best-practice"];

/** Rules whose outcome hangs on colors. */
const OF_COLOR = ["cat.color"];

/** What axe finds wrong with the page as it stands. */
export async function violations(page: Page, tags = RULES): Promise<string[]> {
  // A color that is still fading in is not the color that will be read.
  await page.evaluate(() => {
    for (const animation of document.getAnimations()) animation.finish();
  });
  await setSticky(page, false);
  // With no frame there is nothing to bring together on a page of its own, which takes as long as the rules do.
  const axe = new AxeBuilder({ page }).setLegacyMode(page.frames().length === 1);
  const { violations } = await axe.withTags(tags).analyze();
  await setSticky(page, true);
  return violations.map(
    ({ id, nodes }) =>
      `${id}: ${nodes.map(({ target, html }) => `${target.join(" ")} ${html}`).join(", ")}`,
  );
}

/** What lies beneath a bar that sticks can be scrolled from under it, which the rule about sizes of targets does not know. */
async function setSticky(page: Page, sticky: boolean): Promise<void> {
  await page.evaluate((sticky) => {
    for (const each of document.querySelectorAll<HTMLElement>("body *")) {
      if (sticky && each.dataset.unstuck !== undefined) {
        each.style.position = "";
        delete each.dataset.unstuck;
      } else if (!sticky && getComputedStyle(each).position === "sticky") {
        each.style.position = "static";
        each.dataset.unstuck = "";
      }
    }
  }, sticky);
}

/** Likewise, in light and in dark, where only the colors are others. */
export async function violationsInBoth(page: Page): Promise<string[]> {
  await page.emulateMedia({ colorScheme: "light" });
  const light = await violations(page);
  await page.emulateMedia({ colorScheme: "dark" });
  const dark = await violations(page, OF_COLOR);
  return [...light.map((found) => `light: ${found}`), ...dark.map((found) => `dark: ${found}`)];
}

import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "./shop";

const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22a", "wcag22aa", "best-practice"];

/** Rules that depend on colors. */
const OF_COLOR = ["cat.color"];

/** What changes while axe works changes at once. Animations stay, because some keep the state in which they end. */
const STILL = `*, ::before, ::after, ::backdrop {
  transition: none !important;
  animation-duration: 0s !important;
  animation-delay: 0s !important;
}`;

/** The violations that axe finds on the current page. */
export async function violations(page: Page, tags = RULES): Promise<string[]> {
  // Finish all animations, so that colors are final.
  const still = await page.evaluateHandle((styles) => {
    for (const animation of document.getAnimations()) animation.finish();
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(styles);
    document.adoptedStyleSheets.push(sheet);
    return sheet;
  }, STILL);
  await setSticky(page, false);
  // Without iframes the legacy mode is enough; otherwise axe merges the results on an extra page, which takes as long as the rules.
  const axe = new AxeBuilder({ page }).setLegacyMode(page.frames().length === 1);
  const { violations } = await axe.withTags(tags).analyze();
  await setSticky(page, true);
  await still.evaluate((sheet) => {
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((each) => each !== sheet);
  });
  return violations.map(
    ({ id, nodes }) =>
      `${id}: ${nodes.map(({ target, html }) => `${target.join(" ")} ${html}`).join(", ")}`,
  );
}

/** The target size rule does not know that elements under a sticky bar can be scrolled into view. */
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

/** The same in light and dark mode; in dark mode only the color rules run. */
export async function violationsInBoth(page: Page): Promise<string[]> {
  await page.emulateMedia({ colorScheme: "light" });
  const light = await violations(page);
  await page.emulateMedia({ colorScheme: "dark" });
  const dark = await violations(page, OF_COLOR);
  return [...light.map((found) => `light: ${found}`), ...dark.map((found) => `dark: ${found}`)];
}

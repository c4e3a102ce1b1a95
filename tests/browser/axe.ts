import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "./shop";

const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22a", "wcag22aa", "best-practice"];

/** Rules whose outcome hangs on colors. */
const OF_COLOR = ["cat.color"];

/** What axe finds wrong with the page as it stands. */
export async function violations(page: Page, tags = RULES): Promise<string[]> {
  // A colour that is still fading in is not the colour that will be read.
  await page.evaluate(() =>
    Promise.all(document.getAnimations().map(({ finished }) => finished.catch(() => {}))),
  );
  const { violations } = await new AxeBuilder({ page }).withTags(tags).analyze();
  return violations.map(
    ({ id, nodes }) =>
      `${id}: ${nodes.map(({ target, html }) => `${target.join(" ")} ${html}`).join(", ")}`,
  );
}

/** Likewise, in light and in dark, where only the colors are others. */
export async function violationsInBoth(page: Page): Promise<string[]> {
  await page.emulateMedia({ colorScheme: "light" });
  const light = await violations(page);
  await page.emulateMedia({ colorScheme: "dark" });
  const dark = await violations(page, OF_COLOR);
  return [...light.map((found) => `light: ${found}`), ...dark.map((found) => `dark: ${found}`)];
}

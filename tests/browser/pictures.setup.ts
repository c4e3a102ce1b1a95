// Has the pictures rendered that the pages show. The shop renders one after the other when they are first asked for, and keeps them: a page full
// of them, beside those of other tests, would wait longer than the shop lets it.
import type { APIRequestContext } from "@playwright/test";
import { PAGES, scrollThrough, test as setup } from "./shop";

/** How often a picture is asked for. A test that shows one which cannot be rendered says so. */
const TRIES = 10;

setup("pictures are rendered", async ({ page }) => {
  setup.setTimeout(600_000);
  for (const path of Object.values(PAGES)) {
    await page.goto(path);
    await scrollThrough(page);
    const shown = await page.evaluate(() =>
      Array.from(document.images, ({ currentSrc }) => currentSrc).filter((address) =>
        address.includes("/images/"),
      ),
    );
    for (const address of new Set(shown)) await haveRendered(page.request, address);
  }
});

async function haveRendered(request: APIRequestContext, picture: string): Promise<void> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const answer = await request.get(picture, { timeout: 60_000 });
    if (answer.ok()) return;
  }
}

// node tests/browser/screens.mjs ORIGIN FOLDER
// Takes screenshots of all screens of a running demo shop, on desktop and phone, in light and dark mode.
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { chromium } from "@playwright/test";
import { args, executablePath } from "./chromium.mjs";

const PRODUCT = "/product/double-blade-cutter?variant=DBC-BRA";
const SCREENS = {
  home: "/",
  list: "/products",
  filtered: "/products?material=briar&sort=price",
  search: "/products?q=humidor",
  nothing: "/products?q=qqqzzzxxx",
  category: "/category/pipes",
  product: PRODUCT,
  privacy: "/content/legal/privacy-policy",
  shipping: "/content/legal/shipping-policy",
  terms: "/content/legal/terms-of-service",
  refunds: "/content/legal/refund-return-policy",
  missing: "/no-such-page",
};
const SIZES = [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
];

const [baseURL, folder] = process.argv.slice(2);
if (!baseURL || !folder) {
  console.error("Usage: node tests/browser/screens.mjs ORIGIN FOLDER");
  process.exit(2);
}
await mkdir(folder, { recursive: true });
const browser = await chromium.launch({ executablePath, args });
for (const viewport of SIZES) {
  for (const colorScheme of ["light", "dark"]) await visit(viewport, colorScheme);
}
await browser.close();

/** One visitor, from the age gate to the cart. */
async function visit(viewport, colorScheme) {
  const context = await browser.newContext({ baseURL, viewport, colorScheme });
  const page = await context.newPage();
  const shoot = async (name) => {
    await settle(page);
    const file = `${name}-${viewport.width}-${colorScheme}.png`;
    await page.screenshot({
      path: join(folder, file),
      fullPage: name !== "gate" && name !== "toast",
    });
    console.log(file);
  };

  await page.goto("/", { waitUntil: "networkidle" });
  await page.getByRole("button", { name: "Enter" }).click();
  await page.locator("#gate-error").waitFor();
  await shoot("gate");
  await page.getByLabel("Date of birth").fill("1980-05-17");
  await page.getByRole("button", { name: "Enter" }).click();
  await page.getByRole("dialog").waitFor({ state: "detached" });

  await page.goto("/cart", { waitUntil: "networkidle" });
  await shoot("cart-empty");
  for (const [name, path] of Object.entries(SCREENS)) {
    await page.goto(path, { waitUntil: "networkidle" });
    await shoot(name);
  }
  await page.goto(PRODUCT, { waitUntil: "networkidle" });
  await page.getByRole("button", { name: /^Add to cart/ }).click();
  await shoot("toast");
  await page.goto("/cart", { waitUntil: "networkidle" });
  await shoot("cart");
  await buy(page, shoot);
  await page.goto("/auth/login?return_to=/account", { waitUntil: "networkidle" });
  await shoot("sign-in");
  await page.getByRole("button", { name: "Sample Shopper" }).click();
  await page.waitForURL("**/account");
  await shoot("account");
  await context.close();
}

/** From a filled cart to the confirmation, with a test card of the stand-in. */
async function buy(page, shoot) {
  await page.goto("/checkout", { waitUntil: "networkidle" });
  await shoot("checkout-empty");
  const fill = (label, text) => page.getByRole("textbox", { name: label }).fill(text);
  await fill("Email", "ada@shop.example");
  await fill("First name", "Ada");
  await fill("Last name", "Reed");
  await fill("Street address", "12 High Street");
  await fill("City", "Columbus");
  await page.getByRole("combobox", { name: "State" }).selectOption("OH");
  await fill("ZIP code", "43215");
  const card = page.frameLocator("iframe");
  await card.getByLabel("Card number").fill("4111 1111 1111 1111");
  await card.getByLabel("Expires").fill("12/30");
  await card.getByLabel("Security code").fill("111");
  await card.getByLabel("ZIP code").fill("43215");
  await page.getByRole("button", { name: /^Pay \$/ }).waitFor();
  await shoot("checkout");
  await page.getByRole("button", { name: /^Pay \$/ }).click();
  await page.waitForURL("**/order-confirmation**");
  await shoot("confirmation");
}

/** Loads the lazy pictures and waits for all of them. */
async function settle(page) {
  await page.evaluate(async () => {
    for (const image of document.images) image.loading = "eager";
    const shown = [...document.images].filter((image) => image.checkVisibility());
    await Promise.all(shown.map((image) => image.decode().catch(() => {})));
  });
}

import { chromium } from "@playwright/test";
import { args, executablePath } from "./chromium.mjs";

const base = "http://localhost:8931";
const out = "/tmp/w1shots";
const which = process.argv[2] ?? "all";
const browser = await chromium.launch({ executablePath, args });
for (const [w, h, mobile] of [
  [1440, 900, false],
  [390, 844, true],
])
  for (const scheme of ["light", "dark"]) {
    if (which !== "all" && which !== `${w}-${scheme}`) continue;
    const context = await browser.newContext({
      baseURL: base,
      viewport: { width: w, height: h },
      colorScheme: scheme,
      hasTouch: mobile,
      isMobile: mobile,
    });
    await context.request.post("/api/verify-age", {
      data: { birth_date: "1980-05-17", user_id: null, preferred_state: null },
    });
    const page = await context.newPage();
    page.on("console", (m) => console.log(w, scheme, m.type(), m.text()));
    page.on("pageerror", (e) => console.log("pageerror", e.message));
    const shot = async (n) => {
      await page.evaluate(async () => {
        for (const i of document.images) i.loading = "eager";
        await Promise.all(
          [...document.images]
            .filter((i) => i.checkVisibility())
            .map((i) => i.decode().catch(() => {})),
        );
      });
      await page.screenshot({ path: `${out}/${n}-${w}-${scheme}.png`, fullPage: true });
    };
    for (const p of ["/product/double-blade-cutter?variant=DBC-BRA", "/products?category=x"]) {
      await page.goto(p, { waitUntil: "networkidle" });
      const b = page.getByRole("button", { name: /^Add to cart/ });
      if (await b.count()) await b.first().click();
    }
    await page.goto("/cart", { waitUntil: "networkidle" });
    await shot("cart");
    await page.getByRole("link", { name: "Checkout" }).click();
    await page.waitForURL("/checkout");
    await page.waitForLoadState("networkidle");
    await shot("checkout-empty");
    await page.getByLabel("Email").fill("ada@example.com");
    await page.getByLabel("First name").fill("Ada");
    await page.getByLabel("Last name").fill("Miller");
    await page.getByLabel("Street and number").fill("48 Gay Street");
    await page.getByLabel("City").fill("Columbus");
    await page.getByLabel("State", { exact: true }).selectOption("OH");
    await page.getByLabel("ZIP code").first().fill("43215");
    const form = page.frameLocator("iframe");
    await form.getByLabel("Card number").fill("4000000000000002");
    await form.getByLabel("Expires").fill("12/30");
    await form.getByLabel("Security code").fill("111");
    await form.getByLabel("ZIP code").fill("43215");
    await page.waitForTimeout(800);
    await shot("checkout-filled");
    await page.getByRole("button", { name: /^Pay/ }).click();
    await page.locator("#refusal p").waitFor();
    await shot("checkout-declined");
    await form.getByLabel("Card number").fill("4111111111111111");
    await page.getByRole("button", { name: /^Pay/ }).click();
    await page.waitForURL(/order-confirmation/);
    await page.waitForLoadState("networkidle");
    await shot("confirmation");
    await page.goBack();
    await page.waitForTimeout(800);
    console.log("back:", page.url());
    await context.close();
  }
await browser.close();

// The journey of a new customer: an account with age verification, a cart on the phone, the same cart on the laptop, a paid order, its
// email, and the order in the account.
import { confirmed } from "./checkout-form";
import { mailTo } from "./mailbox";
import { backgroundRuns, expect, hydrated, open, test } from "./shop";

const TOOL = "/product/three-way-pipe-tool?variant=TWT-SIN";

test("a new user signs up, is verified, fills a cart on the phone and buys on the laptop", async ({
  page: laptop,
  browser,
  baseURL,
}) => {
  const email = `nova-${crypto.randomUUID().slice(0, 13)}@shop.example`;
  const phones = await browser.newContext({
    baseURL: baseURL ?? "",
    viewport: { width: 390, height: 844 },
    isMobile: true,
    hasTouch: true,
  });
  await phones.addCookies(await laptop.context().cookies());
  const phone = await phones.newPage();

  // On the phone, sign-up is a redirect; after it the visitor is age-verified.
  await open(phone, "/");
  await backgroundRuns(phone);
  await phone.getByRole("link", { name: "Create an account" }).click();
  const dialog = phone.getByRole("dialog", { name: "Create an account" });
  await dialog.getByLabel("Date of birth").fill("1980-05-17");
  await dialog.getByLabel("State you order to").selectOption("OH");
  await dialog.getByRole("button", { name: "Continue" }).click();
  await phone.getByLabel("Name").fill("Nova Quill");
  await phone.getByLabel("Email").fill(email);
  const verified = phone.waitForResponse("**/api/verify-age");
  await phone.getByRole("button", { name: "Create account" }).click();
  expect((await verified).status()).toBe(200);
  await open(phone, TOOL);
  await phone.getByRole("button", { name: /^Add to cart/ }).click();
  await expect
    .poll(async () => {
      const cart = await (await phones.request.get("/api/cart")).json();
      return cart.items.map(({ sku }: { sku: string }) => sku);
    })
    .toEqual(["TWT-SIN"]);

  // The same account on the laptop, through a separate sign-in at the provider.
  await open(laptop, "/");
  await laptop.goto("/auth/login?return_to=/cart");
  await laptop.getByRole("button", { name: "Nova Quill" }).filter({ hasText: email }).click();
  await laptop.waitForURL("/cart");
  await hydrated(laptop);
  await expect(laptop.locator(".cart-line")).toContainText("Three-Way Pipe Tool");
  await laptop.getByRole("link", { name: "Checkout", exact: true }).click();
  await laptop.waitForURL("/checkout");
  await hydrated(laptop);
  await expect(laptop.getByLabel("Email")).toHaveValue(email);
  await laptop.getByLabel("First name").fill("Nova");
  await laptop.getByLabel("Last name").fill("Quill");
  await laptop.getByLabel("Street address").fill("48 Gay Street");
  await laptop.getByLabel("City").fill("Columbus");
  await laptop.getByLabel("State", { exact: true }).selectOption("OH");
  await laptop.getByLabel("ZIP code").fill("43215");
  const card = laptop.frameLocator("#card-form iframe");
  await card.getByLabel("Card number").fill("4111111111111111");
  await card.getByLabel("Expires").fill("12/30");
  await card.getByLabel("Security code").fill("111");
  await card.getByLabel("ZIP code").fill("43215");
  await laptop.getByRole("button", { name: /^Pay \$/ }).click();
  await confirmed(laptop);

  const number = (await laptop.locator(".order-head .label").textContent())?.match(/\w{4}-\w{4}/);
  expect(number).not.toBeNull();
  await expect
    .poll(async () => (await mailTo(laptop.request, baseURL, email)).map((mail) => mail.subject))
    .toContain(`Your order ${number?.[0]}`);
  await laptop.goto("/account");
  await expect(laptop.locator(".account-orders > li")).toContainText(number?.[0] ?? "");
  // The phone shows the new state, too.
  await phone.goto("/cart");
  await hydrated(phone);
  await expect(phone.locator(".cart-line")).toHaveCount(0);
  await phones.close();
});

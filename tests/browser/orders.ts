import { expect, type Page } from "./shop";

/** Buys through the API as a visitor's browser would, and waits until the payment is captured. */
export async function buy(page: Page, goods: Goods): Promise<string> {
  const paid = await pay(page, goods, "cnon:card-nonce-ok", "ada@shop.example");
  expect(paid.status()).toBe(200);
  const { number } = await paid.json();
  await expect
    .poll(async () => {
      const envelope = await page.request.get(`/admin/orders/${number}/_payload.json`);
      return (await envelope.json()).props.order.payment_status;
    })
    .toBe("paid");
  return number;
}

type Goods = [path: string, sku: string, qty: number][];

/** A payment with one of the provider's test cards. */
export async function pay(page: Page, goods: Goods, card: string, email: string) {
  const items = [];
  for (const [handle, sku, qty] of goods) {
    const envelope = await (await page.request.get(`/product/${handle}/_payload.json`)).json();
    const { variants } = envelope.props;
    items.push({ id: variants.find((each: { sku: string }) => each.sku === sku).id, qty });
  }
  const order = {
    checkout_id: crypto.randomUUID(),
    click_id: crypto.randomUUID(),
    items,
    email,
    address: {
      first_name: "Ada",
      last_name: "Reed",
      line1: "12 High Street",
      city: "Columbus",
      state: "OH",
      postal_code: "43215",
    },
    shipping_method: "ground",
    payment_method: "square",
    source_id: card,
  };
  const asked = { ...order, state: "OH", postal_code: "43215" };
  const headers = { origin: new URL(page.url()).origin, "sec-fetch-site": "same-origin" };
  const quote = await page.request.post("/api/checkout/quote", { data: asked, headers });
  const { total } = await quote.json();
  return page.request.post("/api/checkout/pay", {
    data: { ...order, expected_total: total },
    headers,
  });
}

export const TOOL = ["three-way-pipe-tool", "TWT-SIN"] as const;
export const BUTANE = ["butane-300ml", "BUT-SIN"] as const;

/** The dialog that is open. */
export const dialog = (page: Page) => page.getByRole("dialog").last();

/** A line's quantity in the open dialog. */
export const quantity = (page: Page, title: RegExp) =>
  dialog(page).getByRole("spinbutton", { name: title });

/** The field that finds items for a new order. */
export const itemSearch = (page: Page) => page.getByRole("combobox", { name: "Add items" });

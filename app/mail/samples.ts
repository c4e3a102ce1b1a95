import type { CompanyTexts, Mail, MailLine, MailProps, Money } from "../lib/types";

// One email of each kind, with data like the server's. Rendered before the snapshot is taken, and by tests.

const money = (amount: number): Money => ({ amount, currency: "USD" });
const number = "SAMPLE-1";
const order_path = "/order-confirmation?token=sample";
const address = ["Sample Shopper", "1 Example Street", "Columbus, OH 43215"];
const lines: MailLine[] = [
  { title: "Walnut pipe rack", variant: "6 pipes", quantity: 2, amount: money(10_900) },
  { title: "Tamper", variant: "", quantity: 1, amount: money(4_900) },
];

const samples: Mail[] = [
  {
    kind: "order_confirmation",
    number,
    placed_on: "2026-01-01",
    lines,
    totals: {
      subtotal: money(15_800),
      discounts: [{ label: "Promo code SAMPLE10", amount: money(-1_580) }],
      shipping: money(995),
      taxes: [{ label: "Sales tax", amount: money(1_067) }],
      total: money(16_282),
    },
    shipping_method: "Ground",
    address,
    payment: "Visa ending in 1111",
    is_open: true,
    is_canceled: false,
    adult_signature: true,
    order_path,
  },
  {
    kind: "order_shipped",
    number,
    lines,
    carrier: "UPS",
    tracking_number: "1Z999",
    tracking_url: "https://www.ups.com/track?tracknum=1Z999",
    address,
    adult_signature: true,
    order_path,
  },
  {
    kind: "order_refunded",
    number,
    amount: money(4_900),
    lines,
    payment: "Visa ending in 1111",
    in_store: false,
    reason: "Returned",
    order_path,
  },
  {
    kind: "order_canceled",
    number,
    reason: "out_of_stock",
    lines,
    refund: money(1),
    reclaimed: null,
    in_store: false,
    order_path,
  },
  {
    kind: "order_return_approved",
    number,
    lines,
    stays: [{ title: "Butane", variant: "300 ml", quantity: 1, amount: money(1_200) }],
    refund: money(1),
    in_store: false,
    order_path,
  },
  {
    kind: "order_return_rejected",
    number,
    lines,
    message: "We can only accept items in new condition.\n\nThe tamper shows signs of use.",
    order_path,
  },
  {
    kind: "order_to_pay",
    number,
    message: "As we said on the phone.\n\nThe tamper goes with it.",
    good_until: "2026-01-08",
    lines,
    totals: {
      subtotal: money(15_800),
      discounts: [],
      shipping: money(995),
      taxes: [],
      total: money(16_795),
    },
    shipping_method: "Ground",
    address,
    adult_signature: true,
    pay_path: "/checkout?draft=sample",
  },
  {
    kind: "pickup_to_confirm",
    lines,
    total: money(17_064),
    picked_up: true,
    good_until: "January 1, 2:00 PM EST",
    confirm_path: "/checkout/confirm?link=sample",
  },
  {
    kind: "order_pickup_ready",
    number,
    lines,
    to_pay: money(17_064),
    last_day: "2026-01-08",
    order_path,
  },
  { kind: "order_goods_canceled", number, lines, refund: null, refunded_before: true, order_path },
  { kind: "order_pickup_ready_undone", number, lines, order_path },
  {
    kind: "order_pickup_reminder",
    number,
    lines,
    total: money(17_064),
    last_day: "2026-01-08",
    order_path,
  },
  {
    kind: "order_shipment_undone",
    number,
    lines,
    carrier: "UPS Ground",
    tracking_number: "1Z999AA10123456784",
    order_path,
  },
  { kind: "welcome", name: "Sample Shopper" },
  { kind: "new_sign_in", name: "", signed_in_at: "January 1, 2026", device: "Firefox" },
  { kind: "account_deleted", name: "Sample Shopper" },
  { kind: "test", sent_at: "January 1, 2026" },
];

const company: CompanyTexts = {
  name: "Sample Tobacconist",
  legal_line: "Products for legal tobacco use only. Sample Tobacconist, OH, License # pending.",
  email: "hello@example.com",
  phone: "+1 614 555 0100",
  address: "1 High Street, Columbus, OH",
};

export const sampleEmails: MailProps[] = samples.map((mail) => ({
  mail,
  words: {
    subject: "{{company}} writes",
    opening: "First.\n\nSecond, of {{email}}.",
    closing: "",
  },
  company,
  origin: "https://shop.example.com",
  demo: true,
}));

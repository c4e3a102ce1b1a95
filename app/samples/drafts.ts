import type { DraftForm, DraftsPage, DraftView, NewOrderPage } from "../lib/types";
import { listOf } from "./admin-list";
import { repeat, shared } from "./base";

const draftLines: DraftView["lines"] = repeat(2, (index) => ({
  sku: `SAMPLE-${index}`,
  title: "Walnut pipe rack",
  variant: index === 0 ? "6 pipes" : "",
  quantity: 1 + index,
  unit_price: 4_900,
  price: 5_900,
}));

const draftAddress: DraftForm["address"] = {
  first_name: "Ada",
  last_name: "Sample",
  company: "",
  line1: "1 Example Street",
  line2: "",
  city: "Columbus",
  state: "OH",
  postal_code: "43215",
  phone: "",
};

export const newOrder: NewOrderPage = {
  store_address: shared.company.address,
  takes_cards: true,
  draft: {
    number: "D-SAMPLE",
    version: 1,
    lines: draftLines,
    user_id: "user",
    account: { name: "Ada Sample", email: "ada@example.com", email_verified: false },
    email: "ada@example.com",
    phone: "614 555 0142",
    address: draftAddress,
    shipping_method: "ground",
    promo_code: "SAMPLE10",
    message: "As we said on the phone.",
  },
};

export const draft: DraftView = {
  number: "D-SAMPLE",
  version: 1,
  state: "open",
  made: "2026-11-21T12:00:05",
  made_by: "Sample Admin",
  expires: "2026-11-28T23:59:59",
  mailed: "2026-11-21T12:00:05",
  user_id: "user",
  name: "Ada Sample",
  email: "ada@example.com",
  phone: "614 555 0142",
  address: draftAddress,
  delivery: "Ground",
  message: "As we said on the phone.",
  promo_code: "SAMPLE10",
  lines: draftLines,
  total: 16_282,
  quote: {
    lines: [],
    changes: [],
    problems: [{ code: "sold_out", id: "variant-0", message: "“Walnut pipe rack” is sold out." }],
    subtotal: 14_700,
    units: 3,
    discount: 1_470,
    promo: { code: "SAMPLE10", label: "10% off" },
    shipping_options: [],
    shipping: 995,
    tax: 1_067,
    tax_name: "Sales tax",
    taxes: [{ name: "Sales tax", amount: 1_067 }],
    total: 15_292,
    adult_signature: true,
    held_up_by: [],
    payment_methods: ["square"],
  },
  link: "https://shop.example.com/checkout?draft=sample",
  order: { number: "SAMPLE-0", payment_status: "paid" },
  may_change: true,
};

export const drafts: DraftsPage = {
  list: listOf("number", "made", "customer", "state", "order", "delivery", "expires", "total"),
  drafts: (["open", "placed", "expired", "withdrawn"] as const).map((state, index) => ({
    number: `D-SAMPLE-${index}`,
    made: "2026-11-21T12:00:05",
    expires: "2026-11-28T23:59:59",
    customer: "Ada Sample",
    email: "ada@example.com",
    state,
    delivery: "Ground",
    order: state === "placed" ? "SAMPLE-0" : null,
    payment: state === "placed" ? "paid" : null,
    total: 16_282,
  })),
};

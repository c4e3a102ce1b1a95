import type { ConfirmationPage, OrderView } from "../lib/types";
import { picture, repeat, shared } from "./base";

export const order = (index: number): OrderView => ({
  number: `SAMPLE-${index}`,
  href: `/order-confirmation?order=sample-${index}`,
  status: "placed",
  payment_status: "paid",
  fulfillment_status: "unfulfilled",
  placed_at: 1_795_280_400_000,
  placed_on: "2026-11-21",
  email: "ada@example.com",
  lines: repeat(2, (line) => ({
    id: `line-${line}`,
    variant_id: `variant-${line}`,
    title: "Walnut pipe rack",
    variant: `Walnut, ${line + 2} pipes`,
    sku: `RACK-${line}`,
    href: `/product/sample?variant=RACK-${line}`,
    picture,
    quantity: 1,
    canceled: line,
    unit_price: 4_900,
    discount: line * 100,
  })),
  subtotal: 9_800,
  discount: 100,
  promo_code: "WELCOME10",
  shipping: 1_295,
  shipping_name: "Ground",
  tax: 776,
  taxes: [{ name: "Ohio", amount: 776 }],
  total: 11_771,
  paid: 11_771,
  refunded: index * 1_000,
  reclaimed: 0,
  address:
    index % 2 === 0
      ? {
          first_name: "Ada",
          last_name: "Sample",
          company: "",
          line1: "1 High Street",
          line2: "",
          city: "Columbus",
          state: "OH",
          postal_code: "43215",
          phone: "",
        }
      : null,
  picked_up: index % 2 === 1,
  adult_signature: true,
  paid_with: "Visa ending in 1111",
  paid_in_store: false,
  parcels:
    index % 2 === 0
      ? [
          {
            carrier: "UPS Ground",
            tracking_number: "1Z999",
            tracking_url: "https://www.ups.com/track?tracknum=1Z999",
            shipped_on: "2026-11-21",
            delivered_on: null,
          },
        ]
      : [],
  ready_at: index % 2 === 1 ? 1_795_280_500_000 : null,
  timeline: [{ at: 1_795_280_400_000, on: "2026-11-21", text: "We have received your order." }],
});

export const confirmation: ConfirmationPage = {
  number: order(0).number,
  order: order(0),
  store_address: shared.company.address,
};

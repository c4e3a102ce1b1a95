import type { CartLine, CartPage, Quote } from "../lib/types";
import { picture, repeat } from "./base";
import { card } from "./catalog";

const cartLine = (index: number): CartLine => ({
  id: `variant-${index}`,
  price: 4_900,
  qty: index + 1,
  title: "Walnut pipe rack",
  variant: "Six pipes",
  sku: `WPR-${index}`,
  href: "/product/walnut-pipe-rack",
  picture,
  max_quantity: 10,
  compare_at_price: index % 2 === 0 ? null : 5_900,
  saved: false,
  availability: "in_stock",
});

export const quote: Quote = {
  lines: [cartLine(0), cartLine(1)],
  changes: [{ id: "variant-1", kind: "sold_out", message: "“Walnut pipe rack” is sold out." }],
  problems: [],
  held_up_by: [],
  subtotal: 14_700,
  units: 3,
  discount: 1_470,
  promo: { code: "SAMPLE10", label: "10% off" },
  shipping_options: [
    { code: "ground", name: "Ground", estimate: "3 to 5 days", price: 995, pickup: false },
    { code: "pickup", name: "Pickup", estimate: "Today", price: 0, pickup: true },
  ],
  shipping: 995,
  tax: 1_067,
  tax_name: "Sales tax",
  taxes: [{ name: "Sales tax", amount: 1_067 }],
  total: 15_292,
  adult_signature: true,
  payment_methods: ["square", "pickup"],
};

export const cart: CartPage = {
  quote,
  saved: [cartLine(2)],
  promo_code: "SAMPLE10",
  problems: ["Two are left."],
  popular: repeat(2, card),
};

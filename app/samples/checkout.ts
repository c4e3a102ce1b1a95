import type { CheckoutPage, ConfirmPickupPage } from "../lib/types";
import { shared } from "./base";
import { quote } from "./cart";
import { order } from "./orders";

export const checkout: CheckoutPage = {
  draft: null,
  over: null,
  states: [{ code: "OH", name: "Ohio" }],
  square: null,
  store_address: shared.company.address,
  url: "/checkout",
  quote,
  promo_code: "SAMPLE10",
  addresses: [],
  form: {
    email: "ada@example.com",
    phone: "",
    first_name: "Ada",
    last_name: "Sample",
    company: "",
    line1: "1 High Street",
    line2: "",
    city: "Columbus",
    state: "OH",
    postal_code: "43215",
    delivery: "ship",
    method: "ground",
    payment: null,
  },
  is_posted: false,
  checkout_id: "sample",
  click_id: "sample",
  refusal: null,
  mailed: false,
};

export const confirmPickup: ConfirmPickupPage = {
  pickup: {
    link: "sample",
    lines: order(0).lines,
    total: 17_064,
    picked_up: true,
    is_of_cart: true,
  },
  order: null,
  store_address: shared.company.address,
};

import type { AccountPage } from "../lib/types";
import { repeat } from "./base";
import { order } from "./orders";

export const account: AccountPage = {
  account_url: "https://id.example/account",
  open: null,
  refused: null,
  me: {
    sub: "sample",
    name: "Ada Sample",
    email: "ada@example.com",
    email_verified: true,
    phone: "614 555 0100",
    roles: ["customer"],
    role: "customer",
    preferences: { preferred_state: "OH" },
    addresses: repeat(2, (index) => ({
      id: `address-${index}`,
      first_name: "Ada",
      last_name: "Sample",
      company: "",
      line1: `${index + 1} High Street`,
      line2: "",
      city: "Columbus",
      state: "OH",
      postal_code: "43215",
      phone: "",
      is_default: index === 0,
    })),
    age: null,
  },
  sessions: repeat(2, (index) => ({
    id: `session-${index}`,
    device: "Firefox on Linux",
    network: "203.0.113.0",
    created_at: 1_795_280_400_000,
    seen_at: 1_795_280_400_000,
    seen_on: "2026-11-21",
    is_current: index === 0,
  })),
  orders: repeat(2, order),
  older_href: "/account?from=SAMPLE-2#orders",
  newest_href: "/account#orders",
};

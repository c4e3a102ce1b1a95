import type { GuestsPage, RolesPage, UserPage, UsersPage } from "../lib/types";
import { account } from "./account";
import { listOf } from "./admin-list";
import { repeat } from "./base";

export const users: UsersPage = {
  list: listOf("name", "email", "role", "orders", "spent", "signed_in", "since", "state"),
  users: repeat(3, (index) => ({
    id: `user-${index}`,
    name: index === 1 ? "" : "Sample Customer",
    email: index === 2 ? "" : "customer@shop.example",
    role: index === 0 ? "staff" : "customer",
    orders: index,
    spent: index * 1_250,
    since: "2026-01-21T12:00:05",
    signed_in: "2026-11-21T12:00:05",
    is_blocked: index === 1,
    is_deleted: index === 2,
  })),
};

export const user: UserPage = {
  id: "user",
  version: 3,
  name: "Sample Customer",
  email: "customer@shop.example",
  is_email_verified: false,
  phone: "",
  role: "staff",
  listed_roles: ["customer"],
  assigned_role: "staff",
  since: "2026-01-21T12:00:05",
  signed_in: "2026-11-21T12:00:05",
  blocked_since: "2026-11-21T12:00:05",
  block_reason: "Asked for it",
  is_deleted: false,
  age_proof: { verified: "2026-01-21T12:00:05", expires: "2027-01-21T12:00:05" },
  sessions: repeat(2, (index) => ({
    id: `session-${index}`,
    device: "Firefox on Linux",
    network: "203.0.113.0",
    seen: "2026-11-21T12:00:05",
  })),
  addresses: account.me.addresses,
  order_count: 24,
  spent: 125_000,
  orders: repeat(2, (index) => ({
    number: `AB12-CD0${index}`,
    placed: "2026-11-21T12:00:05",
    total: 4_900,
    status: "placed",
    payment_status: "paid",
    fulfillment_status: "unfulfilled",
  })),
  has_older_orders: true,
  may_manage: true,
  may_change_role: true,
};

export const guests: GuestsPage = {
  list: listOf("name", "email", "phone", "orders", "spent", "last"),
  guests: repeat(2, (index) => ({
    name: index === 0 ? "Ada Sample" : "",
    email: `ada-${index}@example.com`,
    phone: "",
    orders: 2,
    spent: 11_771,
    last: "2026-11-21T12:00:05",
    last_number: "7KQ2-M9XD",
  })),
};

export const roles: RolesPage = {
  roles: ["staff", "admin", "super_admin"],
  permissions: [
    {
      permission: "see_shop",
      held_by: ["staff", "admin", "super_admin"],
      needs_fresh_sign_in: false,
    },
    { permission: "refund", held_by: ["admin", "super_admin"], needs_fresh_sign_in: true },
  ],
};

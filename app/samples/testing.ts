import type { TestingPage } from "../lib/types";
import { repeat } from "./base";

export const testing: TestingPage = {
  payment: "sandbox",
  is_mail_on: false,
  mail_to: "admin@shop.example",
  mail_kinds: [{ value: "test", label: "Plain test" }],
  events: repeat(2, (index) => ({
    provider: "square",
    event_id: `sample-${index}`,
    kind: "payment.updated",
    received: "2026-11-21T12:00:05",
    is_understood: index === 0,
    outcome: index === 0 ? "settled" : "",
  })),
};

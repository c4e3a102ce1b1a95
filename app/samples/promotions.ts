import type { PromotionsPage } from "../lib/types";
import { listOf } from "./admin-list";
import { repeat } from "./base";

export const promotions: PromotionsPage = {
  list: listOf("code", "benefit", "state", "used", "dates", "terms", "act"),
  codes: repeat(3, (index) => ({
    id: `promo-${index}`,
    code: `SAMPLE${index}`,
    kind: ["percent", "amount", "free_shipping"][index] ?? "percent",
    value: [1_250, 500, 0][index] ?? 0,
    min_subtotal: index * 1_000,
    starts_on: index === 0 ? null : "2026-11-01",
    ends_on: index === 2 ? "2026-12-31" : null,
    max_uses: index === 0 ? null : 100,
    used: index,
    once_per_customer: index === 0,
    active: index < 2,
    version: 1,
    state: ["active", "early", "off"][index] ?? "off",
    made_at: "2026-11-21T12:00:05",
  })),
};

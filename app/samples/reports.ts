import type { AnalyticsPage, Figures, OverviewPage } from "../lib/types";
import { repeat } from "./base";

const figures: Figures = {
  revenue: 120_950,
  taken: 130_000,
  refunded: 6_550,
  refunds: 1,
  lost_disputes: 2_500,
  orders: 21,
  units: 40,
  goods: 120_000,
  discounts: 5_000,
  shipping: 9_000,
  tax: 6_000,
  average_order: 6_190,
  conversion: 420,
  visits: 500,
  page_views: 2_400,
  mean_length: 184,
  median_length: 75,
  searches: 90,
  empty_searches: 7,
  products: 320,
  baskets: 80,
  checkouts: 34,
  buyers: 21,
  carts: 80,
  abandoned: 50,
  abandonment: 7_000,
  is_known: true,
};

const unknown: Figures = { ...figures, average_order: null, conversion: null, is_known: false };

const parts = repeat(7, (index) => ({
  first: `2026-11-${15 + index}`,
  last: `2026-11-${15 + index}`,
  now: figures,
  before: index < 3 ? unknown : figures,
}));

export const overview: OverviewPage = {
  days: 7,
  periods: [1, 7, 30, 90],
  updated_at: "2026-11-21T12:00:05",
  now: figures,
  before: unknown,
  chart: parts,
  hands: repeat(2, (index) => ({
    kind: index === 0 ? "attention" : "dead_jobs",
    total: 9,
    href: index === 0 ? "/admin/orders?attention=yes" : null,
    items: repeat(2, () => ({
      label: "7KQ2-M9XD",
      why: "A payment has another amount than the order.",
      href: index === 0 ? "/admin/orders/7KQ2-M9XD" : null,
      at: "2026-11-21T12:00:05",
    })),
  })),
  low_stock: {
    total: 2,
    items: repeat(2, (index) => ({
      title: "Walnut pipe rack",
      variant: "Six",
      sku: `RACK-${index}`,
      href: "/admin/products/sample",
      available: index,
    })),
  },
  newest: repeat(2, (index) => ({
    number: `7KQ2-M9X${index}`,
    href: "/admin/orders/sample",
    placed_at: "2026-11-21T12:00:05",
    total: 6_190,
    payment_status: "paid" as const,
    fulfillment_status: "unfulfilled" as const,
  })),
};

const ranked = repeat(3, (index) => ({
  name: `sample ${index}`,
  events: 9 - index,
  visits: 5,
  empty: 1,
}));

export const analytics: AnalyticsPage = {
  from: "2026-11-15",
  to: "2026-11-21",
  by: "day",
  compare: true,
  today: "2026-11-21",
  query: "from=2026-11-15&to=2026-11-21&by=day",
  presets: [{ link: { label: "7 days", href: "/admin/analytics?by=day" }, is_current: true }],
  now: figures,
  before: unknown,
  parts,
  pages: ranked.map((row, index) => ({ ...row, name: `/product/sample-${index}` })),
  features: ranked,
  searches: ranked,
  empty_searches: [],
  carts: [{ name: "add", events: 80, visits: 60, empty: 0 }],
  products: repeat(2, (index) => ({
    name: `Sample ${index}`,
    href: index === 0 ? null : "/admin/products/sample",
    units: 1 + index,
    amount: 5_900,
    share: 5_000,
  })),
  categories: [{ name: "Racks", href: "/category/racks", units: 3, amount: 11_800, share: null }],
};

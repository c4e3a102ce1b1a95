import type { DebugPage } from "../lib/types";
import { repeat } from "./base";

export const debug: DebugPage = {
  updated_at: "2026-11-21T12:00:05",
  version: "1.0.0",
  build: "0123456789abcdef",
  started_at: "2026-11-21T11:00:05",
  uptime: 3_600,
  switches: [
    { name: "Mail", is_on: true },
    { name: "Traffic beacon", is_on: false },
  ],
  renderer: {
    renders: 1_000,
    thrown: 0,
    timed_out: 0,
    out_of_memory: 0,
    overloaded: 0,
    queued: 1,
    ninety_percent: 1_000,
    isolates: repeat(2, () => ({
      state: "ready",
      renders: 500,
      restarts: 0,
      heap_used: 9_000_000,
      heap_total: 12_000_000,
      heap_limit: 256_000_000,
    })),
  },
  caches: [{ name: "Pages", entries: 12, bytes: 900_000 }],
  kept_pages: { kept: 1_200, confirmed: 30, rendered: 12, refused: 0 },
  listing: { products: 130, updates: 42, updated_in: 3, loads: 2, loaded_in: 80 },
  pictures_made: 3,
  database: "SQLite 3.50.4",
  pools: [{ name: "Writer", in_use: 0, idle: 1, most: 1 }],
  lanes: [
    { lane: "money", running: 2, slots: 16, waiting: 0, oldest: null, last_look: 1 },
    { lane: "mail", running: 8, slots: 8, waiting: 12, oldest: 95, last_look: null },
  ],
  jobs: repeat(2, (index) => ({
    id: `01234567-89ab-7def-8123-45678900000${index}`,
    name: "refund",
    state: index === 0 ? "dead" : "waiting",
    attempts: 60,
    at: "2026-11-21T12:00:05",
    error: index === 0 ? "The provider is away." : null,
  })),
  errors: [
    { at: "2026-11-21T12:00:05", target: "shop::web", message: "a page threw", detail: "stack: x" },
  ],
  config: "Config {}",
};

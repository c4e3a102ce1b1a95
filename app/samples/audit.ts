import type { AuditPage } from "../lib/types";
import { listOf } from "./admin-list";
import { repeat } from "./base";

export const audit: AuditPage = {
  list: listOf("at", "actor", "action", "subject", "changes", "from"),
  searched: null,
  entries: repeat(3, (index) => ({
    seq: 3 - index,
    at: "2026-11-21T12:00:05",
    actor: index === 0 ? "" : "Sample Admin",
    role: "admin",
    action: "product.update",
    kind: "product",
    label: "Walnut pipe rack",
    href: index === 0 ? null : "/admin/products/sample",
    before: { title: "Pipe rack", price: 4_900 },
    after: { title: "Walnut pipe rack", price: 5_900, tags: ["new"] },
    from: "203.0.113.0, Firefox on Linux",
  })),
};

import type {
  DispatchEntry,
  EndpointView,
  EventChoice,
  WebhookDispatchPage,
  WebhookLogPage,
  WebhookPage,
  WebhooksPage,
} from "../lib/types";
import { listOf } from "./admin-list";
import { repeat } from "./base";

const endpoint = (index: number): EndpointView => ({
  id: `endpoint-${index}`,
  href: `/admin/settings/webhooks/endpoint-${index}`,
  name: `Sample ${index}`,
  url: "https://hooks.example/shop",
  events: index === 0 ? ["order.placed", "order.shipped"] : ["stock.low"],
  is_enabled: index < 2,
  off_why: index === 2 ? "gone" : null,
  failing_since: index === 1 ? "2026-11-21T12:00:05" : null,
  former_until: index === 0 ? "2026-11-22T12:00:05" : null,
  version: 1,
  made_at: "2026-11-21T12:00:05",
});

const eventChoices: EventChoice[] = [
  { kind: "order.placed", label: "An order is placed" },
  { kind: "return.approved", label: "A return is approved" },
  { kind: "product.updated", label: "A product is changed" },
  { kind: "stock.low", label: "Little is left of a variant" },
];

const dispatches = repeat(
  3,
  (index): DispatchEntry => ({
    id: `dispatch-${index}`,
    href: `/admin/settings/webhooks/log/dispatch-${index}`,
    at: "2026-11-21T12:00:05",
    kind: index === 0 ? "order.placed" : "stock.low",
    subject: index === 0 ? "7KQ2-M9XD" : "SAMPLE",
    endpoint: index === 2 ? null : "Sample",
    status: (["delivered", "failed", "waiting"] as const)[index] ?? "waiting",
    by_hand: index === 1,
    attempts: [1, 20, 0][index] ?? 0,
    last_code: [200, null, null][index] ?? null,
    last_error: index === 1 ? "No answer within 10 seconds." : null,
    last_at: index === 2 ? null : "2026-11-21T12:00:06",
  }),
);

export const webhooks: WebhooksPage = { endpoints: repeat(3, endpoint), events: eventChoices };

export const webhook: WebhookPage = {
  endpoint: endpoint(1),
  events: eventChoices,
  newest: dispatches,
  log_href: "/admin/settings/webhooks/log?endpoint=endpoint-1",
};

export const webhookLog: WebhookLogPage = {
  list: listOf("at", "event", "subject", "endpoint", "status", "answer", "attempts", "last_at"),
  dispatches,
};

export const webhookDispatch: WebhookDispatchPage = {
  dispatch: dispatches[1] as DispatchEntry,
  endpoint_href: "/admin/settings/webhooks/endpoint-0",
  endpoint_is_enabled: true,
  subject_href: "/admin/products/sample",
  webhook_id: "01234567-89ab-7def-8123-456789abcdef",
  body: '{\n  "type": "stock.low"\n}',
  attempts: repeat(2, (index) => ({
    number: 2 - index,
    at: "2026-11-21T12:00:06",
    duration: 1_234,
    code: index === 0 ? null : 500,
    error: index === 0 ? "No answer within 10 seconds." : "It answered 500.",
    answer: index === 0 ? "" : "<b>Not today</b>",
  })),
  next_at: "2026-11-21T13:00:06",
};

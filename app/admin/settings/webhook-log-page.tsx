import type { WebhookLogPage as Props } from "../../lib/types";
import { AdminLayout } from "../layout";
import { List } from "../parts/list";
import { PageHeader } from "../parts/page-header";
import { WEBHOOKS_PATH } from "./webhook-form";
import { dispatchCell } from "./webhook-parts";

export default function WebhookLogPage({ list, dispatches }: Props) {
  return (
    <>
      <PageHeader title="Webhook log" links={[{ label: "Webhooks", href: WEBHOOKS_PATH }]} />
      <List
        label="Webhook log"
        list={list}
        rows={dispatches}
        id={({ id }) => id}
        cell={dispatchCell}
        tone={({ status }) => (status === "failed" ? "warn" : undefined)}
        searchLabel="Search by order number, product, or SKU"
        empty="Nothing was sent in the last 30 days."
      />
    </>
  );
}

WebhookLogPage.Layout = AdminLayout;

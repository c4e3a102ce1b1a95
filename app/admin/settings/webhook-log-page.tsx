import type { WebhookLogPage as Props } from "../../lib/types";
import { AdminLayout } from "../layout";
import { Head } from "../parts/head";
import { List } from "../parts/list";
import { PATH } from "./webhook-form";
import { dispatchCell } from "./webhook-parts";

export default function WebhookLogPage({ list, dispatches }: Props) {
  return (
    <>
      <Head title="Webhook log" links={[{ label: "Webhooks", href: PATH }]} />
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

import { useState } from "react";
import { formatTime } from "../../lib/format";
import type { BulkOrders, ListedOrder, OrdersPage as Props } from "../../lib/types";
import { AdminLayout } from "../layout";
import { dollars } from "../parts/cents";
import { List } from "../parts/list";
import { PageHeader } from "../parts/page-header";
import { usePermission } from "../parts/permission";
import { useSelection } from "../parts/selection";
import { Tag } from "../parts/tag";
import { BulkDialog } from "./bulk-dialog";
import { FULFILLMENT, ORDER, PAYMENT } from "./status-labels";

const BULK_ACTIONS: [act: BulkOrders["act"], words: string][] = [
  ["deliver", "Mark as delivered"],
  ["archive", "Archive"],
  ["confirm", "Resend confirmation"],
];

export default function OrdersPage({ list, orders }: Props) {
  const selection = useSelection(list.query, list.total);
  const mayManage = usePermission("manage_orders");
  const [dialog, setDialog] = useState<BulkOrders["act"] | null>(null);
  return (
    <>
      <PageHeader title="Orders">
        {mayManage && (
          <a className="button button-primary" href="/admin/orders/new">
            New order
          </a>
        )}
      </PageHeader>
      <List
        label="Orders"
        list={list}
        rows={orders}
        id={({ number }) => number}
        cell={cell}
        tone={({ attention }) => (attention ? "warn" : undefined)}
        personalCsv="/api/admin/orders.csv"
        searchLabel="Search by number, customer, SKU, or tracking number"
        empty="No orders yet."
        elsewhere={
          list.q
            ? {
                label: "look in unfinished checkouts",
                href: `/admin/orders/unfinished?q=${encodeURIComponent(list.q)}`,
              }
            : undefined
        }
        selection={selection}
        bulk={BULK_ACTIONS.map(([act, words]) => (
          <button
            key={act}
            type="button"
            className="button button-quiet"
            onClick={() => setDialog(act)}
          >
            {words}
          </button>
        ))}
      />
      {dialog && (
        <BulkDialog
          act={dialog}
          title={BULK_ACTIONS.find(([act]) => act === dialog)?.[1] ?? ""}
          selection={selection}
          query={list.query}
          onClose={() => setDialog(null)}
        />
      )}
    </>
  );
}

OrdersPage.Layout = AdminLayout;

function cell(order: ListedOrder, column: string) {
  switch (column) {
    case "number":
      return <a href={`/admin/orders/${order.number}`}>{order.number}</a>;
    case "placed":
      return <time dateTime={order.placed}>{formatTime(order.placed)}</time>;
    case "customer":
      return order.customer || order.email;
    case "email":
      return order.email;
    case "status":
      return <Tag of={ORDER[order.status]} />;
    case "payment":
      return <Tag of={PAYMENT[order.payment]} />;
    case "fulfillment":
      return <Tag of={FULFILLMENT[order.fulfillment]} />;
    case "delivery":
      return order.delivery;
    case "attention":
      return order.attention && <span className="order-list-attention">{order.attention}</span>;
    default:
      return dollars(order.total);
  }
}

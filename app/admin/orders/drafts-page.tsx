import { formatDate, formatTime } from "../../lib/format";
import type { ListedDraft, DraftsPage as Props } from "../../lib/types";
import { AdminLayout } from "../layout";
import { dollars } from "../parts/cents";
import { List } from "../parts/list";
import { PageHeader } from "../parts/page-header";
import { usePermission } from "../parts/permission";
import { Tag } from "../parts/tag";
import { DRAFT, PAYMENT } from "./status-labels";

export default function DraftsPage({ list, drafts }: Props) {
  const mayManage = usePermission("manage_orders");
  return (
    <>
      <PageHeader title="Draft orders" links={[{ label: "Orders", href: "/admin/orders" }]}>
        {mayManage && (
          <a className="button button-primary" href="/admin/orders/new">
            New order
          </a>
        )}
      </PageHeader>
      <List
        label="Draft orders"
        list={list}
        rows={drafts}
        id={({ number }) => number}
        cell={cell}
        searchLabel="Search by number, name, or email"
        empty="No draft orders yet."
      />
    </>
  );
}

DraftsPage.Layout = AdminLayout;

function cell(draft: ListedDraft, column: string) {
  const { number, made, expires, customer, email, state, delivery, order, payment } = draft;
  switch (column) {
    case "number":
      return <a href={`/admin/orders/drafts/${number}`}>{number}</a>;
    case "made":
      return <time dateTime={made}>{formatTime(made)}</time>;
    case "customer":
      return customer || email;
    case "email":
      return email;
    case "state":
      return <Tag of={DRAFT[state]} />;
    case "order":
      return (
        order && (
          <>
            <a href={`/admin/orders/${order}`}>{order}</a>{" "}
            {payment && <Tag of={PAYMENT[payment]} />}
          </>
        )
      );
    case "delivery":
      return delivery;
    case "expires":
      return <time dateTime={expires}>{formatDate(expires)}</time>;
    default:
      return dollars(draft.total);
  }
}

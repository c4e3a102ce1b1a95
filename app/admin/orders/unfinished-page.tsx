import { formatTime } from "../../lib/format";
import type { ListedCheckout, UnfinishedPage as Props } from "../../lib/types";
import { AdminLayout } from "../layout";
import { dollars } from "../parts/cents";
import { List } from "../parts/list";
import { PageHeader } from "../parts/page-header";
import { Tag } from "../parts/tag";
import { PAYMENT } from "./status-labels";

/** Checkouts where Pay was pressed but no order was placed: a declined card, a lost response, or an unopened link. */
export default function UnfinishedPage({ list, checkouts }: Props) {
  return (
    <>
      <PageHeader
        title="Unfinished checkouts"
        links={[{ label: "Orders", href: "/admin/orders" }]}
      />
      <List
        label="Unfinished checkouts"
        list={list}
        rows={checkouts}
        id={({ number }) => number}
        cell={cell}
        searchLabel="Search by number, name, email, or SKU"
        empty="No unfinished checkouts."
        elsewhere={
          list.q
            ? {
                label: "look among orders",
                href: `/admin/orders?q=${encodeURIComponent(list.q)}`,
              }
            : undefined
        }
      />
    </>
  );
}

UnfinishedPage.Layout = AdminLayout;

function cell(checkout: ListedCheckout, column: string) {
  const { number, started, customer, email, later } = checkout;
  switch (column) {
    case "number":
      return <a href={`/admin/orders/${number}`}>{number}</a>;
    case "started":
      return <time dateTime={started}>{formatTime(started)}</time>;
    case "customer":
      return (
        <>
          {customer || email}
          {customer && <small>{email}</small>}
        </>
      );
    case "phone":
      return checkout.phone;
    case "goods":
      return checkout.goods;
    case "why":
      return checkout.why;
    case "payment":
      return <Tag of={PAYMENT[checkout.payment]} />;
    case "state":
      return checkout.is_open ? "Can still be finished" : "Over";
    case "later":
      return later && <a href={`/admin/orders/${later}`}>{later}</a>;
    default:
      return dollars(checkout.total);
  }
}

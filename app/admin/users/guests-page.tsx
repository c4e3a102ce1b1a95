import { formatTime } from "../../lib/format";
import type { GuestItem, GuestsPage as Props } from "../../lib/types";
import { AdminLayout } from "../layout";
import { dollars } from "../parts/cents";
import { count, List } from "../parts/list";
import { PageHeader } from "../parts/page-header";

/** Customers without an account, by email address. */
export default function GuestsPage({ list, guests }: Props) {
  return (
    <>
      <PageHeader title="Guests" links={[{ label: "Users", href: "/admin/users" }]} />
      <List
        label="Guests"
        list={list}
        rows={guests}
        id={({ email }) => email}
        cell={cell}
        searchLabel="Search by name, email, or phone"
        empty="Nobody has bought without an account yet."
      />
    </>
  );
}

GuestsPage.Layout = AdminLayout;

function cell(guest: GuestItem, column: string) {
  const { name, email, last, last_number } = guest;
  switch (column) {
    case "name":
      return <a href={`/admin/orders?email_of=${last_number}`}>{name || email}</a>;
    case "email":
      return email;
    case "phone":
      return guest.phone;
    case "orders":
      return count(guest.orders);
    case "spent":
      return dollars(guest.spent);
    default:
      return (
        <>
          <a href={`/admin/orders/${last_number}`}>{last_number}</a>{" "}
          <time dateTime={last}>{formatTime(last)}</time>
        </>
      );
  }
}

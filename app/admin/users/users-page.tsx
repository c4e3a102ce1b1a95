import { formatTime } from "../../lib/format";
import type { UsersPage as Props, UserItem } from "../../lib/types";
import { AdminLayout } from "../layout";
import { dollars } from "../parts/cents";
import { count, List } from "../parts/list";
import { PageHeader } from "../parts/page-header";
import { RoleTag } from "./role-tag";

export default function UsersPage({ list, users }: Props) {
  return (
    <>
      <PageHeader title="Users" />
      <List
        label="Users"
        list={list}
        rows={users}
        id={({ id }) => id}
        cell={cell}
        personalCsv="/api/admin/users.csv"
        searchLabel="Search by name, email, or phone"
        empty="No users yet."
        elsewhere={
          list.q
            ? {
                label: "look among guests",
                href: `/admin/users/guests?q=${encodeURIComponent(list.q)}`,
              }
            : undefined
        }
      />
    </>
  );
}

UsersPage.Layout = AdminLayout;

function cell(user: UserItem, column: string) {
  switch (column) {
    case "name":
      return <a href={`/admin/users/${user.id}`}>{user.name || user.email || "Deleted account"}</a>;
    case "email":
      return user.email;
    case "role":
      return <RoleTag role={user.role} />;
    case "orders":
      return count(user.orders);
    case "spent":
      return dollars(user.spent);
    case "signed_in":
      return <time dateTime={user.signed_in}>{formatTime(user.signed_in)}</time>;
    case "since":
      return <time dateTime={user.since}>{formatTime(user.since)}</time>;
    default:
      return <StateTag user={user} />;
  }
}

function StateTag({ user: { is_blocked, is_deleted } }: { user: UserItem }) {
  if (is_deleted) return <span className="tag">Deleted</span>;
  if (is_blocked)
    return (
      <span className="tag" data-tone="bad">
        Blocked
      </span>
    );
  return (
    <span className="tag" data-tone="good">
      Active
    </span>
  );
}

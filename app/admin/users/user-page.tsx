import { useState } from "react";
import { formatTime } from "../../lib/format";
import type { UserPage as Props } from "../../lib/types";
import { AdminLayout } from "../layout";
import { FULFILLMENT, PAYMENT } from "../orders/status-labels";
import { AddressLines } from "../parts/address-lines";
import { dollars } from "../parts/cents";
import { ExportLink } from "../parts/export-link";
import { PageHeader } from "../parts/page-header";
import { usePermission } from "../parts/permission";
import { ScrollArea } from "../parts/scroll-area";
import { Tag } from "../parts/tag";
import { useBusy } from "../parts/use-busy";
import { RoleTag } from "./role-tag";
import { Sessions } from "./sessions";
import { BlockDialog, DeleteDialog, RoleDialog, unblock } from "./user-dialogs";

type DialogName = "block" | "delete" | "role" | null;

/** The key resets the state for another user. */
export default function UserPage(user: Props) {
  return <User key={user.id} {...user} />;
}

UserPage.Layout = AdminLayout;

function User(user: Props) {
  const [dialog, setDialog] = useState<DialogName>(null);
  const close = () => setDialog(null);
  const [busy, run] = useBusy();
  const maySeeAudit = usePermission("see_audit");
  const title = user.is_deleted ? "Deleted account" : user.name || user.email || "No name";
  return (
    <>
      <PageHeader
        title={title}
        links={[{ label: "Users", href: "/admin/users" }]}
        note={
          <>
            {user.role !== "customer" && <RoleTag role={user.role} />}
            {user.blocked_since && (
              <span className="tag" data-tone="bad">
                Blocked
              </span>
            )}
          </>
        }
      >
        {maySeeAudit && (
          <a className="button button-quiet" href={`/admin/audit?subject=user%3A${user.id}`}>
            History
          </a>
        )}
        {user.may_change_role && (
          <button type="button" className="button button-quiet" onClick={() => setDialog("role")}>
            Change role
          </button>
        )}
        {user.may_manage && (
          <>
            <ExportLink className="button button-quiet" href={`/api/admin/users/${user.id}/export`}>
              Export data
            </ExportLink>
            {user.blocked_since ? (
              <button
                type="button"
                className="button button-quiet"
                aria-disabled={busy}
                onClick={() => run(() => unblock(user))}
              >
                Unblock
              </button>
            ) : (
              <button
                type="button"
                className="button button-quiet"
                onClick={() => setDialog("block")}
              >
                Block
              </button>
            )}
            <button
              type="button"
              className="button button-danger"
              onClick={() => setDialog("delete")}
            >
              Delete
            </button>
          </>
        )}
      </PageHeader>
      <div className="user">
        <section className="panel" aria-labelledby="profile">
          <h2 id="profile">Profile</h2>
          <ProfileFacts user={user} />
        </section>
        <section className="panel" aria-labelledby="orders">
          <h2 id="orders">Orders</h2>
          <Orders user={user} />
        </section>
        <section className="panel" aria-labelledby="sessions">
          <h2 id="sessions">Sessions</h2>
          <Sessions user={user} />
        </section>
        <section className="panel" aria-labelledby="addresses">
          <h2 id="addresses">Addresses</h2>
          <Addresses user={user} />
        </section>
      </div>
      <BlockDialog user={user} open={dialog === "block"} onClose={close} />
      <DeleteDialog user={user} open={dialog === "delete"} onClose={close} />
      <RoleDialog user={user} open={dialog === "role"} onClose={close} />
    </>
  );
}

function ProfileFacts({ user }: { user: Props }) {
  const proof = user.age_proof;
  const facts: [string, string][] = [
    ["Email", user.email + (user.email && !user.is_email_verified ? " (not verified)" : "")],
    ["Phone", user.phone],
    ["Customer since", formatTime(user.since)],
    ["Last sign-in", formatTime(user.signed_in)],
    [
      "Age",
      proof
        ? `Verified 21 or older on ${formatTime(proof.verified)}, valid until ${formatTime(proof.expires)}`
        : "Not verified",
    ],
    ["Roles from provider", user.listed_roles.join(", ")],
  ];
  if (user.assigned_role) facts.push(["Role set here", user.assigned_role.replace("_", " ")]);
  if (user.blocked_since)
    facts.push(["Blocked", `since ${formatTime(user.blocked_since)}: ${user.block_reason}`]);
  return (
    <dl className="facts">
      {facts.map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value || "None"}</dd>
        </div>
      ))}
    </dl>
  );
}

function Orders({ user }: { user: Props }) {
  const { id, orders, order_count, spent, has_older_orders } = user;
  if (orders.length === 0) return <p>No orders yet.</p>;
  return (
    <>
      <p>{`${order_count} placed, ${dollars(spent)} spent`}</p>
      <ScrollArea label="Latest orders">
        <table className="admin-list">
          <thead>
            <tr>
              <th scope="col">Number</th>
              <th scope="col">Placed</th>
              <th scope="col" className="is-number">
                Total
              </th>
              <th scope="col">Payment</th>
              <th scope="col">Fulfillment</th>
            </tr>
          </thead>
          <tbody>
            {orders.map((order) => (
              <tr key={order.number}>
                <td>
                  <a href={`/admin/orders/${order.number}`}>{order.number}</a>
                </td>
                <td>
                  <time dateTime={order.placed}>{formatTime(order.placed)}</time>
                </td>
                <td className="is-number">{dollars(order.total)}</td>
                <td>
                  <Tag of={PAYMENT[order.payment_status]} />
                </td>
                <td>
                  <Tag of={FULFILLMENT[order.fulfillment_status]} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollArea>
      {has_older_orders && (
        <p>
          <a href={`/admin/orders?customer=${id}`}>All orders of this account</a>
        </p>
      )}
    </>
  );
}

function Addresses({ user: { addresses } }: { user: Props }) {
  if (addresses.length === 0) return <p>None.</p>;
  return (
    <ul className="user-addresses">
      {addresses.map((address) => (
        <li key={address.id}>
          <address>
            <span>{`${address.first_name} ${address.last_name}`}</span>
            <AddressLines address={address} />
            {address.phone && <span>{address.phone}</span>}
          </address>
          {address.is_default && <span className="tag">Default</span>}
        </li>
      ))}
    </ul>
  );
}

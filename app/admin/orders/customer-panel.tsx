import type { AdminOrder } from "../../lib/types";
import { mailto } from "../parts/mailto";

export function CustomerPanel({ order: { customer } }: { order: AdminOrder }) {
  const { name, email, phone, href, orders } = customer;
  // An order without an email address was erased with its account.
  const kind = href ? email && "Has an account" : "Guest checkout";
  return (
    <section className="panel" aria-labelledby="buyer">
      <h2 id="buyer">Customer</h2>
      <p>
        {href ? <a href={href}>{name || email || "Deleted account"}</a> : name}
        {kind && <small>{kind}</small>}
      </p>
      <p>
        {email && <a href={mailto(email)}>{email}</a>}
        {phone && <small>{phone}</small>}
      </p>
      <p>{`${orders} ${orders === 1 ? "order" : "orders"} placed`}</p>
    </section>
  );
}

import type { AdminOrder } from "../../lib/types";

export function CustomerPanel({ order: { customer } }: { order: AdminOrder }) {
  const { name, email, phone, href, orders } = customer;
  return (
    <section className="panel" aria-labelledby="buyer">
      <h2 id="buyer">Customer</h2>
      <p>
        {href ? <a href={href}>{name || email}</a> : name}
        <small>{href ? "Has an account" : "Guest checkout"}</small>
      </p>
      <p>
        <a href={`mailto:${email}`}>{email}</a>
        {phone && <small>{phone}</small>}
      </p>
      <p>{`${orders} ${orders === 1 ? "order" : "orders"} placed`}</p>
    </section>
  );
}

import { formatDate } from "../../lib/format";
import type { AdminOrder, ComplianceFacts } from "../../lib/types";
import { AddressLines } from "../parts/address-lines";

export function BuyerPanel({ order: { customer } }: { order: AdminOrder }) {
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

interface DeliveryProps {
  order: AdminOrder;
  onChange: () => void;
}

export function DeliveryPanel({ order, onChange }: DeliveryProps) {
  const { address, picked_up, shipping_name, adult_signature, needs_label, acts } = order;
  return (
    <section className="panel" aria-labelledby="delivery">
      <h2 id="delivery">{picked_up ? "Pickup" : "Delivery"}</h2>
      <p>{shipping_name}</p>
      {address && (
        <address>
          <b>{`${address.first_name} ${address.last_name}`}</b>
          <AddressLines address={address} />
        </address>
      )}
      {picked_up && <p>Check a photo ID (21+) before taking payment or handing over the order.</p>}
      {adult_signature && <p>Adult signature (21+) required for each package.</p>}
      {needs_label && <p>Ground shipping only. Mark packages as their contents require.</p>}
      {acts.change_address && (
        <button type="button" className="link" onClick={onChange}>
          Change address
        </button>
      )}
    </section>
  );
}

export function CompliancePanel({ order: { compliance } }: { order: AdminOrder }) {
  const { decided_on, state, rules } = compliance;
  return (
    <section className="panel" aria-labelledby="compliance">
      <h2 id="compliance">Compliance</h2>
      <p>{ageOf(compliance)}</p>
      {decided_on && (
        <p>{`Rules as of ${formatDate(decided_on)}${state ? ` for ${state}` : ""}:`}</p>
      )}
      <ul className="order-some">
        {rules.map((rule) => (
          <li key={rule.class}>
            {rule.class.replaceAll("_", " ")}
            <small>{rule.source}</small>
          </li>
        ))}
      </ul>
    </section>
  );
}

function ageOf({ age_proved_on, age_method }: ComplianceFacts): string {
  if (!age_proved_on) return "No proof of age on file";
  if (age_method === "id_at_pickup") return "ID (21+) checked at pickup";
  return `Age 21+ ${age_method ?? "proved"} on ${formatDate(age_proved_on)}`;
}

import type { AdminOrder } from "../../lib/types";
import { AddressLines } from "../parts/address-lines";

interface DeliveryProps {
  order: AdminOrder;
  onChange: () => void;
  onUndoReady: () => void;
}

export function DeliveryPanel({ order, onChange, onUndoReady }: DeliveryProps) {
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
      {acts.undo_ready && (
        <button type="button" className="link" onClick={onUndoReady}>
          Undo ready for pickup
        </button>
      )}
    </section>
  );
}

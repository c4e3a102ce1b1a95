import { formatTime } from "../../lib/format";
import type { ParcelView } from "../../lib/types";
import { Tag } from "../parts/tag";
import { useBusy } from "../parts/use-busy";
import { GoodsList } from "./goods-list";

interface ParcelsProps {
  isForPickup: boolean;
  parcels: ParcelView[];
  mayDeliver: boolean;
  onDelivered: (parcel: ParcelView) => Promise<void>;
  onUndo: (parcel: ParcelView) => void;
}

export function ParcelsPanel({
  isForPickup,
  parcels,
  mayDeliver,
  onDelivered,
  onUndo,
}: ParcelsProps) {
  // For all of them: each call names the order's version.
  const [busy, run] = useBusy();
  return (
    <section className="panel" aria-labelledby="parcels">
      <h2 id="parcels">{isForPickup ? "Handover" : "Packages"}</h2>
      {parcels.length === 0 && (
        <p className="order-none">
          {isForPickup ? "Nothing was picked up." : "Nothing has shipped."}
        </p>
      )}
      <ul className="order-entries">
        {parcels.map((parcel) => (
          <li key={parcel.id}>
            <p className="order-entry-head">
              <b>{parcel.kind === "handover" ? "Picked up in store" : parcel.carrier}</b>
              <Tag of={stateOf(parcel)} />
            </p>
            <p>
              {parcel.tracking_url ? (
                <a href={parcel.tracking_url} rel="noreferrer">
                  {parcel.tracking_number}
                </a>
              ) : (
                parcel.tracking_number
              )}
            </p>
            <small>
              {[
                formatTime(parcel.at),
                parcel.adult_signature && "adult signature",
                parcel.label && "marked",
              ]
                .filter(Boolean)
                .join(" · ")}
            </small>
            <GoodsList goods={parcel.goods} />
            <div className="order-entry-acts">
              {mayDeliver && parcel.kind === "parcel" && !parcel.delivered_at && (
                <button
                  type="button"
                  className="link"
                  aria-disabled={busy}
                  onClick={() => run(() => onDelivered(parcel))}
                >
                  Mark as delivered
                </button>
              )}
              {parcel.may_undo && (
                <button type="button" className="link" onClick={() => onUndo(parcel)}>
                  {undoWords(parcel)}
                </button>
              )}
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}

export function undoWords({ kind, delivered_at }: ParcelView): string {
  if (kind === "handover") return "Undo pickup";
  return delivered_at ? "Undo delivery" : "Undo shipment";
}

function stateOf({ kind, delivered_at }: ParcelView): readonly [string, "good" | "info"] {
  if (kind === "handover") return ["Picked up", "good"];
  return delivered_at ? ["Delivered", "good"] : ["On its way", "info"];
}

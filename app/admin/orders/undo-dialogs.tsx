import type { ParcelView } from "../../lib/types";
import { staffCall } from "../call";
import { useIsMailOn } from "../parts/mail";
import { GoodsList } from "./goods-list";
import { type OrderDialogProps, OrderFormDialog } from "./order-form-dialog";
import { undoWords } from "./parcels-panel";

export function UndoFulfillmentDialog({
  order,
  onClose,
  of,
}: OrderDialogProps & { of: ParcelView }) {
  const isMailOn = useIsMailOn();
  const words = undoWords(of);
  return (
    <OrderFormDialog
      order={order}
      onClose={onClose}
      title={words}
      submit={words}
      done="Undone."
      send={(_, version) =>
        staffCall(`/api/admin/orders/${order.number}/fulfillments/${of.id}/undo`, {
          method: "POST",
          body: { version },
        })
      }
    >
      {() => (
        <>
          <p>{whatFollows(of, isMailOn)}</p>
          <GoodsList goods={of.goods} />
        </>
      )}
    </OrderFormDialog>
  );
}

function whatFollows(
  { kind, delivered_at, carrier, tracking_number }: ParcelView,
  isMailOn: boolean,
): string {
  if (kind === "handover") return "Only if these items haven’t left the store.";
  const parcel = `${carrier}, ${tracking_number}`;
  return delivered_at
    ? `The package (${parcel}) will be on its way again.`
    : `Only if the package (${parcel}) hasn’t left. It is removed from the order and from compliance reports${isMailOn ? ", and we’ll email the customer a correction" : ""}.`;
}

export function UndoPaymentDialog({ order, onClose }: OrderDialogProps) {
  return (
    <OrderFormDialog
      order={order}
      onClose={onClose}
      title="Undo payment"
      submit="Undo payment"
      done="Payment undone."
      send={(_, version) =>
        staffCall(`/api/admin/orders/${order.number}/payment/undo`, {
          method: "POST",
          body: { version },
        })
      }
    >
      {() => (
        <p>
          Only if this payment was recorded by mistake: the total is due again. For money that was
          paid, use Refund.
        </p>
      )}
    </OrderFormDialog>
  );
}

export function UndoReadyDialog({ order, onClose }: OrderDialogProps) {
  const isMailOn = useIsMailOn();
  return (
    <OrderFormDialog
      order={order}
      onClose={onClose}
      title="Undo ready for pickup"
      submit="Undo ready for pickup"
      done="Undone."
      send={(_, version) =>
        staffCall(`/api/admin/orders/${order.number}/ready/undo`, {
          method: "POST",
          body: { version },
        })
      }
    >
      {() => (
        <p>
          Only if this order isn’t ready.
          {isMailOn &&
            " If we already told the customer that it is, we’ll email them a correction."}
        </p>
      )}
    </OrderFormDialog>
  );
}

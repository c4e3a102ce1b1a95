import { useState } from "react";
import { formatTime } from "../../lib/format";
import type { AdminOrder, ParcelView, AdminOrderPage as Props, ReturnView } from "../../lib/types";
import { runAction } from "../../lib/use-save";
import { staffCall } from "../call";
import { AdminLayout } from "../layout";
import { useIsMailOn } from "../parts/mail";
import { PageHeader } from "../parts/page-header";
import { Tag } from "../parts/tag";
import { CancelDialog } from "./cancel-dialog";
import { CompliancePanel } from "./compliance-panel";
import { CustomerPanel } from "./customer-panel";
import { DeliveryPanel } from "./delivery-panel";
import { AddressDialog, ArchiveDialog, AttentionDialog } from "./edit-dialogs";
import { EmailsPanel } from "./emails-panel";
import {
  HandOverDialog,
  ReadyDialog,
  RecordPaymentDialog,
  ShipDialog,
} from "./fulfillment-dialogs";
import { ItemsPanel } from "./items-panel";
import { ParcelsPanel } from "./parcels-panel";
import { PaymentPanel } from "./payment-panel";
import { RefundDialog } from "./refund-dialog";
import {
  ApproveDialog,
  CloseReturnDialog,
  ReceiveDialog,
  RejectDialog,
  RequestReturnDialog,
} from "./return-dialogs";
import { ReturnsPanel } from "./returns-panel";
import { FULFILLMENT, ORDER, PAYMENT, READY } from "./status-labels";
import { TimelinePanel } from "./timeline-panel";
import { UndoFulfillmentDialog, UndoPaymentDialog, UndoReadyDialog } from "./undo-dialogs";
import { UnfinishedPanel } from "./unfinished-panel";

/** Dialogs that act on the order, and on one of its returns; that of a package is apart. */
const DIALOGS = {
  ship: ShipDialog,
  pay: RecordPaymentDialog,
  undoPayment: UndoPaymentDialog,
  ready: ReadyDialog,
  undoReady: UndoReadyDialog,
  handOver: HandOverDialog,
  refund: RefundDialog,
  cancel: CancelDialog,
  address: AddressDialog,
  requestReturn: RequestReturnDialog,
  attention: AttentionDialog,
  archive: ArchiveDialog,
};
const STEPS = {
  approve: ApproveDialog,
  reject: RejectDialog,
  receive: ReceiveDialog,
  close: CloseReturnDialog,
  refund: RefundDialog,
};

type OpenDialogState =
  | { dialog: keyof typeof DIALOGS }
  | { step: keyof typeof STEPS; of: ReturnView["id"] }
  | { undo: ParcelView["id"] }
  | null;

/** The key resets the state for another order. */
export default function OrderPage(props: Props) {
  return <Order key={props.order.number} {...props} />;
}

OrderPage.Layout = AdminLayout;

function Order({ order }: Props) {
  const [dialog, setDialog] = useState<OpenDialogState>(null);
  const isMailOn = useIsMailOn();
  const { number, attention, placed_at, status, payment_status, fulfillment_status } = order;
  const { unfinished } = order;
  return (
    <>
      <PageHeader
        title={`${unfinished ? "Unfinished checkout" : "Order"} ${number}`}
        links={[
          { label: "Orders", href: "/admin/orders" },
          ...(unfinished
            ? [{ label: "Unfinished checkouts", href: "/admin/orders/unfinished" }]
            : []),
        ]}
        note={
          <>
            {!unfinished && <Tag of={ORDER[status]} />}
            <Tag of={PAYMENT[payment_status]} />
            {!unfinished && <Tag of={FULFILLMENT[fulfillment_status]} />}
            {order.is_ready && fulfillment_status === "unfulfilled" && <Tag of={READY} />}
          </>
        }
      >
        <Actions order={order} onOpen={(dialog) => setDialog({ dialog })} />
      </PageHeader>
      {attention && (
        <div className="order-attention" role="note">
          <p>
            <b>This order needs attention. </b>
            {attention}
          </p>
          {order.acts.clear_attention && (
            <button
              type="button"
              className="button button-quiet"
              onClick={() => setDialog({ dialog: "attention" })}
            >
              Mark as resolved
            </button>
          )}
        </div>
      )}
      {order.forbidden && (
        <p className="order-attention" role="note">
          {order.forbidden}
        </p>
      )}
      {placed_at && <p className="order-placed">{`Placed ${formatTime(placed_at)}`}</p>}
      <div className="order-desk">
        <div>
          {unfinished && <UnfinishedPanel checkout={unfinished} />}
          <ItemsPanel lines={order.lines} />
          {!unfinished && (
            <ParcelsPanel
              isForPickup={order.picked_up}
              parcels={order.parcels}
              mayDeliver={order.acts.deliver}
              onDelivered={({ id }) => deliver(order, id)}
              onUndo={({ id }) => setDialog({ undo: id })}
            />
          )}
          {order.returns.length > 0 && (
            <ReturnsPanel order={order} onStep={(step, of) => setDialog({ step, of: of.id })} />
          )}
          <TimelinePanel order={order} />
        </div>
        <div>
          <PaymentPanel order={order} onUndo={() => setDialog({ dialog: "undoPayment" })} />
          <CustomerPanel order={order} />
          <DeliveryPanel
            order={order}
            onChange={() => setDialog({ dialog: "address" })}
            onUndoReady={() => setDialog({ dialog: "undoReady" })}
          />
          <CompliancePanel order={order} />
          {isMailOn && order.emails.length > 0 && order.acts.note && <EmailsPanel order={order} />}
        </div>
      </div>
      <OpenDialog dialog={dialog} order={order} onClose={() => setDialog(null)} />
    </>
  );
}

interface OpenDialogProps {
  dialog: OpenDialogState;
  order: AdminOrder;
  onClose: () => void;
}

function OpenDialog({ dialog, order, onClose }: OpenDialogProps) {
  if (!dialog) return null;
  if ("dialog" in dialog) {
    const OrderDialog = DIALOGS[dialog.dialog];
    return <OrderDialog order={order} onClose={onClose} />;
  }
  if ("undo" in dialog) {
    const of = order.parcels.find(({ id }) => id === dialog.undo);
    return of ? <UndoFulfillmentDialog order={order} onClose={onClose} of={of} /> : null;
  }
  const of = order.returns.find(({ id }) => id === dialog.of);
  const OrderDialog = STEPS[dialog.step];
  return of ? <OrderDialog order={order} onClose={onClose} of={of} /> : null;
}

interface ActionsProps {
  order: AdminOrder;
  onOpen: (dialog: keyof typeof DIALOGS) => void;
}

function Actions({ order, onOpen }: ActionsProps) {
  const { number, acts, lines, picked_up, unfinished } = order;
  const hasGoods = lines.some(({ open, shipped }) => open + shipped > 0);
  const buttons: [may: boolean, dialog: keyof typeof DIALOGS, words: string, main?: boolean][] = [
    [acts.ship, "ship", "Ship items", true],
    [acts.take_payment, "pay", "Record payment", true],
    [acts.make_ready, "ready", "Ready for pickup", !acts.hand_over],
    [acts.hand_over, "handOver", "Mark as picked up", true],
    [acts.refund, "refund", "Refund"],
    [acts.request_return, "requestReturn", "Create return"],
    [acts.cancel, "cancel", "Cancel"],
    [acts.archive, "archive", "Archive"],
  ];
  return (
    <>
      {!picked_up && !unfinished && hasGoods && (
        <a className="button button-quiet" href={`/admin/orders/${number}/packing-slip`}>
          Packing slip
        </a>
      )}
      {!unfinished && (
        <a className="button button-quiet" href={`/admin/orders/${number}/invoice`}>
          Invoice
        </a>
      )}
      {buttons
        .filter(([may]) => may)
        .map(([, dialog, words, main]) => (
          <button
            key={dialog}
            type="button"
            className={`button needs-scripts ${main ? "button-primary" : "button-quiet"}`}
            onClick={() => onOpen(dialog)}
          >
            {words}
          </button>
        ))}
    </>
  );
}

function deliver({ number, version }: AdminOrder, parcel: string): Promise<void> {
  return runAction(
    () =>
      staffCall(`/api/admin/orders/${number}/fulfillments/${parcel}/delivery`, {
        method: "POST",
        body: { version },
      }),
    "Package marked as delivered.",
  );
}

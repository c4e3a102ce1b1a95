import { useState } from "react";
import { formatTime } from "../../lib/format";
import type { AdminOrder, AdminOrderPage as Props, ReturnView } from "../../lib/types";
import { runAction } from "../../lib/use-save";
import { staffCall } from "../call";
import { AdminLayout } from "../layout";
import { Head } from "../parts/head";
import { Tag } from "../parts/tag";
import { CancelDialog } from "./cancel-dialog";
import { CompliancePanel } from "./compliance-panel";
import { DeliveryPanel } from "./delivery-panel";
import { AddressDialog, ArchiveDialog, AttentionDialog } from "./desk-dialogs";
import { LinesPanel } from "./goods-panel";
import { LettersPanel } from "./letters-panel";
import { MoneyPanel } from "./money-panel";
import { HandOverDialog, ReadyDialog, ShipDialog, TakePaymentDialog } from "./parcels";
import { ParcelsPanel } from "./parcels-panel";
import { BuyerPanel } from "./people-panel";
import { RefundDialog } from "./refund-dialog";
import { ApproveDialog, ReceiveDialog, RejectDialog, RequestReturnDialog } from "./return-dialogs";
import { ReturnsPanel } from "./returns-panel";
import { TimelinePanel } from "./timeline-panel";
import { UnfinishedPanel } from "./unfinished-panel";
import { FULFILLMENT, ORDER, PAYMENT, READY } from "./words";

/** Dialogs that act on the order, and on one of its returns. */
const DIALOGS = {
  ship: ShipDialog,
  pay: TakePaymentDialog,
  ready: ReadyDialog,
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
  refund: RefundDialog,
};

type Doing =
  | { dialog: keyof typeof DIALOGS }
  | { step: keyof typeof STEPS; of: ReturnView["id"] }
  | null;

export default function OrderPage({ order }: Props) {
  const [doing, setDoing] = useState<Doing>(null);
  const { number, attention, placed_at, status, payment_status, fulfillment_status } = order;
  const { unfinished } = order;
  return (
    <>
      <Head
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
        <Acts order={order} onAct={(dialog) => setDoing({ dialog })} />
      </Head>
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
              onClick={() => setDoing({ dialog: "attention" })}
            >
              Mark as resolved
            </button>
          )}
        </div>
      )}
      {placed_at && <p className="order-placed">{`Placed ${formatTime(placed_at)}`}</p>}
      <div className="order-desk">
        <div>
          {unfinished && <UnfinishedPanel checkout={unfinished} />}
          <LinesPanel lines={order.lines} />
          {!unfinished && (
            <ParcelsPanel
              parcels={order.parcels}
              mayDeliver={order.acts.deliver}
              onDelivered={({ id }) => void deliver(order, id)}
            />
          )}
          {order.returns.length > 0 && (
            <ReturnsPanel order={order} onStep={(step, of) => setDoing({ step, of: of.id })} />
          )}
          <TimelinePanel order={order} />
        </div>
        <div>
          <MoneyPanel order={order} />
          <BuyerPanel order={order} />
          <DeliveryPanel order={order} onChange={() => setDoing({ dialog: "address" })} />
          <CompliancePanel order={order} />
          {order.letters.length > 0 && order.acts.note && <LettersPanel order={order} />}
        </div>
      </div>
      <Open doing={doing} order={order} onClose={() => setDoing(null)} />
    </>
  );
}

OrderPage.Layout = AdminLayout;

interface OpenProps {
  doing: Doing;
  order: AdminOrder;
  onClose: () => void;
}

function Open({ doing, order, onClose }: OpenProps) {
  if (!doing) return null;
  if ("dialog" in doing) {
    const Ask = DIALOGS[doing.dialog];
    return <Ask order={order} onClose={onClose} />;
  }
  const of = order.returns.find(({ id }) => id === doing.of);
  const Ask = STEPS[doing.step];
  return of ? <Ask order={order} onClose={onClose} of={of} /> : null;
}

interface ActsProps {
  order: AdminOrder;
  onAct: (dialog: keyof typeof DIALOGS) => void;
}

function Acts({ order: { number, acts, picked_up, unfinished }, onAct }: ActsProps) {
  const offered: [may: boolean, dialog: keyof typeof DIALOGS, words: string, main?: boolean][] = [
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
      {!picked_up && !unfinished && (
        <a className="button button-quiet" href={`/admin/orders/${number}/packing-slip`}>
          Packing slip
        </a>
      )}
      {!unfinished && (
        <a className="button button-quiet" href={`/admin/orders/${number}/invoice`}>
          Invoice
        </a>
      )}
      {offered
        .filter(([may]) => may)
        .map(([, dialog, words, main]) => (
          <button
            key={dialog}
            type="button"
            className={`button needs-scripts ${main ? "button-primary" : "button-quiet"}`}
            onClick={() => onAct(dialog)}
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

//! What happened to an order.

use serde_json::Value;
use shop_base::db::stored;

use super::rows::HistoryEntry;

stored! {
    /// A kind of entry in the history.
    EventKind {
        Placed = "placed",
        /// Created in the store, to be paid there.
        MadeByStaff = "made_by_staff",
        /// Created from a draft order.
        FromDraft = "from_draft",
        /// An attempt has changed its status.
        Payment = "payment",
        PaidInStore = "paid_in_store",
        /// Staff had recorded it by mistake; so with the others that are undone.
        PaymentUndone = "payment_undone",
        Shipped = "shipped",
        ShipmentUndone = "shipment_undone",
        HandedOver = "handed_over",
        /// Staff let goods leave although the rules of that day forbade it.
        RulesConfirmed = "rules_confirmed",
        HandoverUndone = "handover_undone",
        PickupReady = "pickup_ready",
        PickupReadyUndone = "pickup_ready_undone",
        PickupReminded = "pickup_reminded",
        Delivered = "delivered",
        DeliveryUndone = "delivery_undone",
        Canceled = "canceled",
        GoodsCanceled = "goods_canceled",
        RefundStarted = "refund_started",
        RefundFailed = "refund_failed",
        Refunded = "refunded",
        /// Staff used the provider's dashboard, so there is no refund of ours.
        RefundedElsewhere = "refunded_elsewhere",
        /// The customer's bank disputes a payment.
        Dispute = "dispute",
        ReturnRequested = "return_requested",
        ReturnApproved = "return_approved",
        ReturnRejected = "return_rejected",
        ReturnReceived = "return_received",
        ReturnRefunded = "return_refunded",
        /// Ended without a refund.
        ReturnClosed = "return_closed",
        AddressChanged = "address_changed",
        /// Flagged for review.
        Attention = "attention",
        /// The flag for review is resolved.
        AttentionCleared = "attention_cleared",
        /// Staff resent an email.
        WrittenAgain = "written_again",
        /// An email was not sent, and never will be: staff discarded it, or a reminder's day was over or it was held back.
        EmailDropped = "email_dropped",
        Note = "note",
        Archived = "archived",
    }
}

impl EventKind {
    /// Whether the buyer may read it.
    pub fn is_public(self) -> bool {
        match self {
            Self::Placed
            | Self::PaidInStore
            | Self::PaymentUndone
            | Self::Shipped
            | Self::ShipmentUndone
            | Self::HandedOver
            | Self::HandoverUndone
            | Self::PickupReady
            | Self::PickupReadyUndone
            | Self::PickupReminded
            | Self::Delivered
            | Self::DeliveryUndone
            | Self::Canceled
            | Self::GoodsCanceled
            | Self::RefundStarted
            | Self::RefundFailed
            | Self::Refunded
            | Self::RefundedElsewhere
            | Self::ReturnApproved
            | Self::ReturnReceived => true,
            Self::MadeByStaff
            | Self::FromDraft
            | Self::Payment
            | Self::Dispute
            | Self::ReturnRequested
            | Self::ReturnRejected
            | Self::ReturnRefunded
            | Self::ReturnClosed
            | Self::AddressChanged
            | Self::RulesConfirmed
            | Self::Attention
            | Self::AttentionCleared
            | Self::WrittenAgain
            | Self::EmailDropped
            | Self::Note
            | Self::Archived => false,
        }
    }
}

/// Actor of automatic changes.
const SYSTEM: &str = "system";

/// An event to be recorded in the history.
#[derive(Debug)]
pub struct Event {
    pub(super) kind: EventKind,
    pub(super) data: Value,
    pub(super) actor: String,
}

impl Event {
    /// An event caused by the system.
    pub fn new(kind: EventKind, data: Value) -> Self {
        Self { kind, data, actor: SYSTEM.to_owned() }
    }

    /// Sets the person who caused the event.
    pub fn by(self, actor: &str) -> Self {
        Self { actor: actor.to_owned(), ..self }
    }

    /// Sets the person who caused the event, if it was one.
    pub fn maybe_by(self, actor: Option<&str>) -> Self {
        match actor {
            Some(actor) => self.by(actor),
            None => self,
        }
    }
}

impl HistoryEntry {
    /// None for a kind written by a newer release.
    pub fn kind(&self) -> Option<EventKind> {
        self.kind.parse().ok()
    }
}

/// When something was recorded last, unless that was undone, UTC milliseconds.
pub fn last_done(history: &[HistoryEntry], done: EventKind, undone: EventKind) -> Option<i64> {
    let times = |kind: EventKind| history.iter().filter(move |entry| entry.kind() == Some(kind)).map(|entry| entry.at);
    // Counted, as the clocks of two nodes may disagree about what came last.
    let stands = times(done).count() > times(undone).count();
    times(done).max().filter(|_| stands)
}

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
        /// A draft order has become this order.
        FromDraft = "from_draft",
        /// An attempt to pay has moved on.
        Payment = "payment",
        PaidInStore = "paid_in_store",
        Shipped = "shipped",
        HandedOver = "handed_over",
        PickupReady = "pickup_ready",
        PickupReminded = "pickup_reminded",
        Delivered = "delivered",
        Canceled = "canceled",
        GoodsCanceled = "goods_canceled",
        RefundStarted = "refund_started",
        Refunded = "refunded",
        /// The customer's bank disputes a payment.
        Dispute = "dispute",
        ReturnRequested = "return_requested",
        ReturnApproved = "return_approved",
        ReturnRejected = "return_rejected",
        ReturnReceived = "return_received",
        ReturnRefunded = "return_refunded",
        AddressChanged = "address_changed",
        /// Flagged for review.
        Attention = "attention",
        /// What it was flagged for is resolved.
        AttentionCleared = "attention_cleared",
        /// Staff have sent an email once more.
        WrittenAgain = "written_again",
        Note = "note",
        Archived = "archived",
    }
}

impl EventKind {
    /// Whether the shopper may read it.
    pub fn is_public(self) -> bool {
        match self {
            Self::Placed
            | Self::PaidInStore
            | Self::Shipped
            | Self::HandedOver
            | Self::PickupReady
            | Self::PickupReminded
            | Self::Delivered
            | Self::Canceled
            | Self::GoodsCanceled
            | Self::RefundStarted
            | Self::Refunded
            | Self::ReturnApproved
            | Self::ReturnReceived => true,
            Self::MadeByStaff
            | Self::FromDraft
            | Self::Payment
            | Self::Dispute
            | Self::ReturnRequested
            | Self::ReturnRejected
            | Self::ReturnRefunded
            | Self::AddressChanged
            | Self::Attention
            | Self::AttentionCleared
            | Self::WrittenAgain
            | Self::Note
            | Self::Archived => false,
        }
    }
}

/// Actor of automatic changes.
const SYSTEM: &str = "system";

/// Something that happened, for the history.
#[derive(Debug)]
pub struct Event {
    pub(super) kind: EventKind,
    pub(super) data: Value,
    pub(super) actor: String,
}

impl Event {
    /// The shop did it by itself.
    pub fn new(kind: EventKind, data: Value) -> Self {
        Self { kind, data, actor: SYSTEM.to_owned() }
    }

    /// Somebody did it.
    pub fn by(self, actor: &str) -> Self {
        Self { actor: actor.to_owned(), ..self }
    }
}

impl HistoryEntry {
    /// None for a kind that a newer release has written.
    pub fn kind(&self) -> Option<EventKind> {
        self.kind.parse().ok()
    }
}

//! What endpoints are told, and where a telling stands.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use shop_base::db::stored;
use utoipa::ToSchema;
use uuid::Uuid;

stored! {
    /// What happened, as endpoints choose it.
    #[derive(PartialOrd, Ord)]
    NotificationKind {
        OrderPlaced = "order.placed",
        OrderPaid = "order.paid",
        OrderShipped = "order.shipped",
        OrderReadyForPickup = "order.ready_for_pickup",
        OrderHandedOver = "order.handed_over",
        OrderDelivered = "order.delivered",
        OrderGoodsCanceled = "order.goods_canceled",
        OrderCanceled = "order.canceled",
        OrderRefunded = "order.refunded",
        ReturnRequested = "return.requested",
        ReturnApproved = "return.approved",
        ReturnRejected = "return.rejected",
        ReturnReceived = "return.received",
        ReturnRefunded = "return.refunded",
        ProductCreated = "product.created",
        ProductUpdated = "product.updated",
        StockLow = "stock.low",
        /// Sent by hand to one endpoint; not to be chosen.
        Test = "webhook.test",
    }
}

impl NotificationKind {
    /// Those that an endpoint may want.
    pub fn choices() -> impl Iterator<Item = Self> {
        Self::ALL.iter().copied().filter(|kind| *kind != Self::Test)
    }

    /// What has happened, for staff.
    pub fn label(self) -> &'static str {
        match self {
            Self::OrderPlaced => "An order is placed",
            Self::OrderPaid => "An order is paid in full",
            Self::OrderShipped => "A package ships",
            Self::OrderReadyForPickup => "An order is ready for pickup",
            Self::OrderHandedOver => "An order is picked up in store",
            Self::OrderDelivered => "A package is delivered",
            Self::OrderGoodsCanceled => "Some items in an order are canceled",
            Self::OrderCanceled => "An order is canceled",
            Self::OrderRefunded => "A refund is issued",
            Self::ReturnRequested => "A return is requested",
            Self::ReturnApproved => "A return is approved",
            Self::ReturnRejected => "A return is rejected",
            Self::ReturnReceived => "A return is received",
            Self::ReturnRefunded => "A return is refunded",
            Self::ProductCreated => "A product is created",
            Self::ProductUpdated => "A product is updated, published, or archived",
            Self::StockLow => "A variant is low in stock",
            Self::Test => "A manual test",
        }
    }
}

stored! {
    /// How a dispatch stands.
    DispatchStatus {
        /// To be tried, perhaps again.
        Waiting = "waiting",
        Delivered = "delivered",
        /// Not tried any more.
        Failed = "failed",
        /// Staff have sent the same again before it was delivered.
        Replaced = "replaced",
    }
}

stored! {
    /// Why the shop has switched an endpoint off by itself.
    OffReason {
        /// It answered 410.
        Gone = "gone",
        /// Nothing got through for three days.
        Failing = "failing",
    }
}

/// What staff decide of an endpoint.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct EndpointInput {
    /// What staff call it.
    pub name: String,
    /// https; a shop that runs on http also takes http addresses of its own machine.
    pub url: String,
    pub events: Vec<NotificationKind>,
    pub is_enabled: bool,
}

/// The body that an endpoint gets.
#[derive(Debug, Serialize)]
pub struct Payload<'a> {
    /// The same at every try, and when it is sent again.
    pub id: Uuid,
    #[serde(rename = "type")]
    pub kind: NotificationKind,
    /// RFC 3339, UTC.
    pub occurred_at: String,
    pub data: &'a Value,
}

/// What came of one try.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    pub code: Option<u16>,
    /// Why it counts as failed.
    pub error: Option<String>,
    /// How the answer's body begins.
    pub answer: String,
}

impl Outcome {
    pub fn is_delivered(&self) -> bool {
        self.error.is_none()
    }

    /// The receiver wants nothing any more.
    pub fn is_gone(&self) -> bool {
        self.code == Some(410)
    }
}

const MINUTE: i64 = 60 * 1000;
const HOUR: i64 = 60 * MINUTE;

/// How long a notification is tried, in milliseconds.
pub const TRIED_FOR: i64 = 72 * HOUR;
/// How long a replaced secret signs beside the new one, in milliseconds.
pub const FORMER_SIGNS_FOR: i64 = 24 * HOUR;
/// How long the log goes back, in milliseconds.
pub const RETENTION: i64 = 30 * 24 * HOUR;

/// How long an endpoint that has failed for this long is left alone, so that what waits for it does not hold up the others: a tenth of
/// it, a quarter of an hour at most.
pub fn rest(failing_for: i64) -> i64 {
    (failing_for / 10).clamp(0, 15 * MINUTE)
}

#[cfg(test)]
mod tests {
    use super::{MINUTE, NotificationKind, rest};

    #[test]
    fn an_endpoint_rests_longer_the_longer_it_fails() {
        assert_eq!([0, 100, 10 * MINUTE, 10_000 * MINUTE].map(rest), [0, 10, MINUTE, 15 * MINUTE]);
    }

    #[test]
    fn a_test_is_not_to_be_chosen() {
        assert_eq!(NotificationKind::choices().count(), NotificationKind::ALL.len() - 1);
    }
}

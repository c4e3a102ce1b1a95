//! Notifications, and the status of their delivery.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use shop_base::clock::CLOCK_SKEW;
use shop_base::db::stored;
use utoipa::ToSchema;
use uuid::Uuid;

stored! {
    /// Kinds of events that endpoints can subscribe to.
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
        /// Sent by hand to one endpoint; cannot be subscribed to.
        Test = "webhook.test",
    }
}

impl NotificationKind {
    /// The kinds that an endpoint can subscribe to.
    pub fn choices() -> impl Iterator<Item = Self> {
        Self::ALL.iter().copied().filter(|kind| *kind != Self::Test)
    }

    /// A description of the event, for staff.
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
    /// Status of a dispatch.
    DispatchStatus {
        /// Waiting for its first attempt or a retry.
        Waiting = "waiting",
        Delivered = "delivered",
        /// No longer retried.
        Failed = "failed",
        /// Staff resent the same notification before this one was delivered.
        Replaced = "replaced",
    }
}

stored! {
    /// Why the shop disabled an endpoint automatically.
    OffReason {
        /// It answered 410.
        Gone = "gone",
        /// Nothing was delivered for three days.
        Failing = "failing",
    }
}

/// The settings of an endpoint.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct EndpointInput {
    /// Its name for staff.
    pub name: String,
    /// https; a shop that runs on http also takes http addresses of its own machine.
    pub url: String,
    pub events: Vec<NotificationKind>,
    pub is_enabled: bool,
}

/// The body sent to an endpoint.
#[derive(Debug, Serialize)]
pub struct Payload<'a> {
    /// The same for every attempt, and when it is resent.
    pub id: Uuid,
    #[serde(rename = "type")]
    pub kind: NotificationKind,
    /// RFC 3339, UTC.
    pub occurred_at: String,
    pub data: &'a Value,
}

/// The outcome of one attempt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    pub code: Option<u16>,
    /// Why it counts as failed.
    pub error: Option<String>,
    /// The beginning of the response body.
    pub answer: String,
}

impl Outcome {
    pub fn is_delivered(&self) -> bool {
        self.error.is_none()
    }

    /// The receiver wants no further webhooks.
    pub fn is_gone(&self) -> bool {
        self.code == Some(410)
    }
}

const MINUTE: i64 = 60 * 1000;
const HOUR: i64 = 60 * MINUTE;

/// How long a notification is retried, in milliseconds.
pub const TRIED_FOR: i64 = 72 * HOUR;
/// How long a replaced secret keeps signing in addition to the new one, in milliseconds.
pub const FORMER_SIGNS_FOR: i64 = 24 * HOUR;
/// How long log entries are kept, in milliseconds.
pub const RETENTION: i64 = 30 * 24 * HOUR;

/// The longest pause of an endpoint, in milliseconds.
const LONGEST_REST: i64 = 15 * MINUTE;

/// How long an endpoint that has been failing for `failing_for` is paused, so that its dispatches do not hold up the others: a tenth of
/// that time, at most a quarter of an hour.
pub fn rest(failing_for: i64) -> i64 {
    (failing_for / 10).clamp(0, LONGEST_REST)
}

/// Whether an endpoint that is paused until a time (UTC milliseconds) is paused at another. A pause that ends much later than any can was
/// stored by a clock that ran ahead, and is ignored.
pub fn is_resting(until: i64, at: i64) -> bool {
    at < until && until - at <= LONGEST_REST + CLOCK_SKEW
}

#[cfg(test)]
mod tests {
    use super::{CLOCK_SKEW, LONGEST_REST, MINUTE, NotificationKind, is_resting, rest};

    #[test]
    fn an_endpoint_rests_longer_the_longer_it_fails() {
        assert_eq!([0, 100, 10 * MINUTE, 10_000 * MINUTE].map(rest), [0, 10, MINUTE, 15 * MINUTE]);
    }

    #[test]
    fn an_endpoint_rests_no_longer_than_it_may() {
        let longest = LONGEST_REST + CLOCK_SKEW;
        let rests = |until: i64| is_resting(until, 1_000);
        assert_eq!([0, 1_000, 1_001, 1_000 + longest, 1_001 + longest].map(rests), [false, false, true, true, false]);
    }

    #[test]
    fn a_test_is_not_to_be_chosen() {
        assert_eq!(NotificationKind::choices().count(), NotificationKind::ALL.len() - 1);
    }
}

//! Background jobs of payments.

use serde::{Deserialize, Serialize};
use shop_platform::jobs::model::{HOUR, Job, Kind, Lane, MINUTE, SECOND};
use uuid::Uuid;

use super::model::Records;

/// Captures an authorized attempt.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CapturePayment {
    pub attempt: Uuid,
}

impl Job for CapturePayment {
    const KIND: Kind = Kind::new("capture_payment", Lane::Money, 60);
}

/// Voids an attempt.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct VoidPayment {
    pub attempt: Uuid,
}

impl Job for VoidPayment {
    const KIND: Kind = Kind::new("void_payment", Lane::Money, 60);
}

/// Sends a stored refund to its provider, or polls its status. Banks take days: a refund that does not finish is flagged for staff and
/// still polled.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SendRefund {
    pub refund: Uuid,
}

impl Job for SendRefund {
    const KIND: Kind = Kind::new("refund", Lane::Money, i64::MAX).longest_delay(4 * HOUR);
}

/// Processes a stored webhook of a provider.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProcessWebhook {
    pub provider: String,
    pub event_id: String,
    pub kind: String,
}

impl Job for ProcessWebhook {
    const KIND: Kind = Kind::new("webhook", Lane::Webhooks, 60);
}

/// Finds out the outcome of attempts whose outcome is unknown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reconcile {}

impl Job for Reconcile {
    // Only one of each of these exists at a time, so a long run does not take slots from the others.
    const KIND: Kind = Kind::recurring("reconcile", Lane::Money, 15 * SECOND);
}

/// Releases the stock of drafts that nobody pays for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReleaseStock {}

impl Job for ReleaseStock {
    const KIND: Kind = Kind::recurring("release_stock", Lane::Money, 30 * SECOND);
}

/// Starts comparing the provider's records with ours where the last comparison ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BeginComparison {}

impl Job for BeginComparison {
    // The stored name has nothing to do with the audit log.
    const KIND: Kind = Kind::recurring("audit", Lane::Money, 5 * MINUTE);
}

/// Compares one page of the provider's records, changed since a time; the time makes each page a separate job. Retried until the provider
/// answers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Compare {
    pub records: Records,
    pub from: i64,
}

impl Job for Compare {
    const KIND: Kind = Kind::new("compare", Lane::Money, i64::MAX).longest_delay(5 * MINUTE);
}

/// Reads and settles a provider's payment that could not be settled during the comparison, or of which a refund has failed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SettlePayment {
    pub payment: String,
}

impl Job for SettlePayment {
    const KIND: Kind = Kind::new("settle_payment", Lane::Money, 60);
}

//! What payments leave to the worker.

use serde::{Deserialize, Serialize};
use shop_platform::jobs::model::{HOUR, Job, Kind, Lane, MINUTE, SECOND};
use uuid::Uuid;

use super::model::Records;

/// Takes what an authorized attempt holds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CapturePayment {
    pub attempt: Uuid,
}

impl Job for CapturePayment {
    const KIND: Kind = Kind::new("capture_payment", Lane::Money, 60);
}

/// Lets go of what an attempt holds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct VoidPayment {
    pub attempt: Uuid,
}

impl Job for VoidPayment {
    const KIND: Kind = Kind::new("void_payment", Lane::Money, 60);
}

/// Sends a recorded refund to its provider, or learns how it went. A bank takes days: what does not come to an end is shown to staff, and
/// asked about all the same.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SendRefund {
    pub refund: Uuid,
}

impl Job for SendRefund {
    const KIND: Kind = Kind::new("refund", Lane::Money, i64::MAX).longest_delay(4 * HOUR);
}

/// Understands a stored webhook of a provider.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProcessWebhook {
    pub provider: String,
    pub event_id: String,
    pub kind: String,
}

impl Job for ProcessWebhook {
    const KIND: Kind = Kind::new("webhook", Lane::Webhooks, 60);
}

/// Finds out what became of attempts whose outcome is unknown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reconcile {}

impl Job for Reconcile {
    // There is one of each of these, so they leave the others their slots however long they take.
    const KIND: Kind = Kind::recurring("reconcile", Lane::Money, 15 * SECOND);
}

/// Frees the stock of drafts that nobody pays.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReleaseStock {}

impl Job for ReleaseStock {
    const KIND: Kind = Kind::recurring("release_stock", Lane::Money, 30 * SECOND);
}

/// Begins to compare the provider's records with ours where the last comparison ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BeginComparison {}

impl Job for BeginComparison {
    const KIND: Kind = Kind::recurring("audit", Lane::Money, 5 * MINUTE);
}

/// Compares one page of the provider's records, of changes since a time: the time makes it a job of its own. It goes on when the provider
/// is back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Compare {
    pub records: Records,
    pub from: i64,
}

impl Job for Compare {
    const KIND: Kind = Kind::new("compare", Lane::Money, i64::MAX).longest_delay(5 * MINUTE);
}

/// Learns how a payment of the provider stands that could not be settled when it was compared.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SettlePayment {
    pub payment: String,
}

impl Job for SettlePayment {
    const KIND: Kind = Kind::new("settle_payment", Lane::Money, 60);
}

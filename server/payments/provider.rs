//! What the shop asks of whoever takes its money. Integrations implement it; their wire types stay inside them.

use async_trait::async_trait;
use serde::{Deserialize, Serialize};

use crate::db::stored;
use crate::money::Money;

stored! {
    /// Who takes the money.
    ProviderName {
        /// By card, online.
        Square = "square",
        /// In the store, when the goods are picked up.
        Pickup = "pickup",
    }
}

/// One try to take money. Every repetition of it sends the very same request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Authorization {
    /// Made and stored before the first call, at most 45 characters.
    pub idempotency_key: String,
    /// Our attempt's id, by which a payment whose answer was lost is found again; at most 40 characters.
    pub reference: String,
    /// What the browser got for the card; single use, never stored. Empty where no card is involved.
    pub source: String,
    pub amount: Money,
    /// For the provider's receipt and risk checks.
    pub buyer_email: String,
    /// What staff read beside the payment, such as the order's number.
    pub note: String,
}

/// What the reference of a payment begins with that staff made to try the provider. It belongs to no order.
pub const TEST_REFERENCE: &str = "test-";

/// Where a payment stands with its provider.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ProviderStatus {
    /// The provider has it and has not decided.
    Pending,
    /// To be paid in person: nothing is held.
    Due,
    /// Held on the card, not taken.
    Authorized,
    Captured,
    Voided,
    Failed,
}

/// A payment as its provider sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProviderPayment {
    pub id: String,
    pub status: ProviderStatus,
    pub reference: Option<String>,
    pub amount: Money,
    /// Minor units given back so far.
    pub refunded: i64,
    /// Opaque; sent back when the payment is captured.
    pub version: Option<String>,
    pub card: Option<Card>,
    pub decline: Option<Decline>,
    /// UTC milliseconds, the provider's clock.
    pub created_at: i64,
    pub updated_at: i64,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Card {
    /// As people say it: `Visa`.
    pub brand: String,
    pub last_4: String,
}

/// Why a card was refused.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Decline {
    /// The provider's code, such as `CVV_FAILURE`.
    pub code: String,
    /// What to tell the shopper, in human words.
    pub message: String,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefundRequest {
    /// Made and stored before the first call, at most 45 characters.
    pub idempotency_key: String,
    pub payment_id: String,
    pub amount: Money,
    /// At most 192 characters.
    pub reason: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ProviderRefundStatus {
    Pending,
    Completed,
    Failed,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProviderRefund {
    pub id: String,
    pub payment_id: String,
    pub status: ProviderRefundStatus,
    pub amount: Money,
    /// UTC milliseconds, the provider's clock.
    pub updated_at: i64,
}

/// Why a call did not give what was asked for. Only `Unknown` leaves open whether money moved.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ProviderError {
    /// The card was refused; nothing was taken. Another card may do.
    #[error("declined: {}", .0.code)]
    Declined(Decline),
    /// The provider refuses the request as such (wrong state, bad field, bad credentials); nothing was taken.
    #[error("rejected: {code}: {detail}")]
    Rejected { code: String, detail: String },
    /// No answer that says what happened, even after repeating it with the same key.
    #[error("no known outcome: {0}")]
    Unknown(String),
}

/// Takes money and gives it back. Implementations set timeouts, repeat what may be repeated with the same key, and return
/// `Unknown` when that did not help.
#[async_trait]
pub trait PaymentProvider: Send + Sync + std::fmt::Debug {
    fn name(&self) -> ProviderName;

    /// Holds money on the card without taking it.
    async fn authorize(&self, authorization: &Authorization) -> Result<ProviderPayment, ProviderError>;

    /// Takes what is held. Taking it again gives the captured payment.
    async fn capture(&self, payment_id: &str, version: Option<&str>) -> Result<ProviderPayment, ProviderError>;

    /// Lets go of what is held.
    async fn void(&self, payment_id: &str) -> Result<ProviderPayment, ProviderError>;

    /// Makes sure that an authorization with this key never comes to be. A key that was never seen is no error.
    async fn void_by_key(&self, idempotency_key: &str) -> Result<(), ProviderError>;

    async fn find(&self, payment_id: &str) -> Result<Option<ProviderPayment>, ProviderError>;

    /// Payments made in a span of time, both ends UTC milliseconds. May lag seconds behind.
    async fn list(&self, from: i64, to: i64) -> Result<Vec<ProviderPayment>, ProviderError>;

    async fn refund(&self, request: &RefundRequest) -> Result<ProviderRefund, ProviderError>;

    async fn find_refund(&self, refund_id: &str) -> Result<Option<ProviderRefund>, ProviderError>;
}

impl ProviderPayment {
    pub fn is_test(&self) -> bool {
        self.reference.as_deref().is_some_and(|reference| reference.starts_with(TEST_REFERENCE))
    }
}

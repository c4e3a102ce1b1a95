//! What the shop asks of whoever takes its money. Integrations implement it; their wire types stay inside them.

use async_trait::async_trait;
use serde::{Deserialize, Serialize};
use shop_base::db::stored;
use shop_base::money::Money;

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
    /// The provider's opaque name for the card's number, the same wherever the card is used in this shop.
    #[serde(default)]
    pub fingerprint: Option<String>,
}

/// Why a card was refused.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Decline {
    /// The provider's code, such as `CVV_FAILURE`.
    pub code: String,
    /// What to tell the shopper, in human words.
    pub message: String,
    /// The card that was refused, when the provider tells.
    #[serde(default)]
    pub card: Option<Card>,
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
    pub created_at: i64,
    pub updated_at: i64,
}

/// A payment whose id is not known, and where to look for it. Times are UTC milliseconds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sought {
    pub reference: String,
    pub amount: Money,
    /// The span in which it was made, if it was.
    pub from: i64,
    pub to: i64,
}

/// One page of what has changed, the oldest change first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page<T> {
    pub records: Vec<T>,
    /// Records that make no sense here: each with its id and what is wrong. They are left out of `records`.
    pub unreadable: Vec<Unreadable>,
    /// Time of the page's newest change by the provider's clock, UTC milliseconds; none when nothing has changed.
    pub newest: Option<i64>,
    /// Whether nothing changed after it, as far as the list shows yet. If not, `newest` is later than what was asked from.
    pub is_last: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unreadable {
    pub id: String,
    /// The reference that a payment was given, when that at least can be read.
    pub reference: Option<String>,
    pub updated_at: Option<i64>,
    pub problem: String,
}

/// A payment that the buyer's bank wants back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dispute {
    pub id: String,
    pub payment_id: String,
    /// The provider's words, such as `EVIDENCE_REQUIRED` and `NOT_AS_DESCRIBED`.
    pub state: String,
    pub reason: String,
    pub amount: Money,
    /// Until when it can be answered, UTC milliseconds.
    pub due_at: Option<i64>,
    /// UTC milliseconds, the provider's clock.
    pub updated_at: i64,
}

/// Why a call did not give what was asked for. Only `Unknown` leaves open whether money moved.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ProviderError {
    /// The card was refused; nothing was taken. Another card may do.
    #[error("declined: {}", .0.code)]
    Declined(Decline),
    /// The provider refuses the request as such (wrong state, bad field); nothing was taken.
    #[error("rejected: {code}: {detail}")]
    Rejected { code: String, detail: String },
    /// The provider does not take our credentials, or they do not allow this; nothing was done. The same request may succeed once
    /// the operator has mended them.
    #[error("not authorized: {code}: {detail}")]
    NotAuthorized { code: String, detail: String },
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

    /// The payment with this reference. It may lag seconds behind; a payment with the reference that makes no sense is `Unknown`.
    async fn find_by_reference(&self, sought: &Sought) -> Result<Option<ProviderPayment>, ProviderError>;

    /// Payments that have changed at a time (UTC milliseconds, the provider's clock) or later. May lag seconds behind.
    async fn list_changed(&self, from: i64) -> Result<Page<ProviderPayment>, ProviderError>;

    async fn refund(&self, request: &RefundRequest) -> Result<ProviderRefund, ProviderError>;

    async fn find_refund(&self, refund_id: &str) -> Result<Option<ProviderRefund>, ProviderError>;

    /// All refunds of a payment, as it names them: without lag.
    async fn list_refunds_of(&self, payment_id: &str) -> Result<Vec<ProviderRefund>, ProviderError>;

    /// Refunds that have changed at a time or later, like `list_changed`.
    async fn list_changed_refunds(&self, from: i64) -> Result<Page<ProviderRefund>, ProviderError>;

    async fn find_dispute(&self, dispute_id: &str) -> Result<Option<Dispute>, ProviderError>;
}

impl ProviderPayment {
    pub fn is_test(&self) -> bool {
        self.reference.as_deref().is_some_and(|reference| reference.starts_with(TEST_REFERENCE))
    }
}

/// By how much the clocks of provider and shop may differ, milliseconds.
pub const CLOCK_SKEW: i64 = 5 * 60 * 1000;

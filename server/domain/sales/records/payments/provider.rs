//! The interface of payment providers. Integrations implement it and keep their wire types to themselves.

use async_trait::async_trait;
use serde::{Deserialize, Serialize};
use shop_base::db::stored;
use shop_base::money::Money;
use uuid::Uuid;

stored! {
    /// The party that takes the money.
    ProviderName {
        /// By card, online.
        Square = "square",
        /// In the store, when the goods are picked up.
        Pickup = "pickup",
    }
}

/// One attempt to take money. Every retry sends an identical request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Authorization {
    /// Created and stored before the first call, at most 45 characters.
    pub idempotency_key: String,
    /// Our attempt's id, by which a payment is found if the answer was lost; at most 40 characters.
    pub reference: String,
    /// The card token from the browser; single use, never stored. Empty if no card is involved.
    pub source: String,
    pub amount: Money,
    /// For the provider's receipt and risk checks.
    pub buyer_email: String,
    /// Shown to staff with the payment, such as the order's number.
    pub note: String,
}

/// Reference prefix of payments that staff made to test the provider. They belong to no order.
pub const TEST_REFERENCE: &str = "test-";

/// A payment's state at its provider.
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
    /// Display name: `Visa`.
    pub brand: String,
    pub last_4: String,
    /// The provider's opaque identifier for the card number, the same for every use of the card in this shop.
    #[serde(default)]
    pub fingerprint: Option<String>,
}

/// Why a card was refused.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Decline {
    /// The provider's code, such as `CVV_FAILURE`.
    pub code: String,
    /// The message for the shopper.
    pub message: String,
    /// The card that was refused, if the provider reports it.
    #[serde(default)]
    pub card: Option<Card>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefundRequest {
    /// Created and stored before the first call, at most 45 characters.
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
    /// None if the seller gave back money without naming a payment, which this shop never does.
    pub payment_id: Option<String>,
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
    /// The time span in which it was created, if it was.
    pub from: i64,
    pub to: i64,
}

/// One page of changes, the oldest first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page<T> {
    pub records: Vec<T>,
    /// Records that could not be interpreted, with id and problem. They are not in `records`.
    pub unreadable: Vec<Unreadable>,
    /// Time of the page's newest change by the provider's clock, UTC milliseconds; none if nothing has changed.
    pub newest: Option<i64>,
    /// Whether the list shows no later changes yet. If false, `newest` is later than the requested start.
    pub is_last: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unreadable {
    pub id: String,
    /// The payment's reference, if at least that can be read.
    pub reference: Option<String>,
    pub updated_at: Option<i64>,
    pub problem: String,
}

/// A payment that the buyer's bank wants back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dispute {
    pub id: String,
    pub payment_id: String,
    /// The provider's codes, such as `EVIDENCE_REQUIRED` and `NOT_AS_DESCRIBED`.
    pub state: String,
    pub reason: String,
    pub amount: Money,
    /// Deadline for an answer, UTC milliseconds.
    pub due_at: Option<i64>,
    /// UTC milliseconds, the provider's clock.
    pub updated_at: i64,
}

/// Why a call failed. Only `Unknown` leaves open whether money moved.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ProviderError {
    /// The card was refused; nothing was taken. Another card may work.
    #[error("declined: {}", .0.code)]
    Declined(Decline),
    /// The provider refuses the request as such (wrong state, bad field); nothing was taken.
    #[error("rejected: {code}: {detail}")]
    Rejected { code: String, detail: String },
    /// The provider rejects our credentials, or they do not permit this; nothing was done. The same request may succeed once the operator
    /// has fixed them.
    #[error("not authorized: {code}: {detail}")]
    NotAuthorized { code: String, detail: String },
    /// No conclusive answer, even after retrying with the same key.
    #[error("no known outcome: {0}")]
    Unknown(String),
}

/// Takes money and refunds it. Implementations set timeouts, retry with the same key where that is safe, and return `Unknown` if retrying
/// did not help.
#[async_trait]
pub trait PaymentProvider: Send + Sync + std::fmt::Debug {
    fn name(&self) -> ProviderName;

    /// Holds money on the card without taking it.
    async fn authorize(&self, authorization: &Authorization) -> Result<ProviderPayment, ProviderError>;

    /// Captures what is held. Capturing it again returns the captured payment.
    async fn capture(&self, payment_id: &str, version: Option<&str>) -> Result<ProviderPayment, ProviderError>;

    /// Releases what is held.
    async fn void(&self, payment_id: &str) -> Result<ProviderPayment, ProviderError>;

    /// Makes sure that an authorization with this key is never created. An unknown key is no error.
    async fn void_by_key(&self, idempotency_key: &str) -> Result<(), ProviderError>;

    async fn find(&self, payment_id: &str) -> Result<Option<ProviderPayment>, ProviderError>;

    /// The payment with this reference. The list may lag by seconds; a payment with this reference that cannot be interpreted is `Unknown`.
    async fn find_by_reference(&self, sought: &Sought) -> Result<Option<ProviderPayment>, ProviderError>;

    /// Payments that have changed at or after a time (UTC milliseconds, the provider's clock). May lag by seconds.
    async fn list_changed(&self, from: i64) -> Result<Page<ProviderPayment>, ProviderError>;

    async fn refund(&self, request: &RefundRequest) -> Result<ProviderRefund, ProviderError>;

    async fn find_refund(&self, refund_id: &str) -> Result<Option<ProviderRefund>, ProviderError>;

    /// All refunds listed in a payment itself: without lag.
    async fn list_refunds_of(&self, payment_id: &str) -> Result<Vec<ProviderRefund>, ProviderError>;

    /// Refunds that have changed at or after a time, like `list_changed`.
    async fn list_changed_refunds(&self, from: i64) -> Result<Page<ProviderRefund>, ProviderError>;

    async fn find_dispute(&self, dispute_id: &str) -> Result<Option<Dispute>, ProviderError>;
}

impl ProviderPayment {
    /// The attempt that it names as its reference. What the seller's other programs take, such as a register, names none.
    pub fn attempt(&self) -> Option<Uuid> {
        Uuid::parse_str(self.reference.as_deref()?).ok()
    }

    pub fn is_test(&self) -> bool {
        self.reference.as_deref().is_some_and(|reference| reference.starts_with(TEST_REFERENCE))
    }
}

/// Maximum difference between the clocks of provider and shop, milliseconds. Those of two nodes differ by less: `shop_base::clock::CLOCK_SKEW`.
pub const PROVIDER_CLOCK_SKEW: i64 = 5 * 60 * 1000;

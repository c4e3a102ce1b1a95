//! Rows of payments, as [`super::store`] reads and writes them.

use sqlx::FromRow;
use uuid::Uuid;

use super::model::{AttemptStatus, RefundStatus};
use super::provider::ProviderName;

/// One try to take money for an order.
#[derive(Clone, Debug, FromRow)]
pub struct Attempt {
    pub id: Uuid,
    pub order_id: Uuid,
    /// The browser's name for its click on Pay.
    pub click_id: Uuid,
    pub number: i64,
    #[sqlx(try_from = "String")]
    pub provider: ProviderName,
    pub idempotency_key: String,
    pub amount: i64,
    pub currency: String,
    #[sqlx(try_from = "String")]
    pub status: AttemptStatus,
    pub provider_payment_id: Option<String>,
    pub provider_version: Option<String>,
    pub card_brand: Option<String>,
    pub card_last_4: Option<String>,
    /// The provider's opaque name for the card's number.
    pub card_fingerprint: Option<String>,
    pub decline_code: Option<String>,
    pub decline_message: Option<String>,
    pub refunded: i64,
    pub network: String,
    /// When the provider was first seen not to have it, UTC milliseconds.
    pub absent_at: Option<i64>,
    /// When it is looked at again, UTC milliseconds, and how often that has failed.
    pub look_at: i64,
    pub looks: i64,
    /// The text of a `Tender`, once money that was due in the store was taken.
    pub tender: Option<String>,
    pub created_at: i64,
    pub updated_at: i64,
}

/// Money given back, or to be given back. Amounts are minor units, taxes included.
#[derive(Clone, Debug, FromRow)]
pub struct Refund {
    pub id: Uuid,
    pub order_id: Uuid,
    pub attempt_id: Uuid,
    pub idempotency_key: String,
    /// The browser's name for the click that wanted it.
    pub request_id: Option<Uuid>,
    pub amount: i64,
    /// The part that is for shipping.
    pub shipping: i64,
    /// The part that is for nothing in particular.
    pub extra: i64,
    /// The part that is tax.
    pub tax: i64,
    pub reason: String,
    #[sqlx(try_from = "String")]
    pub status: RefundStatus,
    pub provider_refund_id: Option<String>,
    /// The text of a `Tender`, when it was given in the store.
    pub given_as: Option<String>,
    /// When the provider was first asked for it, UTC milliseconds.
    pub sent_at: Option<i64>,
    /// When staff were told that it does not come to an end.
    pub attention_at: Option<i64>,
    pub created_at: i64,
}

/// So many of a line, and what was given back for them.
#[derive(Clone, Debug, FromRow)]
pub struct RefundLine {
    pub refund_id: Uuid,
    pub line_id: Uuid,
    pub quantity: i64,
    pub amount: i64,
    /// The part of the amount that is tax.
    pub tax: i64,
}

/// Something a provider told us.
#[derive(Clone, Debug, FromRow)]
pub struct WebhookEvent {
    pub provider: String,
    pub event_id: String,
    pub kind: String,
    /// The id of what it is about.
    pub subject: String,
    pub body: String,
    pub received_at: i64,
}

/// How far a provider's records are compared with ours. Times are UTC milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, FromRow)]
pub struct Watermark {
    /// The changes from which the next comparison goes on, by the provider's clock: all before are compared.
    pub position: i64,
    /// The newest change that was ever seen, likewise.
    pub newest: i64,
    /// When the last page was compared, by ours.
    pub checked_at: i64,
}

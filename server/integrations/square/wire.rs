//! The part of Square's JSON that the shop reads and writes, and its mapping to the shop's types.

use jiff::Timestamp;
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;
use shop_base::money::Money;
use shop_domain::sales::records::payments::provider::{
    Card, Dispute as ProviderDispute, ProviderPayment, ProviderRefund, ProviderRefundStatus, ProviderStatus,
    RefundRequest, Unreadable,
};

use super::errors;
use super::errors::ApiError;

#[derive(Serialize)]
pub struct CreatePayment<'a> {
    pub source_id: &'a str,
    pub idempotency_key: &'a str,
    pub amount_money: &'a Money,
    pub autocomplete: bool,
    pub delay_action: &'static str,
    pub location_id: &'a str,
    pub reference_id: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    pub buyer_email_address: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    pub note: &'a str,
}

#[derive(Serialize)]
pub struct CompletePayment<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version_token: Option<&'a str>,
}

/// For requests whose path contains everything.
#[derive(Serialize)]
pub struct Empty {}

#[derive(Serialize)]
pub struct CancelByKey<'a> {
    pub idempotency_key: &'a str,
}

#[derive(Serialize)]
pub struct CreateRefund<'a> {
    idempotency_key: &'a str,
    payment_id: &'a str,
    amount_money: &'a Money,
    #[serde(skip_serializing_if = "str::is_empty")]
    reason: &'a str,
}

impl<'a> From<&'a RefundRequest> for CreateRefund<'a> {
    fn from(request: &'a RefundRequest) -> Self {
        Self {
            idempotency_key: &request.idempotency_key,
            payment_id: &request.payment_id,
            amount_money: &request.amount,
            reason: &request.reason,
        }
    }
}

#[derive(Deserialize)]
pub struct PaymentAnswer {
    pub payment: Payment,
}

/// One page of a list. Records are read individually: an invalid one does not affect the others.
#[derive(Deserialize)]
pub struct ListAnswer {
    #[serde(default, alias = "payments", alias = "refunds")]
    pub records: Vec<Value>,
    pub cursor: Option<String>,
}

#[derive(Deserialize)]
pub struct RefundAnswer {
    pub refund: Refund,
}

#[derive(Deserialize)]
pub struct DisputeAnswer {
    pub dispute: Dispute,
}

/// An empty response: `{}`.
#[derive(Deserialize)]
pub struct Done {}

#[derive(Deserialize)]
pub struct Payment {
    id: String,
    status: String,
    amount_money: Money,
    refunded_money: Option<Money>,
    #[serde(default)]
    pub refund_ids: Vec<String>,
    reference_id: Option<String>,
    version_token: Option<String>,
    card_details: Option<CardDetails>,
    #[serde(deserialize_with = "milliseconds")]
    created_at: i64,
    #[serde(deserialize_with = "milliseconds")]
    updated_at: i64,
}

#[derive(Deserialize)]
struct CardDetails {
    card: Option<WireCard>,
    #[serde(default)]
    errors: Vec<ApiError>,
}

#[derive(Deserialize)]
struct WireCard {
    card_brand: Option<String>,
    last_4: Option<String>,
    fingerprint: Option<String>,
}

impl WireCard {
    fn read(self) -> Option<Card> {
        Some(Card {
            brand: brand(self.card_brand.as_deref()).to_owned(),
            last_4: self.last_4?,
            fingerprint: self.fingerprint,
        })
    }
}

/// The failed payment in a decline's response.
#[derive(Deserialize)]
pub struct FailedPayment {
    card_details: Option<CardDetails>,
}

impl FailedPayment {
    pub fn card(self) -> Option<Card> {
        self.card_details?.card?.read()
    }
}

#[derive(Deserialize)]
pub struct Refund {
    id: String,
    status: String,
    payment_id: Option<String>,
    amount_money: Money,
    /// Missing until the refund first changes.
    updated_at: Option<String>,
    created_at: String,
}

impl Payment {
    /// Fails on an unknown status.
    pub fn read(self) -> Result<ProviderPayment, String> {
        let status = match self.status.as_str() {
            "PENDING" => ProviderStatus::Pending,
            "APPROVED" => ProviderStatus::Authorized,
            "COMPLETED" => ProviderStatus::Captured,
            "CANCELED" => ProviderStatus::Voided,
            "FAILED" => ProviderStatus::Failed,
            other => return Err(format!("a payment has the unknown status '{other}'")),
        };
        let (card, refusals) = match self.card_details {
            Some(details) => (details.card, details.errors),
            None => (None, Vec::new()),
        };
        let card = card.and_then(WireCard::read);
        let decline = (status == ProviderStatus::Failed).then(|| errors::decline(&refusals, card.clone()));
        Ok(ProviderPayment {
            id: self.id,
            status,
            reference: self.reference_id,
            refunded: self.refunded_money.map_or(0, |money| money.amount),
            amount: self.amount_money,
            version: self.version_token,
            card,
            decline,
            created_at: self.created_at,
            updated_at: self.updated_at,
        })
    }
}

impl Refund {
    /// Fails on an unknown status.
    pub fn read(self) -> Result<ProviderRefund, String> {
        let status = match self.status.as_str() {
            "PENDING" => ProviderRefundStatus::Pending,
            "COMPLETED" => ProviderRefundStatus::Completed,
            "REJECTED" | "FAILED" => ProviderRefundStatus::Failed,
            other => return Err(format!("a refund has the unknown status '{other}'")),
        };
        let time = |text: &str| parse_time(text).map_err(|error| error.to_string());
        Ok(ProviderRefund {
            payment_id: self.payment_id,
            id: self.id,
            status,
            amount: self.amount_money,
            created_at: time(&self.created_at)?,
            updated_at: time(self.updated_at.as_deref().unwrap_or(&self.created_at))?,
        })
    }
}

#[derive(Deserialize)]
pub struct Dispute {
    id: Option<String>,
    /// Its former name: there may be one of the two, or both.
    dispute_id: Option<String>,
    state: String,
    #[serde(default)]
    reason: String,
    amount_money: Money,
    disputed_payment: Disputed,
    due_at: Option<String>,
    #[serde(deserialize_with = "milliseconds")]
    updated_at: i64,
}

#[derive(Deserialize)]
struct Disputed {
    payment_id: String,
}

impl Dispute {
    /// Fails on a dispute without an id.
    pub fn read(self) -> Result<ProviderDispute, String> {
        Ok(ProviderDispute {
            id: self.id.or(self.dispute_id).ok_or("a dispute has no id")?,
            payment_id: self.disputed_payment.payment_id,
            state: self.state,
            reason: self.reason,
            amount: self.amount_money,
            due_at: self.due_at.and_then(|text| parse_time(&text).ok()),
            updated_at: self.updated_at,
        })
    }
}

/// Describes a record that cannot be read.
pub fn unreadable(record: &Value, problem: String) -> Unreadable {
    let text = |name: &str| record.get(name).and_then(Value::as_str);
    Unreadable {
        id: text("id").unwrap_or("without an id").to_owned(),
        reference: text("reference_id").map(str::to_owned),
        updated_at: text("updated_at").or(text("created_at")).and_then(|text| parse_time(text).ok()),
        problem,
    }
}

/// Parses a time in Square's format, such as `2026-11-21T17:00:00.123Z`, to UTC milliseconds.
pub fn parse_time(text: &str) -> Result<i64, jiff::Error> {
    Ok(text.parse::<Timestamp>()?.as_millisecond())
}

fn milliseconds<'de, D: Deserializer<'de>>(deserializer: D) -> Result<i64, D::Error> {
    parse_time(&String::deserialize(deserializer)?).map_err(D::Error::custom)
}

/// The display name of a card's brand.
fn brand(name: Option<&str>) -> &'static str {
    match name {
        Some("VISA") => "Visa",
        Some("MASTERCARD") => "Mastercard",
        Some("AMERICAN_EXPRESS") => "American Express",
        Some("DISCOVER") => "Discover",
        Some("DISCOVER_DINERS") => "Diners Club",
        Some("JCB") => "JCB",
        Some("CHINA_UNIONPAY") => "UnionPay",
        Some("SQUARE_GIFT_CARD") => "Gift card",
        _ => "Card",
    }
}

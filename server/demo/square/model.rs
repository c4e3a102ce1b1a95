//! The stand-in's data: payments, refunds, card tokens, and their states.
//!
//! A payment goes APPROVED → COMPLETED or CANCELED; a declined one is FAILED from the start and stays so. A refund goes PENDING → COMPLETED
//! or REJECTED. There are no other transitions.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use shop_base::clock::timestamp;
use shop_base::money::Money;

use super::cards::{CardShown, Outcome};
use super::records::Record;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum PaymentStatus {
    Approved,
    Completed,
    Canceled,
    Failed,
}

impl PaymentStatus {
    pub fn name(self) -> &'static str {
        match self {
            Self::Approved => "APPROVED",
            Self::Completed => "COMPLETED",
            Self::Canceled => "CANCELED",
            Self::Failed => "FAILED",
        }
    }

    fn of_card(self) -> &'static str {
        match self {
            Self::Approved => "AUTHORIZED",
            Self::Completed => "CAPTURED",
            Self::Canceled => "VOIDED",
            Self::Failed => "FAILED",
        }
    }
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Payment {
    pub id: String,
    pub idempotency_key: String,
    pub status: PaymentStatus,
    pub amount: Money,
    /// Minor units.
    pub refunded: i64,
    pub refund_ids: Vec<String>,
    pub reference_id: Option<String>,
    pub note: Option<String>,
    pub buyer_email_address: Option<String>,
    pub location_id: String,
    pub application_id: String,
    pub card: CardShown,
    pub outcome: Outcome,
    /// Counts changes; shown as an opaque token.
    pub version: u32,
    /// UTC milliseconds, as all times here.
    pub created_at: i64,
    pub updated_at: i64,
    /// When an approved payment is canceled (or completed) automatically.
    pub delayed_until: Option<i64>,
    pub complete_when_delayed: bool,
    pub captured_at: Option<i64>,
    pub voided_at: Option<i64>,
}

impl Record for Payment {
    fn id(&self) -> &str {
        &self.id
    }

    fn created_at(&self) -> i64 {
        self.created_at
    }

    fn updated_at(&self) -> i64 {
        self.updated_at
    }

    fn due_at(&self) -> Option<i64> {
        self.delayed_until.filter(|_| self.status == PaymentStatus::Approved)
    }
}

impl Payment {
    pub fn version_token(&self) -> String {
        format!("{}v{}o", self.id, self.version)
    }

    /// Changes the status of an approved payment; any other stays as it is.
    pub fn end(&mut self, status: PaymentStatus, now: i64) {
        if self.status != PaymentStatus::Approved {
            return;
        }
        self.status = status;
        match status {
            PaymentStatus::Completed => self.captured_at = Some(now),
            _ => self.voided_at = Some(now),
        }
        self.touch(now);
    }

    pub fn touch(&mut self, now: i64) {
        self.version += 1;
        self.updated_at = now;
    }

    pub fn json(&self) -> Value {
        let approved = if self.status == PaymentStatus::Failed { 0 } else { self.amount.amount };
        let errors: Vec<Value> = self.outcome.refusal().map(decline_json).into_iter().collect();
        let mut json = json!({
            "id": self.id,
            "created_at": time(self.created_at),
            "updated_at": time(self.updated_at),
            "amount_money": self.amount,
            "total_money": self.amount,
            "approved_money": { "amount": approved, "currency": self.amount.currency },
            "status": self.status.name(),
            "source_type": "CARD",
            "card_details": {
                "status": self.status.of_card(),
                "card": self.card.json(),
                "entry_method": "KEYED",
                "cvv_status": self.outcome.cvv_status(),
                "avs_status": self.outcome.avs_status(),
                "statement_description": "SQ *CARDINAL & BRIAR",
                "card_payment_timeline": {},
                "errors": errors,
            },
            "location_id": self.location_id,
            // Square creates an order for a payment without one.
            "order_id": format!("{}o", self.id),
            "risk_evaluation": { "created_at": time(self.created_at), "risk_level": self.risk_level() },
            "application_details": { "square_product": "ECOMMERCE_API", "application_id": self.application_id },
            "version_token": self.version_token(),
        });
        let mut set = |at: &str, value: Value| {
            if let Some((parent, name)) = at.rsplit_once('/')
                && let Some(Value::Object(parent)) = json.pointer_mut(parent)
            {
                parent.insert(name.to_owned(), value);
            }
        };
        let timeline = "/card_details/card_payment_timeline";
        if self.status != PaymentStatus::Failed {
            set(&format!("{timeline}/authorized_at"), json!(time(self.created_at)));
        }
        if let Some(at) = self.captured_at {
            set(&format!("{timeline}/captured_at"), json!(time(at)));
            set("/receipt_number", json!(self.id.chars().take(4).collect::<String>()));
            set("/receipt_url", json!(format!("https://squareupsandbox.com/receipt/preview/{}", self.id)));
        }
        if let Some(at) = self.voided_at {
            set(&format!("{timeline}/voided_at"), json!(time(at)));
        }
        if let Some(at) = self.delayed_until {
            set("/delay_duration", json!(duration(at - self.created_at)));
            set("/delay_action", json!(if self.complete_when_delayed { "COMPLETE" } else { "CANCEL" }));
            set("/delayed_until", json!(time(at)));
        }
        if self.status == PaymentStatus::Approved {
            set("/capabilities", json!(["EDIT_AMOUNT_UP", "EDIT_AMOUNT_DOWN", "EDIT_TIP_AMOUNT_UP"]));
        }
        if self.refunded > 0 {
            set("/refunded_money", json!({ "amount": self.refunded, "currency": self.amount.currency }));
            set("/refund_ids", json!(self.refund_ids));
        }
        for (at, text) in [
            ("/reference_id", &self.reference_id),
            ("/note", &self.note),
            ("/buyer_email_address", &self.buyer_email_address),
        ] {
            if let Some(text) = text {
                set(at, json!(text));
            }
        }
        json
    }

    /// Amounts that Square's sandbox reportedly rates as risky.
    fn risk_level(&self) -> &'static str {
        match self.amount.amount {
            2222 => "MODERATE",
            3333 => "HIGH",
            _ => "NORMAL",
        }
    }
}

/// A decline in Square's error format.
pub fn decline_json(code: &str) -> Value {
    json!({ "category": "PAYMENT_METHOD_ERROR", "code": code, "detail": format!("Authorization error: '{code}'") })
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum RefundStatus {
    Pending,
    Completed,
    Rejected,
}

impl RefundStatus {
    pub fn name(self) -> &'static str {
        match self {
            Self::Pending => "PENDING",
            Self::Completed => "COMPLETED",
            Self::Rejected => "REJECTED",
        }
    }
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Refund {
    pub id: String,
    /// None if it is unlinked.
    pub payment_id: Option<String>,
    pub status: RefundStatus,
    pub amount: Money,
    pub reason: Option<String>,
    pub location_id: String,
    pub created_at: i64,
    pub updated_at: i64,
    /// When it is no longer pending, and its final status.
    pub settles_at: i64,
    pub settles_as: RefundStatus,
}

impl Record for Refund {
    fn id(&self) -> &str {
        &self.id
    }

    fn created_at(&self) -> i64 {
        self.created_at
    }

    fn updated_at(&self) -> i64 {
        self.updated_at
    }

    fn due_at(&self) -> Option<i64> {
        Some(self.settles_at).filter(|_| self.status == RefundStatus::Pending)
    }
}

impl Refund {
    pub fn json(&self) -> Value {
        let mut json = json!({
            "id": self.id,
            "status": self.status.name(),
            "amount_money": self.amount,
            "location_id": self.location_id,
            "destination_type": "CARD",
            "created_at": time(self.created_at),
            "updated_at": time(self.updated_at),
        });
        let order = self.payment_id.as_ref().map(|payment| format!("{payment}o"));
        if let Value::Object(fields) = &mut json {
            for (name, value) in [("reason", &self.reason), ("payment_id", &self.payment_id), ("order_id", &order)] {
                fields.extend(value.as_ref().map(|value| (name.to_owned(), json!(value))));
            }
        }
        json
    }
}

/// A payment disputed by the buyer (a chargeback).
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Dispute {
    pub id: String,
    pub payment_id: String,
    /// Square's name for its state.
    pub state: String,
    pub amount: Money,
    pub created_at: i64,
    pub updated_at: i64,
    pub due_at: i64,
}

impl Dispute {
    pub fn json(&self) -> Value {
        json!({
            "id": self.id,
            "dispute_id": self.id,
            "state": self.state,
            "reason": "NOT_AS_DESCRIBED",
            "amount_money": self.amount,
            "disputed_payment": { "payment_id": self.payment_id },
            "due_at": time(self.due_at),
            "created_at": time(self.created_at),
            "updated_at": time(self.updated_at),
        })
    }
}

/// The token that the browser got for a card. Contains only the displayable details of the card.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Token {
    pub id: String,
    pub card: CardShown,
    pub outcome: Outcome,
    pub created_at: i64,
    pub used: bool,
}

/// The response to the first request with an idempotency key.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Answer {
    pub operation: String,
    pub idempotency_key: String,
    /// Hash of the request's body.
    pub hash: String,
    pub status: u16,
    pub body: Value,
}

/// An event to send to the shop.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Event {
    /// Its position in the journal.
    pub sequence: u64,
    pub created_at: i64,
    pub body: Value,
}

/// A time in Square's format: milliseconds, always three digits.
pub fn time(ms: i64) -> String {
    timestamp(ms).strftime("%Y-%m-%dT%H:%M:%S.%3fZ").to_string()
}

/// A duration in milliseconds as Square returns it: hours, or the remainder in smaller units.
fn duration(ms: i64) -> String {
    let seconds = ms / 1000;
    match (seconds / 3600, seconds % 3600) {
        (hours, 0) => format!("PT{hours}H"),
        (0, seconds) => format!("PT{seconds}S"),
        (hours, seconds) => format!("PT{hours}H{seconds}S"),
    }
}

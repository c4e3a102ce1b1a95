//! A complete test payment in the provider's sandbox: authorize, capture, refund.

use serde::Serialize;
use shop_base::context::Context;
use shop_base::error::Error;
use shop_base::ids::new_id;
use shop_base::money::Money;
use shop_domain::sales::flows::parts::Providers;
use shop_domain::sales::records::payments::provider::{
    Authorization, PaymentProvider, ProviderError, ProviderPayment, ProviderRefund, ProviderStatus, RefundRequest,
    TEST_REFERENCE,
};
use utoipa::ToSchema;
use uuid::Uuid;

use super::checks::CheckState;

/// One step of a test payment.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Step {
    pub name: &'static str,
    pub state: CheckState,
    pub detail: String,
}

/// One dollar of sandbox money.
const AMOUNT: i64 = 100;
/// Square's documented test card that always succeeds.
const GOOD_CARD: &str = "cnon:card-nonce-ok";

/// Authorizes, captures and refunds one dollar; stops at the first step that fails. Refused in production, where real money would be
/// charged.
pub async fn run(cx: &Context, providers: &Providers) -> Result<Vec<Step>, Error> {
    let (Some(square), Some(config)) = (&providers.square, &cx.config.square) else {
        return Err(Error::conflict("payment_off", "Card payment is off: set the SHOP_SQUARE_… settings."));
    };
    if !config.is_sandbox() {
        return Err(Error::conflict(
            "not_sandbox",
            "This shop takes real payments. Test payments need Square’s sandbox.",
        ));
    }
    let mut steps = Vec::new();
    let id = new_id(cx.clock.as_ref());
    let Some(held) = note(&mut steps, "Authorize $1.00 on a test card", authorize(square.as_ref(), id).await) else {
        return Ok(steps);
    };
    let taken = capture(square.as_ref(), &held).await;
    if note(&mut steps, "Capture it", taken).is_some() {
        note(&mut steps, "Refund it", refund(square.as_ref(), id, &held.id).await);
    } else {
        note(&mut steps, "Void it", square.void(&held.id).await);
    }
    Ok(steps)
}

/// Records the result of a step, and returns what it created.
fn note<T: Described>(steps: &mut Vec<Step>, name: &'static str, result: Result<T, ProviderError>) -> Option<T> {
    let (state, detail) = match &result {
        Ok(made) => (CheckState::Works, made.described()),
        Err(error) => (CheckState::Fails, error.to_string()),
    };
    steps.push(Step { name, state, detail });
    result.ok()
}

/// What a step created, described for staff.
trait Described {
    fn described(&self) -> String;
}

impl Described for ProviderPayment {
    fn described(&self) -> String {
        format!("Payment {}", self.id)
    }
}

impl Described for ProviderRefund {
    fn described(&self) -> String {
        format!("Refund {}", self.id)
    }
}

async fn authorize(square: &dyn PaymentProvider, id: Uuid) -> Result<ProviderPayment, ProviderError> {
    let authorization = Authorization {
        idempotency_key: id.simple().to_string(),
        reference: format!("{TEST_REFERENCE}{}", id.simple()),
        source: GOOD_CARD.to_owned(),
        amount: Money::usd(AMOUNT),
        buyer_email: String::new(),
        note: "A test from the admin area".to_owned(),
    };
    let payment = square.authorize(&authorization).await?;
    if payment.status == ProviderStatus::Authorized { Ok(payment) } else { Err(unexpected(&payment)) }
}

async fn capture(square: &dyn PaymentProvider, held: &ProviderPayment) -> Result<ProviderPayment, ProviderError> {
    let payment = square.capture(&held.id, held.version.as_deref()).await?;
    if payment.status == ProviderStatus::Captured { Ok(payment) } else { Err(unexpected(&payment)) }
}

fn unexpected(payment: &ProviderPayment) -> ProviderError {
    ProviderError::Unknown(format!("payment {} is {:?}", payment.id, payment.status))
}

async fn refund(square: &dyn PaymentProvider, id: Uuid, payment_id: &str) -> Result<ProviderRefund, ProviderError> {
    let request = RefundRequest {
        idempotency_key: format!("{}r", id.simple()),
        payment_id: payment_id.to_owned(),
        amount: Money::usd(AMOUNT),
        reason: "A test from the admin area".to_owned(),
    };
    square.refund(&request).await
}

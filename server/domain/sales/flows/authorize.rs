//! Sends an attempt to its provider, or waits while another request sends it. A click that is sent again takes the place of the request that
//! began the payment, if that has not ended it: its process may have been killed, or the database away.

use std::ops::Range;
use std::time::Duration;

use fail::fail_point;
use shop_base::db::DbError;
use shop_base::money::Money;
use tokio::time::{Instant, timeout};

use super::parts::{PaymentError, Payments};
use super::pay::PAYMENT_ENDED;
use super::reconcile::OPEN_FOR;
use super::settle::{PaymentReport, settle};
use crate::sales::records::payments::declines::is_of_shop;
use crate::sales::records::payments::model::AttemptStatus;
use crate::sales::records::payments::provider::{Authorization, Decline, ProviderError};
use crate::sales::records::payments::rows::Attempt;
use crate::sales::records::payments::store;

/// Polling interval for an attempt that another request sends.
const LOOK_AGAIN: Duration = Duration::from_secs(1);
/// How long a request waits for an attempt that another request sends.
const PATIENCE: Duration = Duration::from_secs(25);
/// The age, in milliseconds, at which an attempt that is still being sent seems to be lost: nearly all calls are answered within this time.
/// From the end on the reconciliation looks for its payment, and may have the provider forbid it.
const LOST: Range<i64> = 5_000..OPEN_FOR;

/// What the provider is asked for. `source` is the card token, which is never stored.
pub fn authorization(attempt: &Attempt, number: &str, source: String, buyer_email: String) -> Authorization {
    Authorization {
        idempotency_key: attempt.idempotency_key.clone(),
        reference: attempt.id.to_string(),
        source,
        amount: Money { amount: attempt.amount, currency: attempt.currency.clone() },
        buyer_email,
        note: format!("Order {number}"),
    }
}

/// Calls the provider and settles its answer.
pub async fn send(
    payments: &Payments,
    attempt: &Attempt,
    authorization: &Authorization,
) -> Result<Attempt, PaymentError> {
    let provider = payments.providers.get(attempt.provider)?;
    fail_point!("pay::before_call");
    let report = match provider.authorize(authorization).await {
        Ok(payment) => PaymentReport::Payment(Box::new(payment)),
        Err(ProviderError::Declined(decline)) => {
            if is_of_shop(&decline.code) {
                tracing::error!(attempt = %attempt.id, code = decline.code, "the payment provider refuses the shop");
            }
            refused(decline)
        }
        Err(ProviderError::Rejected { code, detail }) => refused(of_our_request(attempt, code, &detail)),
        Err(ProviderError::NotAuthorized { code, detail }) => {
            PaymentReport::Refused(of_our_request(attempt, code, &detail))
        }
        Err(error @ ProviderError::Unknown(_)) => {
            tracing::warn!(attempt = %attempt.id, %error, "the outcome of a payment is pending");
            PaymentReport::Lost
        }
    };
    fail_point!("pay::answered");
    Ok(settle(payments, attempt.id, &report).await?)
}

fn refused(decline: Decline) -> PaymentReport {
    if is_of_shop(&decline.code) { PaymentReport::Refused(decline) } else { PaymentReport::Declined(decline) }
}

fn of_our_request(attempt: &Attempt, code: String, detail: &str) -> Decline {
    tracing::error!(attempt = %attempt.id, code, detail, "the payment provider refuses our request");
    Decline { code, message: PAYMENT_ENDED.to_owned(), card: None }
}

/// Waits for the request of the same click that sends an attempt; if that seems to be lost, the provider is asked again. With the same
/// idempotency key it makes no second payment. An error says nothing about the first call, so it settles nothing.
pub async fn send_again(
    payments: &Payments,
    attempt: Attempt,
    authorization: &Authorization,
) -> Result<Attempt, PaymentError> {
    let age = |attempt: &Attempt| payments.clock.now_ms() - attempt.created_at;
    // It may be of another node whose clock is ahead of this one's: then it seems to be lost after this time here.
    let left = (LOST.start - age(&attempt)).clamp(0, LOST.start);
    let attempt = wait(payments, attempt, Duration::from_millis(left.unsigned_abs())).await?;
    if attempt.status != AttemptStatus::Sending || age(&attempt) >= LOST.end {
        return Ok(follow(payments, attempt).await?);
    }
    match payments.providers.get(attempt.provider)?.authorize(authorization).await {
        Ok(payment) => Ok(settle(payments, attempt.id, &PaymentReport::Payment(Box::new(payment))).await?),
        Err(error) => {
            tracing::warn!(attempt = %attempt.id, %error, "a payment that was sent again is still pending");
            Ok(attempt)
        }
    }
}

/// Waits until an attempt that another request sends has an outcome. It is returned as it is if that takes too long.
pub async fn follow(payments: &Payments, attempt: Attempt) -> Result<Attempt, DbError> {
    wait(payments, attempt, PATIENCE).await
}

async fn wait(payments: &Payments, attempt: Attempt, patience: Duration) -> Result<Attempt, DbError> {
    let deadline = Instant::now() + patience;
    let mut settled = payments.settled.listen();
    let mut attempt = attempt;
    while attempt.status == AttemptStatus::Sending && Instant::now() < deadline {
        // Another node may settle it, and this node is not notified of that.
        drop(timeout(LOOK_AGAIN, settled.wait_for(attempt.id)).await);
        let found = store::find_attempt(&mut payments.db.read().await?.conn(), attempt.id).await?;
        attempt = found.ok_or(DbError::Inconsistent("an attempt is gone"))?;
    }
    Ok(attempt)
}

//! Sends an attempt to its provider, or waits while another request sends it.

use std::time::Duration;

use fail::fail_point;
use shop_base::db::DbError;
use shop_base::money::Money;
use tokio::time::{Instant, timeout};

use super::parts::{PaymentError, Payments};
use super::settle::{PaymentReport, settle};
use crate::sales::records::payments::model::AttemptStatus;
use crate::sales::records::payments::provider::{Authorization, Decline, ProviderError};
use crate::sales::records::payments::rows::Attempt;
use crate::sales::records::payments::store;

/// Polling interval for an attempt that another request sends.
const LOOK_AGAIN: Duration = Duration::from_secs(1);

/// Calls the provider and settles its answer. `source` is the card token, which is never stored.
pub async fn send(
    payments: &Payments,
    attempt: &Attempt,
    source: String,
    email: String,
    note: String,
) -> Result<Attempt, PaymentError> {
    let provider = payments.providers.get(attempt.provider)?;
    let authorization = Authorization {
        idempotency_key: attempt.idempotency_key.clone(),
        reference: attempt.id.to_string(),
        source,
        amount: Money { amount: attempt.amount, currency: attempt.currency.clone() },
        buyer_email: email,
        note,
    };
    fail_point!("pay::before_call");
    let report = match provider.authorize(&authorization).await {
        Ok(payment) => PaymentReport::Payment(Box::new(payment)),
        Err(ProviderError::Declined(decline)) => PaymentReport::Declined(decline),
        Err(ProviderError::Rejected { code, detail } | ProviderError::NotAuthorized { code, detail }) => {
            tracing::error!(attempt = %attempt.id, code, detail, "the payment provider refuses our request");
            let message = "The payment didn’t go through, and nothing was charged. Please try again.".to_owned();
            PaymentReport::Declined(Decline { code, message, card: None })
        }
        Err(error @ ProviderError::Unknown(_)) => {
            tracing::warn!(attempt = %attempt.id, %error, "the outcome of a payment is pending");
            PaymentReport::Lost
        }
    };
    fail_point!("pay::answered");
    Ok(settle(payments, attempt.id, &report).await?)
}

/// Waits until an attempt that another request sends has an outcome, at most for `patience`.
pub async fn wait(payments: &Payments, attempt: Attempt, patience: Duration) -> Result<Attempt, DbError> {
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

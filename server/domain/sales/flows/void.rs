//! Voids the money that an attempt holds.

use fail::fail_point;
use uuid::Uuid;

use super::capture::look;
use super::parts::{PaymentError, Payments};
use super::settle::{PaymentReport, settle};
use crate::sales::records::payments::attempts::find;
use crate::sales::records::payments::model::AttemptStatus;
use crate::sales::records::payments::provider::ProviderError;

/// Voids an attempt, or makes sure that its payment is never created.
pub async fn void(payments: &Payments, attempt: Uuid) -> Result<(), PaymentError> {
    let attempt = find(&mut payments.db.read().await?.conn(), attempt).await?;
    if attempt.status != AttemptStatus::Voiding {
        return Ok(());
    }
    let provider = payments.providers.get(attempt.provider)?;
    fail_point!("void::before_call");
    let report = match &attempt.provider_payment_id {
        None => {
            provider.void_by_key(&attempt.idempotency_key).await?;
            PaymentReport::Fenced
        }
        Some(payment_id) => match provider.void(payment_id).await {
            Ok(payment) => PaymentReport::Payment(Box::new(payment)),
            Err(ProviderError::Rejected { .. } | ProviderError::Declined(_)) => {
                PaymentReport::Payment(Box::new(look(provider.as_ref(), payment_id).await?))
            }
            Err(error) => return Err(error.into()),
        },
    };
    fail_point!("void::answered");
    let attempt = settle(payments, attempt.id, &report).await?;
    if attempt.status == AttemptStatus::Voiding {
        return Err(PaymentError::NotYet("the payment is still held"));
    }
    Ok(())
}

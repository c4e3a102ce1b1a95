//! Captures the money that an attempt holds.

use fail::fail_point;
use uuid::Uuid;

use super::parts::{PaymentError, Payments};
use super::settle::{PaymentReport, settle};
use crate::sales::records::payments::attempts::find;
use crate::sales::records::payments::model::AttemptStatus;
use crate::sales::records::payments::provider::{PaymentProvider, ProviderError, ProviderPayment};

/// Captures an authorized attempt.
pub async fn capture(payments: &Payments, attempt: Uuid) -> Result<(), PaymentError> {
    let attempt = find(&mut payments.db.read().await?.conn(), attempt).await?;
    let Some(payment_id) =
        attempt.provider_payment_id.as_deref().filter(|_| attempt.status == AttemptStatus::Authorized)
    else {
        return Ok(());
    };
    let provider = payments.providers.get(attempt.provider)?;
    fail_point!("capture::before_call");
    let seen = match provider.capture(payment_id, attempt.provider_version.as_deref()).await {
        Ok(payment) => payment,
        // The payment's state differs from what we assumed: look it up.
        Err(ProviderError::Rejected { .. } | ProviderError::Declined(_)) => look(provider.as_ref(), payment_id).await?,
        Err(error) => return Err(error.into()),
    };
    fail_point!("capture::answered");
    let attempt = settle(payments, attempt.id, &PaymentReport::Payment(Box::new(seen))).await?;
    if attempt.status == AttemptStatus::Authorized {
        return Err(PaymentError::NotYet("the payment is still held"));
    }
    fail_point!("capture::settled");
    Ok(())
}

pub(super) async fn look(provider: &dyn PaymentProvider, payment_id: &str) -> Result<ProviderPayment, PaymentError> {
    provider.find(payment_id).await?.ok_or(PaymentError::NotYet("the provider does not know the payment"))
}

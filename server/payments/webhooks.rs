//! What providers tell us unasked. An event is verified, kept and acknowledged; a job then asks the provider how things stand, so
//! neither the order of events nor their contents can mislead.

use fail::fail_point;
use uuid::Uuid;

use super::provider::{ProviderName, ProviderPayment};
use super::service::{News, PaymentError, settle};
use super::store::{self, WebhookEvent};
use crate::app::App;
use crate::db::DbError;
use crate::jobs::{self, model::Job};

/// An event about a payment that is none of ours is looked at again for this long, then left to staff.
const STRANGE_FOR: i64 = 10 * 60 * 1000;

/// Keeps an event and the job that understands it. The same event again is nothing new.
pub async fn receive(app: &App, event: &WebhookEvent) -> Result<(), DbError> {
    let mut tx = app.db.begin().await?;
    let mut conn = tx.conn();
    if store::insert_webhook(&mut conn, event).await? {
        let (provider, event_id, kind) = (event.provider.clone(), event.event_id.clone(), event.kind.clone());
        jobs::service::add(&mut conn, app.clock.as_ref(), &Job::Webhook { provider, event_id, kind }).await?;
    }
    fail_point!("webhook::before_commit");
    tx.commit().await?;
    fail_point!("webhook::committed");
    app.jobs.ring();
    Ok(())
}

/// Understands a kept event.
pub async fn process(app: &App, provider: &str, event_id: &str, kind: &str) -> Result<(), PaymentError> {
    let found = store::find_webhook(&mut app.db.read().await?.conn(), provider, event_id, kind).await?;
    let Some(event) = found else { return Ok(()) };
    let outcome = match kind.split('.').next() {
        Some("payment") => payment_event(app, &event).await?,
        Some("refund") => refund_event(app, &event).await?,
        _ => "not ours to act on",
    };
    let mut tx = app.db.begin().await?;
    store::set_processed(&mut tx.conn(), &event, outcome, app.clock.now_ms()).await?;
    tx.commit().await?;
    Ok(())
}

async fn payment_event(app: &App, event: &WebhookEvent) -> Result<&'static str, PaymentError> {
    let name = ProviderName::Square;
    let seen = app.payments.get(name)?.find(&event.subject).await?;
    let payment = seen.ok_or(PaymentError::NotYet("the provider does not know the payment"))?;
    match attempt_of(app, name, &payment).await? {
        Some(attempt) => {
            settle(app, attempt, &News::Payment(Box::new(payment))).await?;
            Ok("settled")
        }
        None if app.clock.now_ms() - event.received_at < STRANGE_FOR => {
            Err(PaymentError::NotYet("the payment belongs to no attempt"))
        }
        None => {
            tracing::error!(payment = payment.id, "a webhook speaks of a payment that belongs to no order of ours");
            Ok("belongs to no attempt")
        }
    }
}

/// The attempt of a payment: by its id, or by the reference that we gave it before it had one.
async fn attempt_of(app: &App, name: ProviderName, payment: &ProviderPayment) -> Result<Option<Uuid>, DbError> {
    let mut reader = app.db.read().await?;
    if let Some(attempt) = store::find_by_payment(&mut reader.conn(), name, &payment.id).await? {
        return Ok(Some(attempt.id));
    }
    let Some(reference) = payment.reference.as_deref().and_then(|text| Uuid::parse_str(text).ok()) else {
        return Ok(None);
    };
    Ok(store::find_attempt(&mut reader.conn(), reference).await?.map(|attempt| attempt.id))
}

/// The refund's own job asks how it went; its payment tells how much was given back in all.
async fn refund_event(app: &App, event: &WebhookEvent) -> Result<&'static str, PaymentError> {
    let provider = app.payments.get(ProviderName::Square)?;
    let refund = provider.find_refund(&event.subject).await?;
    let refund = refund.ok_or(PaymentError::NotYet("the provider does not know the refund"))?;
    let payment = provider.find(&refund.payment_id).await?;
    let payment = payment.ok_or(PaymentError::NotYet("the provider does not know the payment"))?;
    if let Some(attempt) = attempt_of(app, ProviderName::Square, &payment).await? {
        settle(app, attempt, &News::Payment(Box::new(payment))).await?;
    }
    Ok("settled")
}

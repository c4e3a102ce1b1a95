//! Provider webhooks. An event is verified, stored and acknowledged; a job then asks the provider for the current state, so neither the
//! order nor the contents of events can mislead.

use fail::fail_point;
use serde_json::Value;
use shop_base::context::Context;
use shop_base::db::DbError;
use shop_base::transaction;
use shop_platform::audit::model::{Actor, Change, Subject};
use shop_platform::{audit, jobs};
use uuid::Uuid;

use super::parts::{PaymentError, Payments};
use super::settle::{PaymentReport, committed, settle, settle_in, settled_by};
use super::{dispute, send_refund};
use crate::sales::records::payments::jobs::ProcessWebhook;
use crate::sales::records::payments::provider::{ProviderName, ProviderPayment};
use crate::sales::records::payments::rows::{Attempt, WebhookEvent};
use crate::sales::records::payments::store;

/// An event that cannot be interpreted is retried for this long, then left to staff.
const STRANGE_FOR: i64 = 10 * 60 * 1000;

/// Personal data of buyers in provider events, which the shop does not need.
const ABOUT_BUYERS: [&str; 7] = [
    "buyer_email_address",
    "buyer_phone_number",
    "billing_address",
    "shipping_address",
    "cardholder_name",
    "customer_details",
    "note",
];

/// Stores an event without the buyer's personal data, and adds the job that processes it. A duplicate is ignored unless its job has died.
pub async fn receive(cx: &Context, event: &WebhookEvent) -> Result<(), DbError> {
    let event = &WebhookEvent { body: without_buyer(&event.body), ..event.clone() };
    let mut tx = cx.db.begin().await?;
    let mut conn = tx.conn();
    let (provider, event_id, kind) = (event.provider.clone(), event.event_id.clone(), event.kind.clone());
    let job = ProcessWebhook { provider, event_id, kind };
    if store::insert_webhook(&mut conn, event).await? {
        jobs::service::add(&mut conn, cx.clock.as_ref(), &job).await?;
    } else {
        jobs::service::revive(&mut conn, cx.clock.as_ref(), &job).await?;
    }
    fail_point!("webhook::before_commit");
    tx.commit().await?;
    fail_point!("webhook::committed");
    Ok(())
}

/// The body without the buyer's personal data; empty if the body is not JSON.
fn without_buyer(body: &str) -> String {
    fn strip(value: &mut Value) {
        match value {
            Value::Object(fields) => {
                fields.retain(|name, _| !ABOUT_BUYERS.contains(&name.as_str()));
                fields.values_mut().for_each(strip);
            }
            Value::Array(values) => values.iter_mut().for_each(strip),
            _ => {}
        }
    }
    let mut value = serde_json::from_str(body).unwrap_or_default();
    strip(&mut value);
    value.to_string()
}

/// Processes a stored event again; false if there is none.
pub async fn replay(cx: &Context, actor: &Actor, provider: &str, event_id: &str, kind: &str) -> Result<bool, DbError> {
    let clock = cx.clock.as_ref();
    let mut tx = cx.db.begin().await?;
    let mut conn = tx.conn();
    if !store::reopen_webhook(&mut conn, provider, event_id, kind).await? {
        return Ok(false);
    }
    let (provider, event_id, kind) = (provider.to_owned(), event_id.to_owned(), kind.to_owned());
    let change = Change::new("webhook.replay", Subject::new("webhook", &event_id, &kind), Value::Null);
    let job = ProcessWebhook { provider, event_id, kind };
    jobs::service::add(&mut conn, clock, &job).await?;
    audit::service::record(&mut conn, clock, actor, &change).await?;
    tx.commit().await?;
    Ok(true)
}

/// What an event has turned out to be.
struct Found {
    outcome: &'static str,
    /// What the shop has not known about an attempt.
    news: Option<(Uuid, PaymentReport)>,
}

/// An event after which there is nothing to settle.
fn no_news(outcome: &'static str) -> Found {
    Found { outcome, news: None }
}

/// Processes a stored event. Most tell only what the shop has done itself: they change nothing but their own row.
pub async fn process(payments: &Payments, provider: &str, event_id: &str, kind: &str) -> Result<(), PaymentError> {
    let found = store::find_webhook(&mut payments.db.read().await?.conn(), provider, event_id, kind).await?;
    let Some(event) = found else { return Ok(()) };
    let Found { outcome, news } = match kind.split('.').next() {
        Some("payment") => about_payment(payments, &event, &event.subject).await?,
        Some("refund") => about_refund(payments, &event).await?,
        Some("dispute") => no_news(about_dispute(payments, &event).await?),
        _ => no_news("not ours to act on"),
    };
    transaction!(payments.db, conn => {
        if let Some((attempt, report)) = &news {
            settle_in(conn, payments, *attempt, report).await?;
        }
        store::set_processed(conn, &event, outcome, payments.clock.now_ms()).await
    })?;
    if let Some((attempt, _)) = news {
        committed(payments, attempt);
    }
    Ok(())
}

/// Settles a payment by its id at the provider.
pub async fn settle_payment(payments: &Payments, payment_id: &str) -> Result<(), PaymentError> {
    let name = ProviderName::Square;
    let payment = payments.providers.get(name)?.find(payment_id).await?;
    let payment = payment.ok_or(PaymentError::NotYet("the provider does not know the payment"))?;
    if let Some(attempt) = attempt_of(payments, name, &payment).await? {
        settle(payments, attempt.id, &PaymentReport::Payment(Box::new(payment))).await?;
    }
    Ok(())
}

async fn about_payment(payments: &Payments, event: &WebhookEvent, payment_id: &str) -> Result<Found, PaymentError> {
    let name = ProviderName::Square;
    let Some(payment) = payments.providers.get(name)?.find(payment_id).await? else {
        return strange(payments, event, NO_PAYMENT).map(no_news);
    };
    if payment.is_test() {
        return Ok(no_news("a test of staff"));
    }
    let Some(attempt) = attempt_of(payments, name, &payment).await? else {
        return of_no_attempt(payments, event, &payment).map(no_news);
    };
    let is_known = settled_by(payments, &attempt, &payment).await? == attempt;
    let news = (!is_known).then(|| (attempt.id, PaymentReport::Payment(Box::new(payment))));
    Ok(Found { outcome: "settled", news })
}

/// Processes the refund if it is one of ours, and its payment, which tells the total amount refunded.
async fn about_refund(payments: &Payments, event: &WebhookEvent) -> Result<Found, PaymentError> {
    let Some(seen) = payments.providers.get(ProviderName::Square)?.find_refund(&event.subject).await? else {
        return strange(payments, event, "the provider does not know the refund").map(no_news);
    };
    let ours =
        store::list_refunds_by_provider_id(&mut payments.db.read().await?.conn(), std::slice::from_ref(&seen.id))
            .await?;
    for refund in &ours {
        send_refund::apply(payments, refund, &seen).await?;
    }
    match &seen.payment_id {
        Some(payment) => about_payment(payments, event, payment).await,
        None => Ok(no_news("the refund was not made by this shop")),
    }
}

async fn about_dispute(payments: &Payments, event: &WebhookEvent) -> Result<&'static str, PaymentError> {
    let square = payments.providers.get(ProviderName::Square)?;
    let Some(dispute) = square.find_dispute(&event.subject).await? else {
        return strange(payments, event, "the provider does not know the dispute");
    };
    let Some(payment) = square.find(&dispute.payment_id).await? else { return strange(payments, event, NO_PAYMENT) };
    let Some(attempt) = attempt_of(payments, ProviderName::Square, &payment).await? else {
        return of_no_attempt(payments, event, &payment);
    };
    dispute::record(payments, &attempt, &dispute).await?;
    Ok("recorded")
}

const NO_PAYMENT: &str = "the provider does not know the payment";
const NOT_OURS: &str = "the payment belongs to no attempt of ours";
const MADE_ELSEWHERE: &str = "the payment was not made by this shop";

/// Nothing is strange about what the seller's other programs take, such as a register.
fn of_no_attempt(cx: &Context, event: &WebhookEvent, payment: &ProviderPayment) -> Result<&'static str, PaymentError> {
    match payment.attempt() {
        Some(_) => strange(cx, event, NOT_OURS),
        None => Ok(MADE_ELSEWHERE),
    }
}

/// Handles an event that makes no sense: it may have arrived early, so it is retried, and later left to staff.
fn strange(cx: &Context, event: &WebhookEvent, what: &'static str) -> Result<&'static str, PaymentError> {
    if cx.clock.now_ms() - event.received_at < STRANGE_FOR {
        return Err(PaymentError::NotYet(what));
    }
    let (kind, subject) = (&event.kind, &event.subject);
    tracing::error!(
        kind,
        subject,
        what,
        "a webhook speaks of what is none of ours: look for it in the provider's dashboard"
    );
    Ok(what)
}

/// The attempt of a payment: by payment id, or by our reference if the attempt has no payment id yet.
async fn attempt_of(cx: &Context, name: ProviderName, payment: &ProviderPayment) -> Result<Option<Attempt>, DbError> {
    let mut reader = cx.db.read().await?;
    if let Some(attempt) = store::find_by_payment(&mut reader.conn(), name, &payment.id).await? {
        return Ok(Some(attempt));
    }
    match payment.attempt() {
        Some(reference) => store::find_attempt(&mut reader.conn(), reference).await,
        None => Ok(None),
    }
}

#[cfg(test)]
mod tests {
    use super::without_buyer;

    #[test]
    fn what_is_kept_of_an_event_names_no_buyer() {
        let body = r#"{"id":"E","data":{"object":{"payment":{"buyer_email_address":"ada@shop.example","id":"P",
            "card_details":{"card":{"cardholder_name":"Ada","last_4":"1111"}},"list":[{"note":"for Ada"}]}}}}"#;
        let kept = without_buyer(body);
        assert!(!kept.to_lowercase().contains("ada"), "{kept}");
        assert!(kept.contains(r#""id":"P""#) && kept.contains("1111"), "{kept}");
        assert_eq!(without_buyer("ada@shop.example"), "null");
    }
}

//! Giving money back: a refund and its key are stored first, a job carries it out.

use fail::fail_point;
use serde_json::json;
use uuid::Uuid;

use super::model::RefundStatus;
use super::provider::{ProviderError, ProviderRefundStatus, RefundRequest};
use super::service::{PaymentError, derive_payment_status};
use super::store::{self, Attempt, Refund};
use crate::app::App;
use crate::db::{Conn, DbError};
use crate::ids::new_id;
use crate::jobs::{self, model::Job};
use crate::money::Money;
use crate::orders::model::OrderNews;
use crate::orders::service::{self as orders, Event};

/// Stores a refund of all that has not been given back yet, within the transaction that holds the order's row.
pub async fn add_rest(conn: &mut Conn<'_>, app: &App, attempt: &Attempt, reason: &str) -> Result<(), DbError> {
    let given = store::list_refunds(conn, attempt.id).await?;
    let promised: i64 =
        given.iter().filter(|refund| refund.status != RefundStatus::Failed).map(|refund| refund.amount).sum();
    let amount = attempt.amount - promised.max(attempt.refunded);
    if amount <= 0 {
        return Ok(());
    }
    let clock = app.clock.as_ref();
    let refund = Refund {
        id: new_id(clock),
        order_id: attempt.order_id,
        attempt_id: attempt.id,
        // One per refund of the attempt, 34 characters or a few more.
        idempotency_key: format!("{}r{}", attempt.id.simple(), given.len() + 1),
        amount,
        reason: reason.to_owned(),
        status: RefundStatus::Pending,
        provider_refund_id: None,
    };
    store::insert_refund(conn, &refund, clock.now_ms()).await?;
    let event = Event::public("refund_started", json!({ "amount": amount }));
    orders::record(conn, clock, attempt.order_id, &event).await?;
    jobs::service::add(conn, clock, &Job::Refund { refund: refund.id }).await
}

/// What a refund gives back, in minor units.
pub async fn find_amount(conn: &mut Conn<'_>, refund: Uuid) -> Result<Option<i64>, DbError> {
    Ok(store::find_refund(conn, refund).await?.map(|refund| refund.amount))
}

/// Sends a refund to its provider, or asks how it went.
pub async fn send(app: &App, refund: Uuid) -> Result<(), PaymentError> {
    let mut reader = app.db.read().await?;
    let mut conn = reader.conn();
    let Some(refund) = store::find_refund(&mut conn, refund).await? else { return Ok(()) };
    if refund.status != RefundStatus::Pending {
        return Ok(());
    }
    let attempt = store::find_attempt(&mut conn, refund.attempt_id).await?;
    drop(reader);
    let Some((attempt, payment_id)) =
        attempt.and_then(|attempt| attempt.provider_payment_id.clone().map(|id| (attempt, id)))
    else {
        return Err(DbError::Inconsistent("a refund without a payment").into());
    };
    let provider = app.payments.get(attempt.provider)?;
    fail_point!("refund::before_call");
    let outcome = match &refund.provider_refund_id {
        Some(id) => provider.find_refund(id).await?.ok_or(ProviderError::Unknown("the refund is not there".to_owned())),
        None => {
            let request = RefundRequest {
                idempotency_key: refund.idempotency_key.clone(),
                payment_id,
                amount: Money { amount: refund.amount, currency: attempt.currency.clone() },
                reason: refund.reason.clone(),
            };
            provider.refund(&request).await
        }
    };
    fail_point!("refund::answered");
    let (status, id) = match outcome {
        Ok(seen) => {
            let status = match seen.status {
                ProviderRefundStatus::Pending => RefundStatus::Pending,
                ProviderRefundStatus::Completed => RefundStatus::Settled,
                ProviderRefundStatus::Failed => RefundStatus::Failed,
            };
            (status, Some(seen.id))
        }
        Err(error @ ProviderError::Unknown(_)) => return Err(error.into()),
        Err(error) => {
            tracing::error!(refund = %refund.id, %error, "a refund was refused");
            (RefundStatus::Failed, None)
        }
    };
    record(app, &refund, status, id).await?;
    match status {
        RefundStatus::Pending => Err(PaymentError::NotYet("the provider has not finished the refund")),
        RefundStatus::Settled | RefundStatus::Failed => Ok(()),
    }
}

/// Stores how a refund stands, and what that means for its attempt and order.
async fn record(app: &App, refund: &Refund, status: RefundStatus, id: Option<String>) -> Result<(), DbError> {
    let clock = app.clock.as_ref();
    let mut tx = app.db.begin().await?;
    let mut conn = tx.conn();
    let order = orders::lock(&mut conn, refund.order_id).await?;
    let Some(mut kept) = store::find_refund(&mut conn, refund.id).await? else { return Ok(()) };
    let is_news = kept.status == RefundStatus::Pending && status != RefundStatus::Pending;
    kept.provider_refund_id = id.or(kept.provider_refund_id);
    if is_news {
        kept.status = status;
    }
    store::update_refund(&mut conn, &kept, clock.now_ms()).await?;
    if is_news && status == RefundStatus::Settled {
        let Some(mut attempt) = store::find_attempt(&mut conn, kept.attempt_id).await? else { return Ok(()) };
        let settled: i64 = store::list_refunds(&mut conn, attempt.id)
            .await?
            .iter()
            .filter(|refund| refund.status == RefundStatus::Settled)
            .map(|refund| refund.amount)
            .sum();
        attempt.refunded = attempt.refunded.max(settled);
        store::update_attempt(&mut conn, &attempt, clock.now_ms()).await?;
        let event = Event::public("refunded", json!({ "amount": kept.amount }));
        orders::record(&mut conn, clock, order.id, &event).await?;
        orders::write(&mut conn, clock, order.id, OrderNews::Refunded(kept.id)).await?;
        derive_payment_status(&mut conn, app, order.id).await?;
    }
    if is_news && status == RefundStatus::Failed {
        orders::call_attention(&mut conn, clock, order.id, "A refund was refused: give the money back by hand.")
            .await?;
    }
    fail_point!("refund::before_commit");
    tx.commit().await
}

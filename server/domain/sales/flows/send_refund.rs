//! Sends refunds to the provider: a refund and its idempotency key are stored first, then a job executes it.

use std::ops::Range;

use fail::fail_point;
use serde_json::json;
use shop_base::context::Context;
use shop_base::db::{Conn, DbError};
use shop_base::money::Money;
use shop_base::transaction;
use shop_platform::jobs;
use shop_platform::metrics::refunds;
use uuid::Uuid;

use super::add_refund::settled;
use super::parts::{PaymentError, Payments};
use crate::sales::records::orders::history::{Event, EventKind};
use crate::sales::records::orders::service as orders;
use crate::sales::records::payments::attempts;
use crate::sales::records::payments::jobs::SettlePayment;
use crate::sales::records::payments::model::RefundStatus;
use crate::sales::records::payments::provider::{
    PROVIDER_CLOCK_SKEW, PaymentProvider, ProviderError, ProviderRefund, ProviderRefundStatus, RefundRequest,
};
use crate::sales::records::payments::rows::{Attempt, Refund};
use crate::sales::records::payments::store;

const HOUR: i64 = 60 * 60 * 1000;
/// How long a refund may be pending at its provider before staff are notified: banks take up to ten working days.
const PENDING_FOR: i64 = 14 * 24 * HOUR;
/// How long sending a refund may fail before staff are notified.
const FAILING_FOR: i64 = 24 * HOUR;
/// The time since a refund was first sent in which its provider still knows its key. Square does not say when it forgets one.
const KEY_FOR: Range<i64> = 0..12 * HOUR;

/// Sends a refund to its provider, or polls its status. One that does not finish is flagged for staff and still polled.
pub async fn send(payments: &Payments, refund: Uuid) -> Result<(), PaymentError> {
    let mut reader = payments.db.read().await?;
    let mut conn = reader.conn();
    let Some(refund) = store::find_refund(&mut conn, refund).await? else { return Ok(()) };
    if refund.status != RefundStatus::Pending {
        return Ok(());
    }
    let attempt = store::find_attempt(&mut conn, refund.attempt_id).await?;
    drop(reader);
    let Some(attempt) = attempt.filter(|attempt| attempt.provider_payment_id.is_some()) else {
        return Err(DbError::Inconsistent("a refund without a payment").into());
    };
    let outcome = pursue(payments, &refund, &attempt).await;
    if let Err(error) = &outcome {
        let patience = if matches!(error, PaymentError::NotYet(_)) { PENDING_FOR } else { FAILING_FOR };
        if refund.attention_at.is_none() && payments.clock.now_ms() - refund.created_at >= patience {
            flag_unfinished(payments, &refund).await?;
        }
    }
    outcome
}

async fn pursue(payments: &Payments, refund: &Refund, attempt: &Attempt) -> Result<(), PaymentError> {
    let provider = payments.providers.get(attempt.provider)?;
    let seen = match &refund.provider_refund_id {
        Some(id) => {
            let seen = provider.find_refund(id).await?;
            Some(seen.ok_or_else(|| ProviderError::Unknown("the refund is not there".to_owned()))?)
        }
        None => order(payments, provider.as_ref(), refund, attempt).await?,
    };
    fail_point!("refund::answered");
    let status = match &seen {
        Some(seen) => status(seen),
        None => RefundStatus::Failed,
    };
    record(payments, refund, status, seen.map(|seen| seen.id)).await?;
    match status {
        RefundStatus::Pending => Err(PaymentError::NotYet("the provider has not finished the refund")),
        RefundStatus::Settled | RefundStatus::Failed => Ok(()),
    }
}

fn status(seen: &ProviderRefund) -> RefundStatus {
    match seen.status {
        ProviderRefundStatus::Pending => RefundStatus::Pending,
        ProviderRefundStatus::Completed => RefundStatus::Settled,
        ProviderRefundStatus::Failed => RefundStatus::Failed,
    }
}

/// Requests a refund with the same key each time; none if it is definitely refused.
async fn order(
    cx: &Context,
    provider: &dyn PaymentProvider,
    refund: &Refund,
    attempt: &Attempt,
) -> Result<Option<ProviderRefund>, PaymentError> {
    if refund.sent_at.is_none() {
        let mut tx = cx.db.begin().await?;
        let is_first = store::set_sent(&mut tx.conn(), refund.id, cx.clock.now_ms()).await?;
        tx.commit().await?;
        if !is_first {
            // It was read before it was sent, and may have ended since: the next try reads it again.
            return Err(PaymentError::NotYet("another worker has sent the refund"));
        }
    }
    let request = RefundRequest {
        idempotency_key: refund.idempotency_key.clone(),
        payment_id: attempt.provider_payment_id.clone().unwrap_or_default(),
        amount: Money { amount: refund.amount, currency: attempt.currency.clone() },
        reason: refund.reason.clone(),
    };
    // Of a forgotten key the provider would make another refund.
    if refund.sent_at.is_some_and(|sent_at| !KEY_FOR.contains(&(cx.clock.now_ms() - sent_at)))
        && let Some(made) = made_before(cx, provider, refund, &request).await?
    {
        return Ok(Some(made));
    }
    fail_point!("refund::before_call");
    match provider.refund(&request).await {
        Ok(seen) => Ok(Some(seen)),
        Err(refusal @ (ProviderError::Rejected { .. } | ProviderError::Declined(_))) => {
            let made = match refund.sent_at {
                // An earlier try may have succeeded and be the reason for this refusal.
                Some(_) => made_before(cx, provider, refund, &request).await?,
                None => None,
            };
            if made.is_none() {
                tracing::error!(refund = %refund.id, %refusal, "a refund was refused");
            }
            Ok(made)
        }
        Err(error @ (ProviderError::Unknown(_) | ProviderError::NotAuthorized { .. })) => Err(error.into()),
    }
}

/// The refund that an earlier try created, from the payment's own list: of this amount, created since then, and not yet linked to a refund
/// of ours.
async fn made_before(
    cx: &Context,
    provider: &dyn PaymentProvider,
    refund: &Refund,
    request: &RefundRequest,
) -> Result<Option<ProviderRefund>, PaymentError> {
    let theirs = provider.list_refunds_of(&request.payment_id).await?;
    let ours = store::list_refunds(&mut cx.db.read().await?.conn(), refund.attempt_id).await?;
    Ok(theirs.into_iter().find(|seen| {
        seen.amount == request.amount
            && seen.created_at >= refund.created_at - PROVIDER_CLOCK_SKEW
            && ours.iter().all(|ours| ours.provider_refund_id.as_ref() != Some(&seen.id))
    }))
}

/// Stores the provider's state of one of our refunds.
pub async fn apply(cx: &Context, refund: &Refund, seen: &ProviderRefund) -> Result<(), DbError> {
    record(cx, refund, status(seen), Some(seen.id.clone())).await
}

/// Flags an unfinished refund for review by staff, once.
async fn flag_unfinished(cx: &Context, refund: &Refund) -> Result<(), DbError> {
    const WHY: &str = "A refund hasn’t finished. Check the provider’s dashboard.";
    let clock = cx.clock.as_ref();
    let mut tx = cx.db.begin().await?;
    let mut conn = tx.conn();
    let order = orders::lock(&mut conn, refund.order_id).await?;
    let Some(mut kept) = store::find_refund(&mut conn, refund.id).await? else { return Ok(()) };
    if kept.attention_at.is_none() && kept.status == RefundStatus::Pending {
        kept.attention_at = Some(clock.now_ms());
        store::update_refund(&mut conn, &kept, clock.now_ms()).await?;
        orders::flag_for_review(&mut conn, clock, order.id, WHY).await?;
    }
    tx.commit().await
}

/// Stores the status of a refund, and updates its attempt and order.
async fn record(cx: &Context, refund: &Refund, status: RefundStatus, id: Option<String>) -> Result<(), DbError> {
    let clock = cx.clock.as_ref();
    transaction!(cx.db, conn => {
        orders::lock(conn, refund.order_id).await?;
        let Some(mut kept) = store::find_refund(conn, refund.id).await? else { return Ok(()) };
        let is_news = kept.status == RefundStatus::Pending && status != RefundStatus::Pending;
        let is_known = id.is_none() || id == kept.provider_refund_id;
        // Reports count it on the day of its last change, so what is known already is not written again.
        if is_known && !is_news {
            return Ok(());
        }
        kept.provider_refund_id = id.clone().or(kept.provider_refund_id);
        if is_news {
            kept.status = status;
            let counter = if status == RefundStatus::Settled { &refunds::SETTLED } else { &refunds::FAILED };
            conn.count_after_commit(counter, 1);
        }
        store::update_refund(conn, &kept, clock.now_ms()).await?;
        if is_news {
            let attempt = attempts::find(conn, kept.attempt_id).await?;
            conclude(conn, cx, attempt, &kept).await?;
        }
        fail_point!("refund::before_commit");
        Ok(())
    })
}

/// Carries out what follows from the end of a refund.
async fn conclude(conn: &mut Conn<'_>, cx: &Context, mut attempt: Attempt, refund: &Refund) -> Result<(), DbError> {
    const WHY: &str = "A refund failed. Refund the customer another way.";
    if refund.status == RefundStatus::Settled {
        return settled(conn, cx, &mut attempt, refund, None).await;
    }
    let event = Event::new(EventKind::RefundFailed, json!({ "refund": refund.id, "amount": refund.amount }));
    orders::record(conn, cx.clock.as_ref(), refund.order_id, &event).await?;
    // While it was pending, the payment counted it as given back.
    if let Some(payment) = attempt.provider_payment_id {
        jobs::service::add(conn, cx.clock.as_ref(), &SettlePayment { payment }).await?;
    }
    orders::flag_for_review(conn, cx.clock.as_ref(), refund.order_id, WHY).await
}

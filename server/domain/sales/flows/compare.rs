//! Compares a provider's records with ours, one page of changes at a time, up to a watermark.
//!
//! A comparison continues where the last one ended, in the order of the changes and by the provider's clock. So nothing is skipped while
//! the shop or the provider is down, or when our clock jumps. Each page is one call, one query and one write; only differences are settled.

use std::collections::HashMap;

use shop_base::context::Context;
use shop_base::db::DbError;
use shop_base::transaction;
use shop_platform::jobs;
use shop_platform::jobs::model::Job;
use uuid::Uuid;

use super::parts::{PaymentError, Payments};
use super::send_refund;
use super::settle::{PaymentReport, settle, settled_by};
use crate::sales::records::orders::service as orders;
use crate::sales::records::payments::jobs::{Compare, SendRefund, SettlePayment};
use crate::sales::records::payments::model::{Records, RefundStatus};
use crate::sales::records::payments::provider::{
    PROVIDER_CLOCK_SKEW, Page, PaymentProvider, ProviderName, ProviderPayment, ProviderRefund, ProviderRefundStatus,
    ProviderStatus, Unreadable,
};
use crate::sales::records::payments::rows::{Attempt, Refund, Watermark};
use crate::sales::records::payments::store;

const MINUTE: i64 = 60 * 1000;
const HOUR: i64 = 60 * MINUTE;

/// The provider's lists show a change with a delay of seconds, at worst minutes. Changes within this time of the newest are read again.
const OVERLAP: i64 = 10 * MINUTE;
/// The first comparison starts at least this far back.
const AT_FIRST: i64 = 48 * HOUR;

/// Starts a comparison of payments and one of refunds, each where the last one ended, unless one is already running.
pub async fn begin(payments: &Payments) -> Result<(), DbError> {
    if payments.providers.square.is_none() {
        return Ok(());
    }
    let (clock, now) = (payments.clock.as_ref(), payments.clock.now_ms());
    let mut tx = payments.db.begin().await?;
    let mut conn = tx.conn();
    for &records in Records::ALL {
        let position = match store::find_watermark(&mut conn, ProviderName::Square, records).await? {
            Some(watermark) => watermark.position,
            None => {
                let oldest = store::oldest_unfinished(&mut conn).await?.unwrap_or(now);
                let position = oldest.min(now - AT_FIRST) - PROVIDER_CLOCK_SKEW;
                store::insert_watermark(&mut conn, ProviderName::Square, records, position).await?;
                position
            }
        };
        jobs::service::add(&mut conn, clock, &Compare { records, from: position }).await?;
    }
    tx.commit().await?;
    Ok(())
}

/// Makes the next comparison begin at a time, for a database that was copied then: what the provider has recorded since is unknown to it.
pub async fn go_back(cx: &Context, to: i64) -> Result<(), DbError> {
    let to = to - PROVIDER_CLOCK_SKEW - OVERLAP;
    transaction!(cx.db, conn => {
        for &records in Records::ALL {
            let found = store::find_watermark(conn, ProviderName::Square, records).await?;
            // Without one the shop has never compared, and the first comparison must reach back as far as then.
            let Some(watermark) = found else {
                store::insert_watermark(conn, ProviderName::Square, records, to - AT_FIRST).await?;
                continue;
            };
            let (position, newest) = (watermark.position.min(to), watermark.newest.min(to));
            let moved = Watermark { position, newest, ..watermark };
            store::move_watermark(conn, ProviderName::Square, records, watermark.position, &moved).await?;
        }
        Ok(())
    })
}

/// Compares one page and adds the job for the next. If the provider does not answer, the watermark stays where it is.
pub async fn step(payments: &Payments, records: Records, from: i64) -> Result<(), PaymentError> {
    let mut reader = payments.db.read().await?;
    let watermark = store::find_watermark(&mut reader.conn(), ProviderName::Square, records).await?;
    drop(reader);
    // Another worker has compared this page meanwhile.
    let Some(watermark) = watermark.filter(|watermark| watermark.position == from) else { return Ok(()) };
    let square = payments.providers.get(ProviderName::Square)?;
    let (newest, is_last) = match records {
        Records::Payments => list_payments(payments, square.as_ref(), &watermark).await?,
        Records::Refunds => list_refunds(payments, square.as_ref(), &watermark).await?,
    };
    let position = match newest {
        Some(newest) if is_last => newest - OVERLAP,
        Some(newest) => newest,
        None => from,
    };
    let newest = newest.map_or(watermark.newest, |newest| newest.max(watermark.newest));
    let moved = Watermark { position, newest, checked_at: payments.clock.now_ms() };
    let mut tx = payments.db.begin().await?;
    let mut conn = tx.conn();
    if store::move_watermark(&mut conn, ProviderName::Square, records, from, &moved).await? && !is_last {
        jobs::service::add(&mut conn, payments.clock.as_ref(), &Compare { records, from: position }).await?;
    }
    tx.commit().await?;
    Ok(())
}

async fn list_payments(
    payments: &Payments,
    square: &dyn PaymentProvider,
    watermark: &Watermark,
) -> Result<(Option<i64>, bool), PaymentError> {
    let Page { records, unreadable, newest, is_last } = square.list_changed(watermark.position).await?;
    let references = records.iter().map(|payment| payment.reference.as_deref());
    let references = references.chain(unreadable.iter().map(|payment| payment.reference.as_deref()));
    let ids: Vec<Uuid> = references.filter_map(|text| Uuid::parse_str(text?).ok()).collect();
    let attempts = store::list_by_id(&mut payments.db.read().await?.conn(), &ids).await?;
    let attempts: HashMap<String, Attempt> =
        attempts.into_iter().map(|attempt| (attempt.id.to_string(), attempt)).collect();
    for payment in records.into_iter().filter(|payment| !payment.is_test()) {
        let is_new = payment.updated_at > watermark.newest;
        match payment.reference.as_ref().and_then(|reference| attempts.get(reference)) {
            // The answer may still arrive; if it does not, the attempt is looked up individually.
            Some(attempt) if attempt.status.is_open() => {}
            Some(attempt) => settle_difference(payments, attempt, payment, is_new).await?,
            None if is_new && matches!(payment.status, ProviderStatus::Authorized | ProviderStatus::Captured) => {
                if payment.attempt().is_some() {
                    tracing::error!(
                        payment = payment.id,
                        "the provider has a payment that belongs to no order of ours"
                    );
                } else {
                    tracing::debug!(payment = payment.id, "the provider has a payment that was not made by this shop");
                }
            }
            None => {}
        }
    }
    for payment in unreadable.iter().filter(|payment| payment.updated_at.is_none_or(|at| at > watermark.newest)) {
        let attempt = payment.reference.as_ref().and_then(|reference| attempts.get(reference));
        flag_unreadable(payments, payment, attempt).await?;
    }
    Ok((newest, is_last))
}

/// Whether settling the payment would change what became of its money.
async fn differs(cx: &Context, attempt: &Attempt, payment: &ProviderPayment) -> Result<bool, DbError> {
    let settled = settled_by(cx, attempt, payment).await?;
    Ok(settled.status != attempt.status
        || settled.refunded != attempt.refunded
        || settled.provider_payment_id != attempt.provider_payment_id)
}

/// Settles a payment if it differs from what we know. One that cannot be settled now gets its own job, so that it does not block the others.
async fn settle_difference(
    payments: &Payments,
    attempt: &Attempt,
    payment: ProviderPayment,
    is_new: bool,
) -> Result<(), DbError> {
    if !differs(payments, attempt, &payment).await? {
        return Ok(());
    }
    let id = payment.id.clone();
    tracing::warn!(attempt = %attempt.id, payment = id, "a payment was not as we knew it");
    if let Err(error) = settle(payments, attempt.id, &PaymentReport::Payment(Box::new(payment))).await {
        tracing::error!(attempt = %attempt.id, payment = id, %error, "a payment could not be settled");
        add(payments, &SettlePayment { payment: id }, is_new).await?;
    }
    Ok(())
}

/// A change that is only read again, since the pages overlap, leaves a dead job to staff.
async fn add<J: Job>(cx: &Context, job: &J, is_new: bool) -> Result<(), DbError> {
    let mut tx = cx.db.begin().await?;
    let (mut conn, clock) = (tx.conn(), cx.clock.as_ref());
    if is_new {
        jobs::service::add(&mut conn, clock, job).await?;
    } else {
        jobs::service::add_unless_dead(&mut conn, clock, job).await?;
    }
    tx.commit().await
}

/// Logs a payment that cannot be parsed and flags its order for review if known. The other payments are still processed.
async fn flag_unreadable(cx: &Context, payment: &Unreadable, attempt: Option<&Attempt>) -> Result<(), DbError> {
    let Unreadable { id, problem, .. } = payment;
    tracing::error!(payment = id, problem, "a payment of the provider cannot be read: look for it in the dashboard");
    let Some(attempt) = attempt else { return Ok(()) };
    flag_for_review(cx, attempt.order_id, "The provider sent a payment record that can’t be read.").await
}

/// Flags an order for review in a separate transaction.
async fn flag_for_review(cx: &Context, order: Uuid, why: &str) -> Result<(), DbError> {
    let mut tx = cx.db.begin().await?;
    let mut conn = tx.conn();
    orders::lock(&mut conn, order).await?;
    orders::flag_for_review(&mut conn, cx.clock.as_ref(), order, why).await?;
    tx.commit().await
}

async fn list_refunds(
    cx: &Context,
    square: &dyn PaymentProvider,
    watermark: &Watermark,
) -> Result<(Option<i64>, bool), PaymentError> {
    let Page { records, unreadable, newest, is_last } = square.list_changed_refunds(watermark.position).await?;
    let ids: Vec<String> = records.iter().map(|refund| refund.id.clone()).collect();
    let ours = store::list_refunds_by_provider_id(&mut cx.db.read().await?.conn(), &ids).await?;
    for theirs in &records {
        let Some(ours) = ours.iter().find(|ours| ours.provider_refund_id.as_ref() == Some(&theirs.id)) else {
            // Staff created it in the provider's dashboard: its payment shows the refunded amount.
            continue;
        };
        match (ours.status, theirs.status) {
            (RefundStatus::Pending, ProviderRefundStatus::Completed | ProviderRefundStatus::Failed) => {
                if let Err(error) = send_refund::apply(cx, ours, theirs).await {
                    tracing::error!(refund = %ours.id, %error, "a refund could not be settled");
                    add(cx, &SendRefund { refund: ours.id }, theirs.updated_at > watermark.newest).await?;
                }
            }
            (RefundStatus::Settled, ProviderRefundStatus::Failed)
            | (RefundStatus::Failed, ProviderRefundStatus::Completed)
                if theirs.updated_at > watermark.newest =>
            {
                contradicted(cx, ours, theirs).await?;
            }
            _ => {}
        }
    }
    for refund in unreadable.iter().filter(|refund| refund.updated_at.is_none_or(|at| at > watermark.newest)) {
        flag_unreadable(cx, refund, None).await?;
    }
    Ok((newest, is_last))
}

/// Handles a refund whose final outcome contradicts the one that the provider reported before.
async fn contradicted(cx: &Context, ours: &Refund, theirs: &ProviderRefund) -> Result<(), DbError> {
    tracing::error!(refund = %ours.id, theirs = ?theirs.status, ours = ours.status.text(), "a refund ended twice, in two ways");
    let why = "A refund’s outcome changed after the provider reported it. Check the provider’s dashboard.";
    flag_for_review(cx, ours.order_id, why).await
}

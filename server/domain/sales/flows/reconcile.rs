//! Finding out what became of attempts nobody told us about, and freeing what nobody pays for. Run by recurring jobs. Each attempt is
//! looked at by itself: one that cannot be settled waits longer and longer and holds nobody up.

use fail::fail_point;
use shop_base::context::Context;
use shop_base::db::{Conn, DbError};
use shop_base::money::Money;
use shop_base::transaction;
use shop_platform::jobs;
use tokio::task::JoinSet;
use tokio::time::{Duration, Instant};
use uuid::Uuid;

use super::auto_cancel;
use super::compare::flag_for_review;
use super::parts::{PaymentError, Payments};
use super::settle::{PaymentReport, settle};
use crate::sales::records::orders::model::CancelReason;
use crate::sales::records::orders::rows::Order;
use crate::sales::records::orders::service as orders;
use crate::sales::records::payments::jobs::{CapturePayment, SendRefund, VoidPayment};
use crate::sales::records::payments::model::AttemptStatus;
use crate::sales::records::payments::provider::{CLOCK_SKEW, PaymentProvider, Sought};
use crate::sales::records::payments::rows::Attempt;
use crate::sales::records::payments::store;
use crate::sales::status::OrderStatus;
use crate::{promotions, stock};

const SECOND: i64 = 1000;
const MINUTE: i64 = 60 * SECOND;
const HOUR: i64 = 60 * MINUTE;

/// An attempt that has been open for longer was interrupted: a provider is called for 20 s at most.
const OPEN_FOR: i64 = 30 * SECOND;
/// How long a payment may take to show in the provider's list.
const LIST_LAG: i64 = 30 * SECOND;
/// A call that is carried out so long after it was sent is not looked for by time: the comparison finds it.
const LATEST: i64 = HOUR;
/// A held or unwanted payment that nothing happens to has lost its job.
const FORGOTTEN_AFTER: i64 = 2 * MINUTE;
/// Jobs that are not lost are not added again for so long. A refund's own job asks for days.
const REMEMBERED_FOR: i64 = 10 * MINUTE;
const REFUND_REMEMBERED_FOR: i64 = 6 * HOUR;
const ABANDONED_AFTER: i64 = 24 * HOUR;
const AT_ONCE: i64 = 100;
/// Attempts that are looked for at the same time.
const TOGETHER: usize = 8;
/// One run does not begin with more attempts after this: another node takes a job for lost after a minute.
const RUN_FOR: Duration = Duration::from_secs(20);
/// Failed looks, in about two hours, after which staff are told.
const LOOKS_ALONE: i64 = 10;

/// Settles interrupted attempts: looks for their payments, and when those are not there tells the provider never to make them.
pub async fn reconcile(payments: &Payments) -> Result<(), PaymentError> {
    let begun = Instant::now();
    let limit = i64::try_from(TOGETHER).unwrap_or(i64::MAX);
    while begun.elapsed() < RUN_FOR {
        let now = payments.clock.now_ms();
        let mut reader = payments.db.read().await?;
        let due = store::list_interrupted(&mut reader.conn(), now - OPEN_FOR, now, limit).await?;
        drop(reader);
        if due.is_empty() {
            break;
        }
        let mut looking = JoinSet::new();
        for attempt in due {
            // So that one whose look breaks off, too, makes room for others.
            look_later(payments, &attempt, now).await?;
            let payments = payments.clone();
            looking.spawn(async move { look_for(&payments, &attempt, now).await });
        }
        while let Some(looked) = looking.join_next().await {
            if let Err(error) = looked {
                tracing::error!(%error, "looking for a payment broke off");
            }
        }
    }
    remember(payments).await?;
    Ok(())
}

/// Looks for the payment of one attempt; why that fails goes to the log, and to staff when it keeps failing.
async fn look_for(payments: &Payments, attempt: &Attempt, now: i64) {
    const WHY: &str = "A payment’s outcome is unknown. Check the provider’s dashboard.";
    let Err(error) = find(payments, attempt, now).await else { return };
    let looks = attempt.looks + 1;
    tracing::warn!(attempt = %attempt.id, looks, %error, "what became of a payment could not be found out");
    if looks == LOOKS_ALONE
        && let Err(error) = flag_for_review(payments, attempt.order_id, WHY).await
    {
        tracing::error!(attempt = %attempt.id, %error, "staff could not be told of a payment without an outcome");
    }
}

async fn find(payments: &Payments, attempt: &Attempt, now: i64) -> Result<(), PaymentError> {
    let provider = payments.providers.get(attempt.provider)?;
    let payment = match &attempt.provider_payment_id {
        Some(id) => provider.find(id).await?,
        None => {
            let sought = Sought {
                reference: attempt.id.to_string(),
                amount: Money { amount: attempt.amount, currency: attempt.currency.clone() },
                from: attempt.created_at - CLOCK_SKEW,
                to: now.min(attempt.created_at + LATEST) + CLOCK_SKEW,
            };
            provider.find_by_reference(&sought).await?
        }
    };
    fail_point!("reconcile::listed");
    match payment {
        Some(payment) => drop(settle(payments, attempt.id, &PaymentReport::Payment(Box::new(payment))).await?),
        None => absent(payments, provider.as_ref(), attempt, now).await?,
    }
    Ok(())
}

/// A payment that its provider does not list: it is looked for once more, then forbidden.
async fn absent(
    payments: &Payments,
    provider: &dyn PaymentProvider,
    attempt: &Attempt,
    now: i64,
) -> Result<(), PaymentError> {
    match attempt.absent_at {
        None => {
            transaction!(payments.db, conn => {
                orders::lock(conn, attempt.order_id).await?;
                let found = store::find_attempt(conn, attempt.id).await?;
                if let Some(mut attempt) = found.filter(|attempt| attempt.status.is_open()) {
                    attempt.absent_at = Some(now);
                    (attempt.look_at, attempt.looks) = (now + LIST_LAG, 0);
                    // It stays as old as it is.
                    let since = attempt.updated_at;
                    store::update_attempt(conn, &attempt, since).await?;
                }
                Ok::<_, DbError>(())
            })?;
        }
        Some(since) if now - since >= LIST_LAG => {
            provider.void_by_key(&attempt.idempotency_key).await?;
            fail_point!("reconcile::fenced");
            settle(payments, attempt.id, &PaymentReport::Fenced).await?;
        }
        Some(_) => {}
    }
    Ok(())
}

/// Has an attempt looked at again after a pause that doubles with each look, from 15 s to an hour, unless this one settles it.
async fn look_later(cx: &Context, attempt: &Attempt, now: i64) -> Result<(), DbError> {
    let doublings = u32::try_from(attempt.looks).unwrap_or(0).min(8);
    let pause = ((15 * SECOND) << doublings).min(HOUR);
    let mut tx = cx.db.begin().await?;
    store::set_look(&mut tx.conn(), attempt.id, now + pause, attempt.looks + 1).await?;
    tx.commit().await
}

/// Adds the jobs again of payments and refunds that wait for one.
async fn remember(cx: &Context) -> Result<(), DbError> {
    let now = cx.clock.now_ms();
    let mut reader = cx.db.read().await?;
    let forgotten = store::list_forgotten(&mut reader.conn(), now - FORGOTTEN_AFTER, now, 1).await?;
    let is_refund_due = store::is_refund_due(&mut reader.conn(), now).await?;
    drop(reader);
    // As nearly always: nobody waits for a turn to write then.
    if forgotten.is_empty() && !is_refund_due {
        return Ok(());
    }
    let mut tx = cx.db.begin().await?;
    let mut conn = tx.conn();
    for attempt in store::list_forgotten(&mut conn, now - FORGOTTEN_AFTER, now, AT_ONCE).await? {
        store::set_look(&mut conn, attempt.id, now + REMEMBERED_FOR, attempt.looks).await?;
        let (clock, attempt_id) = (cx.clock.as_ref(), attempt.id);
        match attempt.status {
            AttemptStatus::Voiding => {
                jobs::service::add(&mut conn, clock, &VoidPayment { attempt: attempt_id }).await?;
            }
            _ => jobs::service::add(&mut conn, clock, &CapturePayment { attempt: attempt_id }).await?,
        }
    }
    for refund in store::claim_pending_refunds(&mut conn, now, now + REFUND_REMEMBERED_FOR, AT_ONCE).await? {
        jobs::service::add(&mut conn, cx.clock.as_ref(), &SendRefund { refund }).await?;
    }
    tx.commit().await
}

/// Frees the stock of drafts that nobody is paying at this moment, with the use of a code, and cancels drafts that nobody came back
/// to. One that cannot be freed holds up no other.
pub async fn release_stock(cx: &Context) -> Result<(), PaymentError> {
    let now = cx.clock.now_ms();
    let mut reader = cx.db.read().await?;
    let expired = store::list_expired_holds(&mut reader.conn(), now, AT_ONCE).await?;
    let abandoned = orders::list_abandoned(&mut reader.conn(), now - ABANDONED_AFTER).await?;
    drop(reader);
    for order in expired {
        let freed: Result<(), DbError> = transaction!(cx.db, conn => match not_being_paid(conn, order).await? {
            Some(order) => free(conn, cx, &order).await,
            None => Ok(()),
        });
        report(order, freed);
    }
    for order in abandoned {
        let canceled: Result<(), DbError> = transaction!(cx.db, conn => match not_being_paid(conn, order).await? {
            Some(order) => auto_cancel::cancel(conn, cx, &order, CancelReason::Abandoned).await,
            None => Ok(()),
        });
        report(order, canceled);
    }
    Ok(())
}

fn report(order: Uuid, outcome: Result<(), DbError>) {
    if let Err(error) = outcome {
        tracing::error!(%order, %error, "a draft that nobody pays could not be freed");
    }
}

/// Gives the use of a code back, and the stock.
async fn free(conn: &mut Conn<'_>, cx: &Context, order: &Order) -> Result<(), DbError> {
    promotions::service::hold(conn, order.id, None).await?;
    promotions::service::give_back(conn, order.id).await?;
    stock::service::release(conn, cx.clock.as_ref(), order.id).await
}

/// The order, held, if it is a draft that has no attempt whose outcome is open.
async fn not_being_paid(conn: &mut Conn<'_>, order: Uuid) -> Result<Option<Order>, DbError> {
    let order = orders::lock(conn, order).await?;
    let attempts = store::list_attempts(conn, order.id).await?;
    let is_being_paid = attempts.iter().any(|attempt| attempt.status.is_open());
    Ok(Some(order).filter(|order| order.status == OrderStatus::Draft && !is_being_paid))
}

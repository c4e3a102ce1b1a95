//! Finds out the outcome of attempts that no report has arrived for, and releases stock that nobody pays for. Run by recurring jobs. Each
//! attempt is checked separately: one that cannot be settled is retried at growing intervals and does not block the others.

use std::collections::{HashSet, VecDeque};

use fail::fail_point;
use shop_base::clock::CLOCK_SKEW;
use shop_base::context::Context;
use shop_base::db::{Conn, DbError};
use shop_base::money::Money;
use shop_base::transaction;
use shop_platform::jobs;
use tokio::task::JoinSet;
use tokio::time::{Duration, Instant};
use uuid::Uuid;

use super::auto_cancel;
use super::free::free;
use super::parts::{PaymentError, Payments};
use super::settle::{PaymentReport, settle};
use crate::sales::records::orders::model::CancelReason;
use crate::sales::records::orders::rows::Order;
use crate::sales::records::orders::service as orders;
use crate::sales::records::payments::jobs::{CapturePayment, SendRefund, VoidPayment};
use crate::sales::records::payments::model::AttemptStatus;
use crate::sales::records::payments::provider::{PROVIDER_CLOCK_SKEW, PaymentProvider, Sought};
use crate::sales::records::payments::rows::Attempt;
use crate::sales::records::payments::store;
use crate::sales::records::payments::store::{Due, Expired};
use crate::sales::records::pickups;
use crate::sales::records::pickups::model::LINK_FOR;
use crate::sales::status::OrderStatus;

const SECOND: i64 = 1000;
const MINUTE: i64 = 60 * SECOND;
const HOUR: i64 = 60 * MINUTE;

/// An attempt that has been open for longer was interrupted, in milliseconds: a provider call takes 20 s at most.
pub const OPEN_FOR: i64 = 30 * SECOND;
/// The maximum delay until a payment appears in the provider's list.
const LIST_LAG: i64 = 30 * SECOND;
/// A payment created later than this after it was sent is not searched for by time: the comparison finds it.
const LATEST: i64 = HOUR;
/// A held or unwanted payment without any change for this long has lost its job.
const FORGOTTEN_AFTER: i64 = 2 * MINUTE;
/// How long to wait before the job of a payment is added again. A refund's own job polls for days.
const REMEMBERED_FOR: i64 = 10 * MINUTE;
const REFUND_REMEMBERED_FOR: i64 = 6 * HOUR;
const ABANDONED_AFTER: i64 = 24 * HOUR;
const AT_ONCE: i64 = 100;
/// Attempts that are checked in parallel.
const TOGETHER: usize = 8;
/// After this, a run starts nothing more: other nodes consider a job lost after one minute.
const RUN_FOR: Duration = Duration::from_secs(20);
/// Failed checks, over about two hours, after which staff are notified. If that fails, it is tried after as many more.
const LOOKS_ALONE: i64 = 10;
/// An attempt that its provider cannot be asked about takes no money after this: the shop captures only what it knows to be held, and Square
/// lets go of what is not captured within seven days.
const OVER_AFTER: i64 = 8 * 24 * HOUR;

/// Settles interrupted attempts: looks up their payments, and tells the provider never to create those that do not exist.
pub async fn reconcile(payments: &Payments) -> Result<(), PaymentError> {
    let begun = Instant::now();
    let limit = i64::try_from(TOGETHER).unwrap_or(i64::MAX);
    while begun.elapsed() < RUN_FOR {
        let now = payments.clock.now_ms();
        let mut reader = payments.db.read().await?;
        let due = store::list_interrupted(&mut reader.conn(), due_at(now, OPEN_FOR), limit).await?;
        drop(reader);
        if due.is_empty() {
            break;
        }
        // Set first, so that an attempt whose check crashes also makes room for others.
        let due = look_later(payments, due, now).await;
        if due.is_empty() {
            break;
        }
        let mut looking = JoinSet::new();
        for attempt in due {
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

/// Attempts to be checked at `now` that have not changed for a time. A check is put off by at most an hour.
fn due_at(now: i64, unchanged_for: i64) -> Due {
    Due { now, unchanged_since: now - unchanged_for, latest_look: now + HOUR, latest_change: now + CLOCK_SKEW }
}

/// Looks up the payment of one attempt. Failures are logged, and reported to staff if they persist; in the end, the goods are released.
async fn look_for(payments: &Payments, attempt: &Attempt, now: i64) {
    let Err(error) = find(payments, attempt, now).await else { return };
    let looks = attempt.looks + 1;
    tracing::warn!(attempt = %attempt.id, looks, %error, "what became of a payment could not be found out");
    // Otherwise it is known what became of the payment, and the shop cannot store it.
    let is_unknown = !matches!(error, PaymentError::Db(_));
    if is_unknown && looks > LOOKS_ALONE && now - attempt.created_at > OVER_AFTER {
        if let Err(error) = settle(payments, attempt.id, &PaymentReport::Fenced).await {
            tracing::error!(attempt = %attempt.id, %error, "a payment that cannot be asked for could not be ended");
        }
    } else if looks % LOOKS_ALONE == 0
        && let Err(error) = flag_unknown(payments, attempt.order_id).await
    {
        tracing::error!(attempt = %attempt.id, %error, "staff could not be told of a payment without an outcome");
    }
}

/// Flags an order for review, unless it is flagged for the same reason.
async fn flag_unknown(cx: &Context, order: Uuid) -> Result<(), DbError> {
    const WHY: &str = "A payment’s outcome is unknown. Check the provider’s dashboard.";
    let mut tx = cx.db.begin().await?;
    let mut conn = tx.conn();
    let order = orders::lock(&mut conn, order).await?;
    if order.attention.is_none_or(|reasons| !reasons.contains(WHY)) {
        orders::flag_for_review(&mut conn, cx.clock.as_ref(), order.id, WHY).await?;
    }
    tx.commit().await
}

async fn find(payments: &Payments, attempt: &Attempt, now: i64) -> Result<(), PaymentError> {
    let provider = payments.providers.get(attempt.provider)?;
    let payment = match &attempt.provider_payment_id {
        Some(id) => provider.find(id).await?,
        None => {
            // Of a clock that was ahead, only this is known: it was sent before now.
            let sent_at = if attempt.created_at > now { now - LATEST } else { attempt.created_at };
            let sought = Sought {
                reference: attempt.id.to_string(),
                amount: Money { amount: attempt.amount, currency: attempt.currency.clone() },
                from: sent_at - PROVIDER_CLOCK_SKEW,
                to: now.min(sent_at + LATEST) + PROVIDER_CLOCK_SKEW,
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

/// Handles a payment that its provider does not list: it is looked up once more, then blocked at the provider.
async fn absent(
    payments: &Payments,
    provider: &dyn PaymentProvider,
    attempt: &Attempt,
    now: i64,
) -> Result<(), PaymentError> {
    match attempt.absent_at.filter(|since| *since <= now) {
        None => {
            transaction!(payments.db, conn => {
                orders::lock(conn, attempt.order_id).await?;
                let found = store::find_attempt(conn, attempt.id).await?;
                if let Some(mut attempt) = found.filter(|attempt| attempt.status.is_open()) {
                    attempt.absent_at = Some(now);
                    (attempt.look_at, attempt.looks) = (now + LIST_LAG, 0);
                    // `updated_at` stays unchanged.
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

/// Schedules the next checks of attempts, in case these do not settle them. Returns those for which that was possible: others may hold the
/// order of one.
async fn look_later(cx: &Context, mut due: Vec<Attempt>, now: i64) -> Vec<Attempt> {
    // The order of locks.
    due.sort_unstable_by_key(|attempt| attempt.order_id);
    let mut put_off = Vec::new();
    for attempts in due.chunks(per_transaction(cx)) {
        let outcome: Result<(), DbError> = transaction!(cx.db, conn => {
            for attempt in attempts {
                orders::lock(conn, attempt.order_id).await?;
                store::set_look(conn, attempt.id, now + pause(attempt.looks), attempt.looks + 1).await?;
            }
            Ok(())
        });
        match outcome {
            Ok(()) => put_off.extend_from_slice(attempts),
            Err(error) => tracing::warn!(%error, "attempts could not be looked for yet"),
        }
    }
    put_off
}

/// How long to wait after this many failed checks, in milliseconds: doubled each time, from 15 s to an hour.
fn pause(looks: i64) -> i64 {
    let doublings = u32::try_from(looks).unwrap_or(0).min(8);
    ((15 * SECOND) << doublings).min(HOUR)
}

/// What has lost its job.
#[derive(Debug)]
enum Lost {
    Payment(Box<Attempt>),
    Refund { order: Uuid, refund: Uuid },
}

impl Lost {
    fn order(&self) -> Uuid {
        match self {
            Self::Payment(attempt) => attempt.order_id,
            Self::Refund { order, .. } => *order,
        }
    }

    /// Of the attempt or the refund.
    fn id(&self) -> Uuid {
        match self {
            Self::Payment(attempt) => attempt.id,
            Self::Refund { refund, .. } => *refund,
        }
    }
}

/// Adds lost jobs of payments and refunds again. Those that are dead are not lost: staff see them. A failure for one does not block the others,
/// and is returned at the end, unless it passes by itself: the next run tries it again.
async fn remember(cx: &Context) -> Result<(), DbError> {
    let now = cx.clock.now_ms();
    let mut reader = cx.db.read().await?;
    let forgotten = store::list_forgotten(&mut reader.conn(), due_at(now, FORGOTTEN_AFTER), AT_ONCE).await?;
    let refunds = store::list_due_refunds(&mut reader.conn(), now, AT_ONCE).await?;
    drop(reader);
    let payments = forgotten.into_iter().map(|attempt| Lost::Payment(Box::new(attempt)));
    let refunds = refunds.into_iter().map(|(order, refund)| Lost::Refund { order, refund });
    let mut lost: Vec<Lost> = payments.chain(refunds).collect();
    // The order of locks.
    lost.sort_unstable_by_key(Lost::order);
    let mut failed = None;
    let mut left: VecDeque<&[Lost]> = lost.chunks(per_transaction(cx)).collect();
    while let Some(some) = left.pop_front() {
        match (add_again(cx, some, now).await, some) {
            (Ok(()), _) => {}
            (Err(error), _) if error.is_away() => return Err(error),
            (Err(error), [one]) => {
                tracing::warn!(id = %one.id(), %error, "the lost job of a payment or refund could not be added again yet");
                if !error.is_passing() {
                    failed.get_or_insert(error);
                }
            }
            // Not for one of them.
            (Err(error), _) if error.is_passing() => return Err(error),
            // The job of one of them cannot be added: those of the others can without it.
            (Err(_), _) => left.extend(some.chunks(1)),
        }
    }
    failed.map_or(Ok(()), Err)
}

async fn add_again(cx: &Context, lost: &[Lost], now: i64) -> Result<(), DbError> {
    transaction!(cx.db, conn => {
        for one in lost {
            orders::lock(conn, one.order()).await?;
            match one {
                Lost::Payment(attempt) => {
                    store::set_look(conn, attempt.id, now + REMEMBERED_FOR, attempt.looks).await?;
                    add_job(conn, cx, attempt).await?;
                }
                Lost::Refund { refund, .. } => {
                    store::set_refund_look(conn, *refund, now + REFUND_REMEMBERED_FOR).await?;
                    jobs::service::add_unless_dead(conn, cx.clock.as_ref(), &SendRefund { refund: *refund }).await?;
                }
            }
        }
        Ok(())
    })
}

async fn add_job(conn: &mut Conn<'_>, cx: &Context, attempt: &Attempt) -> Result<(), DbError> {
    let clock = cx.clock.as_ref();
    match attempt.status {
        AttemptStatus::Voiding => {
            jobs::service::add_unless_dead(conn, clock, &VoidPayment { attempt: attempt.id }).await
        }
        _ => jobs::service::add_unless_dead(conn, clock, &CapturePayment { attempt: attempt.id }).await,
    }
}

/// Releases the stock and promo codes of expired drafts that nobody is currently paying, then cancels abandoned drafts while there is time. A
/// failure for one does not block the others.
pub async fn release_stock(cx: &Context) -> Result<(), PaymentError> {
    let end = Instant::now() + RUN_FOR;
    let mut failed = HashSet::new();
    while Instant::now() < end && free_expired(cx, end, &mut failed).await? {}
    cancel_abandoned(cx, end).await?;
    Ok(())
}

/// Frees the drafts whose holds expired first, but for those with which that has failed. Whether there may be more: not if none of these could
/// be freed.
async fn free_expired(cx: &Context, end: Instant, failed: &mut HashSet<Uuid>) -> Result<bool, DbError> {
    let now = cx.clock.now_ms();
    // No hold is longer than that of a link.
    let expired = Expired { now, latest: now + LINK_FOR + CLOCK_SKEW };
    let mut found = store::list_expired_holds(&mut cx.db.read().await?.conn(), expired, AT_ONCE).await?;
    let is_full = i64::try_from(found.len()).is_ok_and(|found| found >= AT_ONCE);
    found.retain(|draft| !failed.contains(draft));
    let mut freed = 0;
    let mut left: VecDeque<&[Uuid]> = found.chunks(per_transaction(cx)).collect();
    while let Some(drafts) = left.pop_front().filter(|_| Instant::now() < end) {
        match (free_unpaid(cx, drafts, expired).await, drafts) {
            (Ok(count), _) => freed += count,
            (Err(error), [draft]) => {
                failed.insert(*draft);
                report(*draft, Err(error));
            }
            // Not for one of them.
            (Err(error), _) if error.is_passing() => return Err(error),
            // One of them cannot be freed: the others can without it.
            (Err(_), _) => left.extend(drafts.chunks(1)),
        }
    }
    Ok(is_full && freed > 0)
}

/// Frees those of these drafts that nobody is paying and whose holds are still expired: their buyers may have renewed them meanwhile.
/// Returns how many.
async fn free_unpaid(cx: &Context, drafts: &[Uuid], expired: Expired) -> Result<usize, DbError> {
    let mut drafts = drafts.to_vec();
    // The order of locks.
    drafts.sort_unstable();
    transaction!(cx.db, conn => {
        let mut unpaid = Vec::new();
        for draft in &drafts {
            if let Some(order) = not_being_paid(conn, *draft).await?
                && store::has_expired_hold(conn, order.id, expired).await?
            {
                pickups::service::end(conn, cx.clock.as_ref(), order.id).await?;
                unpaid.push(order.id);
            }
        }
        free(conn, cx, &unpaid).await?;
        Ok(unpaid.len())
    })
}

async fn cancel_abandoned(cx: &Context, end: Instant) -> Result<(), DbError> {
    let unchanged_since = cx.clock.now_ms() - ABANDONED_AFTER;
    let abandoned = orders::list_abandoned(&mut cx.db.read().await?.conn(), unchanged_since).await?;
    for order in abandoned {
        if Instant::now() >= end {
            break;
        }
        let canceled: Result<(), DbError> = transaction!(cx.db, conn => match not_being_paid(conn, order).await? {
            Some(order) if orders::is_abandoned(conn, order.id, unchanged_since).await? => {
                auto_cancel::cancel(conn, cx, &order, CancelReason::Abandoned).await
            }
            _ => Ok(()),
        });
        report(order, canceled);
    }
    Ok(())
}

/// Orders that are changed in one transaction. Many, where its turn to write has to be waited for; where others write meanwhile, they would
/// wait for all of these.
fn per_transaction(cx: &Context) -> usize {
    if cx.db.has_many_writers() { 1 } else { 20 }
}

fn report(order: Uuid, outcome: Result<(), DbError>) {
    if let Err(error) = outcome {
        tracing::error!(%order, %error, "a draft that nobody pays could not be freed");
    }
}

/// The locked order, if it is a draft without an attempt whose outcome is open.
async fn not_being_paid(conn: &mut Conn<'_>, order: Uuid) -> Result<Option<Order>, DbError> {
    let order = orders::lock(conn, order).await?;
    let attempts = store::list_attempts(conn, order.id).await?;
    let is_being_paid = attempts.iter().any(|attempt| attempt.status.is_open());
    Ok(Some(order).filter(|order| order.status == OrderStatus::Draft && !is_being_paid))
}

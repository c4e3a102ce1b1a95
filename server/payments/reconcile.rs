//! Finding out what became of payments nobody told us about, and freeing what nobody pays for. Run by recurring jobs.

use fail::fail_point;
use uuid::Uuid;

use super::model::AttemptStatus;
use super::provider::{PaymentProvider, ProviderName, ProviderStatus};
use super::service::{News, PaymentError, settle};
use super::store::{self, Attempt};
use crate::app::App;
use crate::db::{Conn, DbError};
use crate::jobs::{self, model::Job};
use crate::orders::model::{CancelReason, OrderStatus};
use crate::orders::service::{self as orders, Order};
use crate::stock;
use crate::transaction;

const SECOND: i64 = 1000;
const MINUTE: i64 = 60 * SECOND;
const HOUR: i64 = 60 * MINUTE;

/// An attempt that has been open for longer was interrupted: a provider is called for 20 s at most.
const OPEN_FOR: i64 = 30 * SECOND;
/// How long a payment may take to show in the provider's list.
const LIST_LAG: i64 = 30 * SECOND;
/// Clocks differ.
const CLOCK_SKEW: i64 = 5 * MINUTE;
/// A held or unwanted payment that nothing happens to has lost its job.
const FORGOTTEN_AFTER: i64 = 2 * MINUTE;
const ABANDONED_AFTER: i64 = 24 * HOUR;
const AT_ONCE: i64 = 100;

/// Settles interrupted attempts: looks for their payments, and when those are not there tells the provider never to make them.
pub async fn reconcile(app: &App) -> Result<(), PaymentError> {
    let now = app.clock.now_ms();
    let open = [AttemptStatus::Sending, AttemptStatus::Unknown];
    let interrupted = store::list_stuck(&mut app.db.read().await?.conn(), open, now - OPEN_FOR, AT_ONCE).await?;
    for name in [ProviderName::Square, ProviderName::Pickup] {
        let attempts: Vec<&Attempt> = interrupted.iter().filter(|attempt| attempt.provider == name).collect();
        let Some(oldest) = attempts.iter().map(|attempt| attempt.created_at).min() else { continue };
        let provider = app.payments.get(name)?;
        let payments = provider.list(oldest - CLOCK_SKEW, now + CLOCK_SKEW).await?;
        fail_point!("reconcile::listed");
        for attempt in attempts {
            let reference = attempt.id.to_string();
            match payments.iter().find(|payment| payment.reference.as_ref() == Some(&reference)) {
                Some(payment) => drop(settle(app, attempt.id, &News::Payment(Box::new(payment.clone()))).await?),
                None => absent(app, provider.as_ref(), attempt, now).await?,
            }
        }
    }
    remember(app, now).await?;
    Ok(())
}

/// A payment that its provider does not list: it is looked for once more, then forbidden.
async fn absent(app: &App, provider: &dyn PaymentProvider, attempt: &Attempt, now: i64) -> Result<(), PaymentError> {
    match attempt.absent_at {
        None => {
            transaction!(app.db, conn => {
                orders::lock(conn, attempt.order_id).await?;
                let found = store::find_attempt(conn, attempt.id).await?;
                if let Some(mut attempt) = found.filter(|attempt| attempt.status.is_open()) {
                    attempt.absent_at = Some(now);
                    // It stays as old as it is, or it would never be looked for again.
                    let since = attempt.updated_at;
                    store::update_attempt(conn, &attempt, since).await?;
                }
                Ok::<_, DbError>(())
            })?;
        }
        Some(since) if now - since >= LIST_LAG => {
            provider.void_by_key(&attempt.idempotency_key).await?;
            fail_point!("reconcile::fenced");
            settle(app, attempt.id, &News::Fenced).await?;
        }
        Some(_) => {}
    }
    Ok(())
}

/// Adds the jobs again of payments that wait for one.
async fn remember(app: &App, now: i64) -> Result<(), DbError> {
    let waiting = [AttemptStatus::Authorized, AttemptStatus::Voiding];
    let forgotten =
        store::list_stuck(&mut app.db.read().await?.conn(), waiting, now - FORGOTTEN_AFTER, AT_ONCE).await?;
    for Attempt { id: attempt, status, .. } in forgotten {
        let job = match status {
            AttemptStatus::Voiding => Job::VoidPayment { attempt },
            _ => Job::CapturePayment { attempt },
        };
        let mut tx = app.db.begin().await?;
        jobs::service::add(&mut tx.conn(), app.clock.as_ref(), &job).await?;
        tx.commit().await?;
    }
    Ok(())
}

/// Frees the stock of drafts that nobody is paying at this moment, and cancels drafts that nobody came back to.
pub async fn release_stock(app: &App) -> Result<(), PaymentError> {
    let now = app.clock.now_ms();
    let mut reader = app.db.read().await?;
    let expired = stock::service::list_expired(&mut reader.conn(), now).await?;
    let abandoned = orders::list_abandoned(&mut reader.conn(), now - ABANDONED_AFTER).await?;
    drop(reader);
    let is_free = !expired.is_empty() || !abandoned.is_empty();
    for order in expired {
        transaction!(app.db, conn => match not_being_paid(conn, order).await? {
            Some(order) => stock::service::release(conn, app.clock.as_ref(), order.id).await,
            None => Ok(()),
        })?;
    }
    for order in abandoned {
        transaction!(app.db, conn => match not_being_paid(conn, order).await? {
            Some(order) => orders::cancel(conn, app, &order, CancelReason::Abandoned).await,
            None => Ok(()),
        })?;
    }
    if is_free {
        app.catalog.changed();
    }
    Ok(())
}

/// The order, held, if it is a draft that has no attempt whose outcome is open.
async fn not_being_paid(conn: &mut Conn<'_>, order: Uuid) -> Result<Option<Order>, DbError> {
    let order = orders::lock(conn, order).await?;
    let attempts = store::list_attempts(conn, order.id).await?;
    let is_being_paid = attempts.iter().any(|attempt| attempt.status.is_open());
    Ok(Some(order).filter(|order| order.status == OrderStatus::Draft && !is_being_paid))
}

/// Compares the card provider's payments of the last two days with ours: each belongs to one attempt that knows about it.
pub async fn audit(app: &App) -> Result<(), PaymentError> {
    let Some(square) = &app.payments.square else { return Ok(()) };
    let now = app.clock.now_ms();
    // What is being made at this moment is nobody's mistake.
    let payments = square.list(now - 48 * HOUR, now - 5 * MINUTE).await?;
    for payment in payments.into_iter().filter(|payment| !payment.is_test()) {
        let id = payment.reference.as_deref().and_then(|reference| Uuid::parse_str(reference).ok());
        let attempt = match id {
            Some(id) => store::find_attempt(&mut app.db.read().await?.conn(), id).await?,
            None => None,
        };
        match attempt {
            Some(attempt) => drop(settle(app, attempt.id, &News::Payment(Box::new(payment))).await?),
            None if matches!(payment.status, ProviderStatus::Authorized | ProviderStatus::Captured) => {
                tracing::error!(payment = payment.id, "the provider has a payment that belongs to no order of ours");
            }
            None => {}
        }
    }
    Ok(())
}

//! Takes due jobs and does them.

use std::time::Duration;

use fail::fail_point;
use rand::Rng;
use tokio::sync::watch;
use tokio::task::JoinSet;
use uuid::Uuid;

use super::model::{self, Job};
use super::store::{self, Again, Lane, Row};
use crate::app::App;
use crate::db::DbError;
use crate::mail::mailer::MailError;
use crate::notifications::delivery::DeliveryError;
use crate::orders::mail::OrderMailError;
use crate::payments::service::PaymentError;
use crate::{
    activity, catalog, compliance, drafts, identity, mail, notifications, orders, payments, reports, search_terms,
};

/// How long a node may hold a job before others take it for lost, in milliseconds.
const LEASE: i64 = 60_000;
const AT_ONCE: i64 = 8;
/// Between two tries of a recurring job, in milliseconds.
const LONGEST_PAUSE: i64 = 60_000;
/// Jobs of other nodes ring no bell here.
const LOOK_AGAIN: Duration = Duration::from_secs(5);

/// Why a job did not succeed. It will be tried again.
#[derive(Debug, thiserror::Error)]
pub enum JobError {
    #[error(transparent)]
    Db(#[from] DbError),
    #[error(transparent)]
    Payment(#[from] PaymentError),
    #[error(transparent)]
    OrderMail(#[from] OrderMailError),
    #[error(transparent)]
    Mail(#[from] MailError),
    #[error(transparent)]
    Delivery(#[from] DeliveryError),
}

impl JobError {
    /// Trying again would change nothing.
    fn is_final(&self) -> bool {
        matches!(
            self,
            Self::Mail(MailError::Permanent(_)) | Self::OrderMail(OrderMailError::Mail(MailError::Permanent(_)))
        )
    }

    /// The time has not come; nothing has failed.
    fn is_early(&self) -> bool {
        matches!(self, Self::Payment(PaymentError::NotYet(_)) | Self::Delivery(DeliveryError::Resting))
    }
}

/// Works until `stop` says so, then finishes what it has begun.
pub async fn run(app: App, stop: watch::Receiver<bool>) {
    let [own, dispatches] = Lane::ALL.map(|lane| work(app.clone(), lane, stop.clone()));
    tokio::join!(own, dispatches);
}

async fn work(app: App, lane: Lane, mut stop: watch::Receiver<bool>) {
    while !*stop.borrow() {
        let wait = match run_lane(&app, lane).await {
            Ok(0) => until_next(&app, lane).await,
            Ok(_) => continue,
            Err(error) => {
                tracing::error!(%error, "jobs could not be taken");
                LOOK_AGAIN
            }
        };
        tokio::select! {
            () = app.jobs.rung(lane) => {}
            () = tokio::time::sleep(wait) => {}
            _ = stop.changed() => {}
        }
    }
}

async fn until_next(app: &App, lane: Lane) -> Duration {
    let next = async { store::next_run(&mut app.db.read().await?.conn(), lane).await };
    match next.await {
        Ok(Some(at)) => {
            let wait = u64::try_from(at - app.clock.now_ms()).unwrap_or(0);
            Duration::from_millis(wait).clamp(Duration::from_millis(10), LOOK_AGAIN)
        }
        _ => LOOK_AGAIN,
    }
}

/// Does what is due at this moment, several at once; answers with how many jobs were taken.
pub async fn run_due(app: &App) -> Result<usize, DbError> {
    let mut taken = 0;
    for lane in Lane::ALL {
        taken += run_lane(app, lane).await?;
    }
    Ok(taken)
}

async fn run_lane(app: &App, lane: Lane) -> Result<usize, DbError> {
    let now = app.clock.now_ms();
    let lease = Uuid::now_v7().to_string();
    let mut tx = app.db.begin().await?;
    let rows = store::claim(&mut tx.conn(), lane, now, &lease, now + LEASE, AT_ONCE).await?;
    tx.commit().await?;
    let taken = rows.len();
    let mut running = JoinSet::new();
    for row in rows {
        running.spawn(finish(app.clone(), row, lease.clone()));
    }
    // A task that panicked keeps its lease, so its job comes back when that ends.
    running.join_all().await;
    Ok(taken)
}

async fn finish(app: App, row: Row, lease: String) {
    if let Err(error) = attempt(&app, &row, &lease).await {
        tracing::error!(job = row.name, id = %row.id, %error, "a job's outcome could not be stored; its lease will end");
    }
}

async fn attempt(app: &App, row: &Row, lease: &str) -> Result<(), DbError> {
    let job: Job = match serde_json::from_str(&row.payload) {
        Ok(job) => job,
        Err(error) => return bury(app, row, lease, &format!("unreadable: {error}")).await,
    };
    let outcome = perform(app, &job).await;
    let now = app.clock.now_ms();
    if let (Ok(()), None) = (&outcome, job.interval()) {
        fail_point!("jobs::performed");
        let mut tx = app.db.begin().await?;
        store::delete(&mut tx.conn(), row.id, lease).await?;
        tx.commit().await?;
        fail_point!("jobs::deleted");
        return Ok(());
    }
    let error = outcome.as_ref().err().map(ToString::to_string);
    let failed = outcome.as_ref().is_err_and(|error| !error.is_early());
    let is_final = outcome.as_ref().is_err_and(JobError::is_final);
    if is_final || (outcome.is_err() && row.attempts >= job.max_attempts()) {
        return bury(app, row, lease, error.as_deref().unwrap_or_default()).await;
    }
    if failed {
        tracing::warn!(job = row.name, id = %row.id, attempts = row.attempts, error, "a job failed and will be tried again");
    }
    let delay = model::delay(row.attempts, job.longest_delay(), rand::rng().random());
    let wait = match (&outcome, job.interval()) {
        (Ok(()), Some(interval)) => interval,
        // What runs for ever must not sleep for an hour after a provider was away for one.
        (Err(_), Some(_)) => delay.min(LONGEST_PAUSE),
        _ => delay,
    };
    let attempts = if outcome.is_ok() { 0 } else { row.attempts };
    let again = Again { run_at: now + wait, attempts, error: error.as_deref(), dead_at: None };
    let mut tx = app.db.begin().await?;
    store::release(&mut tx.conn(), row.id, lease, &again).await?;
    tx.commit().await
}

/// Keeps a job that will not be tried again.
async fn bury(app: &App, row: &Row, lease: &str, error: &str) -> Result<(), DbError> {
    tracing::error!(job = row.name, id = %row.id, error, "a job is dead: staff have to look");
    let now = app.clock.now_ms();
    let again = Again { run_at: row.run_at, attempts: row.attempts, error: Some(error), dead_at: Some(now) };
    let mut tx = app.db.begin().await?;
    store::release(&mut tx.conn(), row.id, lease, &again).await?;
    tx.commit().await
}

async fn perform(app: &App, job: &Job) -> Result<(), JobError> {
    match job {
        Job::CapturePayment { attempt } => payments::service::capture(app, *attempt).await?,
        Job::VoidPayment { attempt } => payments::service::void(app, *attempt).await?,
        Job::Refund { refund } => payments::refunds::send(app, *refund).await?,
        Job::Webhook { provider, event_id, kind } => payments::webhooks::process(app, provider, event_id, kind).await?,
        Job::OrderMail { order, news, again } => orders::mail::send(app, *order, news, *again).await?,
        Job::DraftMail { draft, sending } => drafts::mail::send(app, *draft, *sending).await?,
        Job::AccountMail { id, to, mail } => drop(mail::service::deliver(app, to, mail, &id.to_string()).await?),
        Job::Dispatch { dispatch } => notifications::delivery::deliver(app, *dispatch).await?,
        Job::FillSearchTerms { kind } => search_terms::service::fill(app, *kind).await?,
        Job::PublishProducts { .. } => catalog::desk::service::publish_due(app).await?,
        Job::Clean => clean(app).await?,
        Job::Reconcile => payments::reconcile::reconcile(app).await?,
        Job::ReleaseStock => payments::reconcile::release_stock(app).await?,
        Job::Audit => payments::reconcile::audit(app).await?,
        Job::RollUp => reports::service::refresh(app).await?,
    }
    Ok(())
}

/// Deletes what is kept for a time only.
async fn clean(app: &App) -> Result<(), DbError> {
    let now = app.clock.now_ms();
    activity::service::purge(&app.db, now - activity::service::RETENTION_MS).await?;
    catalog::transfer::import::purge(app).await?;
    compliance::deliveries::purge(&app.db, now).await?;
    notifications::service::purge(app).await?;
    drafts::service::purge(app).await?;
    identity::service::delete_expired(app).await
}

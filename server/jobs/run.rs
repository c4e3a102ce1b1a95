//! Does one job that was taken, and stores what came of it.

use std::time::Duration;

use fail::fail_point;
use rand::Rng;
use tokio::task::JoinSet;
use tokio::time::sleep;

use super::model::{self, Job, Lane};
use super::store::{self, Again, Taken};
use crate::app::App;
use crate::db::DbError;
use crate::mail::mailer::MailError;
use crate::notifications::delivery::DeliveryError;
use crate::orders::mail::OrderMailError;
use crate::payments::service::PaymentError;
use crate::{catalog, drafts, notifications, orders, payments, pickups, reports, retention, search_terms};

/// Failed runs after which a job of no known kind is dead: a newer node has had a day to do it.
const UNKNOWN_ATTEMPTS: i64 = 36;
/// Seconds between tries to store an outcome.
const PAUSES: [u64; 4] = [1, 2, 4, 8];

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
    /// What a panic says may name people, so it stays on the standard error.
    #[error("the program panicked; its standard error says where")]
    Panicked,
    #[error("this version of the program does not know this kind of job")]
    Unknown,
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

/// What becomes of a job after a run.
#[derive(Debug, PartialEq, Eq)]
enum End {
    Done,
    /// It runs again after so many milliseconds.
    Again {
        wait: i64,
        attempts: i64,
        error: Option<String>,
    },
    Dead {
        error: String,
    },
}

/// Does a job and stores what came of it.
pub async fn run_taken(app: App, lane: Lane, taken: Taken) {
    let _hold = app.parts.jobs.hold(lane, &taken);
    let job = serde_json::from_str::<Job>(&taken.payload).ok();
    let outcome = match &job {
        Some(job) => perform_apart(&app, job).await,
        None => Err(JobError::Unknown),
    };
    let end = end_of(job.as_ref(), taken.attempts, &outcome, rand::rng().random());
    tell(&taken, &outcome, &end);
    if end == End::Done {
        fail_point!("jobs::performed");
    }
    // Who lost an outcome would do the job twice.
    for pause in PAUSES {
        match store_end(&app, &taken, &end).await {
            Ok(()) => return,
            Err(error) => {
                tracing::warn!(job = taken.name, id = %taken.id, %error, "a job's outcome could not be stored yet");
                sleep(Duration::from_secs(pause)).await;
            }
        }
    }
    if let Err(error) = store_end(&app, &taken, &end).await {
        tracing::error!(job = taken.name, id = %taken.id, %error, "a job's outcome could not be stored; its lease will end");
    }
}

/// In a task of its own, which a panic ends and nothing else.
async fn perform_apart(app: &App, job: &Job) -> Result<(), JobError> {
    let (app, job) = (app.clone(), job.clone());
    // Ends with this one.
    let mut task = JoinSet::new();
    task.spawn(async move { perform(&app, &job).await });
    match task.join_next().await {
        Some(Ok(outcome)) => outcome,
        _ => Err(JobError::Panicked),
    }
}

/// What becomes of a job after so many runs, this one included. None is of no known kind.
fn end_of(job: Option<&Job>, attempts: i64, outcome: &Result<(), JobError>, jitter: f64) -> End {
    let interval = job.and_then(Job::interval);
    let error = match outcome {
        Ok(()) => {
            return match interval {
                Some(wait) => End::Again { wait, attempts: 0, error: None },
                None => End::Done,
            };
        }
        Err(error) => error,
    };
    if error.is_final() || attempts >= job.map_or(UNKNOWN_ATTEMPTS, Job::max_attempts) {
        return End::Dead { error: error.to_string() };
    }
    let wait = model::delay(attempts, job.map_or(model::HOUR, Job::longest_delay), jitter);
    End::Again { wait, attempts, error: Some(error.to_string()) }
}

fn tell(taken: &Taken, outcome: &Result<(), JobError>, end: &End) {
    let (job, id, attempts) = (&taken.name, taken.id, taken.attempts);
    match (end, outcome) {
        (End::Dead { error }, _) => tracing::error!(job, %id, error, "a job is dead: staff have to look"),
        (_, Err(error)) if !error.is_early() => {
            tracing::warn!(job, %id, attempts, %error, "a job failed and will be tried again");
        }
        _ => {}
    }
}

/// What was added while it ran may have come too late for this run: the job runs once more.
async fn store_end(app: &App, taken: &Taken, end: &End) -> Result<(), DbError> {
    let now = app.clock.now_ms();
    let anew = Again { run_at: now, attempts: 0, error: None };
    let mut tx = app.db.begin().await?;
    let mut conn = tx.conn();
    match end {
        End::Done => {
            if !store::delete(&mut conn, taken).await? {
                store::release(&mut conn, taken, anew).await?;
            }
        }
        End::Again { wait, attempts, error } => {
            let again = Again { run_at: now + wait, attempts: *attempts, error: error.as_deref() };
            store::release(&mut conn, taken, again).await?;
        }
        End::Dead { error } => {
            if !store::bury(&mut conn, taken, error, now).await? {
                store::release(&mut conn, taken, anew).await?;
            }
        }
    }
    tx.commit().await?;
    if *end == End::Done {
        fail_point!("jobs::deleted");
    }
    Ok(())
}

async fn perform(app: &App, job: &Job) -> Result<(), JobError> {
    match job {
        Job::CapturePayment { attempt } => payments::service::capture(&app.payments(), *attempt).await?,
        Job::VoidPayment { attempt } => payments::service::void(&app.payments(), *attempt).await?,
        Job::Refund { refund } => payments::refunds::send(&app.payments(), *refund).await?,
        Job::Webhook { provider, event_id, kind } => {
            payments::webhooks::process(&app.payments(), provider, event_id, kind).await?
        }
        Job::OrderMail { order, news, again } => orders::mail::send(&app.mail(), *order, news, *again).await?,
        Job::DraftMail { draft, sending } => drafts::mail::send(&app.mail(), *draft, *sending).await?,
        Job::AccountMail { id, to, mail } => drop(app.mail().deliver(to, mail, &id.to_string()).await?),
        Job::Dispatch { dispatch } => notifications::delivery::deliver(app, &app.parts.webhooks, *dispatch).await?,
        Job::FillSearchTerms { kind } => search_terms::service::fill(app, *kind).await?,
        Job::PublishProducts { .. } => catalog::desk::service::publish_due(app).await?,
        Job::Clean => {
            app.parts.audit_head.log(&app.db).await?;
            retention::service::clean(app).await?;
        }
        Job::Reconcile => payments::reconcile::reconcile(&app.payments()).await?,
        Job::ReleaseStock => payments::reconcile::release_stock(app).await?,
        Job::Audit => payments::compare::begin(&app.payments()).await?,
        Job::RollUp => reports::service::refresh(app).await?,
        Job::Compare { records, from } => payments::compare::step(&app.payments(), *records, *from).await?,
        Job::SettlePayment { payment } => payments::webhooks::settle_payment(&app.payments(), payment).await?,
        Job::ImportProducts { import, .. } => catalog::transfer::work::run(app, *import).await?,
        Job::PickupMail { link } => pickups::mail::send(&app.mail(), *link).await?,
        Job::RankProducts => catalog::ranking::refresh(app).await?,
        Job::RemindPickups => pickups::waiting::remind_and_release(app).await?,
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::{End, JobError, end_of};
    use crate::jobs::model::{HOUR, Job};
    use crate::mail::mailer::MailError;

    #[test]
    fn what_becomes_of_a_job() {
        let capture = Job::CapturePayment { attempt: Uuid::nil() };
        assert_eq!(end_of(Some(&capture), 1, &Ok(()), 0.0), End::Done);
        let recurring = End::Again { wait: 15_000, attempts: 0, error: None };
        assert_eq!(end_of(Some(&Job::Reconcile), 7, &Ok(()), 0.0), recurring);
        let wait = |job: Option<&Job>, attempts| match end_of(job, attempts, &Err(JobError::Panicked), 0.0) {
            End::Again { wait, attempts: kept, error } => {
                assert!(kept == attempts && error.unwrap().contains("panicked"));
                Some(wait)
            }
            _ => None,
        };
        assert_eq!(wait(Some(&capture), 1), Some(2_000));
        assert_eq!((wait(Some(&capture), 59), wait(Some(&capture), 60)), (Some(HOUR), None));
        // What runs forever does not sleep for an hour after a provider was away for one, and never dies.
        assert_eq!(wait(Some(&Job::Reconcile), 10_000), Some(60_000));
        assert_eq!((wait(None, 35), wait(None, 36)), (Some(HOUR), None), "a newer node may know it");
        let refused = MailError::Permanent("no such mailbox".to_owned());
        let dead = End::Dead { error: refused.to_string() };
        assert_eq!(end_of(Some(&capture), 1, &Err(refused.into()), 0.0), dead);
    }
}

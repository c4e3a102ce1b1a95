//! Runs one job that was taken, and has its outcome stored.

use std::sync::Arc;
use std::time::{Duration, Instant};

use fail::fail_point;
use rand::Rng;
use shop_base::db::storable;
use shop_base::trace::TRACE;
use tokio::task::JoinSet;
use tokio::time::sleep;
use tracing::Instrument;

use super::model::{End, JobError, Kind, Lane};
use super::rows::LeasedJob;
use super::state::Worker;
use super::{ends, model};

/// Failed runs after which a job of an unknown kind is dead: by then a newer node has had a day to do it.
const UNKNOWN_ATTEMPTS: i64 = 36;
/// Seconds between tries to store an outcome; the last are repeated for as long as the database may come back.
const PAUSES: [u64; 4] = [1, 2, 4, 8];

/// Runs a job and stores the outcome. It is held from this call on: what is taken next depends on it.
pub fn run_taken(worker: Worker, lane: Lane, taken: LeasedJob) -> impl Future<Output = ()> + Send + 'static {
    let hold = worker.state.hold(lane, &taken);
    async move {
        run_held(worker, taken).await;
        drop(hold);
    }
}

async fn run_held(worker: Worker, mut taken: LeasedJob) {
    let handler = worker.registry.find(&taken.name);
    let begun = handler.and_then(|handler| Some((handler.kind, handler.begin(&taken.payload)?)));
    let kind = begun.as_ref().map(|(kind, _)| *kind);
    let began = Instant::now();
    let span = tracing::debug_span!(target: TRACE, parent: None, "job", otel.name = taken.name, id = %taken.id, attempts = taken.attempts);
    let outcome = match begun {
        Some((_, job)) => run_apart(job.instrument(span)).await,
        None => Err(JobError::Unknown),
    };
    let end = end_of(kind, taken.attempts, &outcome, rand::rng().random());
    taken.may_be_done |= matches!(outcome, Err(JobError::Unanswered(_)));
    log(&taken, &outcome, &end);
    worker.state.count_run(kind.map_or("unknown", |kind| kind.name), |runs| {
        runs.took += began.elapsed();
        match (&end, &outcome) {
            (End::Dead { .. }, _) => runs.dead += 1,
            (_, Err(JobError::Early(_))) => {}
            (_, Err(_)) => runs.failed += 1,
            (_, Ok(())) => runs.done += 1,
        }
    });
    if end == End::Done {
        fail_point!("jobs::performed");
    }
    store_end(&worker, taken, end).await;
}

/// If the outcome were lost, the job would be done twice. As long as it is not stored the job is held: this node takes it no second time, and
/// renews its lease, so that no other does.
async fn store_end(worker: &Worker, taken: LeasedJob, end: End) {
    let (name, id) = (taken.name.clone(), taken.id);
    let ended = Arc::new((taken, end));
    let mut pauses = PAUSES.into_iter();
    while let Err(error) = ends::store(&worker.cx, &worker.state.ends, &ended).await {
        let Some(pause) = pauses.next().or(error.is_passing().then_some(PAUSES[3])) else {
            tracing::error!(job = name, %id, %error, "a job's outcome could not be stored; its lease will end");
            return;
        };
        tracing::warn!(job = name, %id, %error, "a job's outcome could not be stored yet");
        sleep(Duration::from_secs(pause)).await;
        worker.cx.db.pause().await;
    }
    if ended.1 == End::Done {
        fail_point!("jobs::deleted");
    }
}

/// In a task of its own, so that a panic ends only that task.
async fn run_apart(job: impl Future<Output = Result<(), JobError>> + Send + 'static) -> Result<(), JobError> {
    // Dropping it aborts the task.
    let mut task = JoinSet::new();
    task.spawn(job);
    match task.join_next().await {
        Some(Ok(outcome)) => outcome,
        _ => Err(JobError::Panicked),
    }
}

/// What happens to a job after so many runs, this one included. `kind` is none for an unknown kind.
fn end_of(kind: Option<Kind>, attempts: i64, outcome: &Result<(), JobError>, jitter: f64) -> End {
    let interval = kind.and_then(|kind| kind.interval);
    let error = match outcome {
        Ok(()) => {
            return match interval {
                Some(wait) => End::Again { wait, attempts: 0, error: None },
                None => End::Done,
            };
        }
        Err(error) => error,
    };
    // It may repeat the answer of another program.
    let text = storable(&error.to_string());
    let max_attempts = kind.map_or(UNKNOWN_ATTEMPTS, |kind| kind.max_attempts);
    if matches!(error, JobError::Final(_)) || attempts >= max_attempts {
        return End::Dead { error: text };
    }
    let wait = model::delay(attempts, kind.map_or(model::HOUR, |kind| kind.longest_delay), jitter);
    End::Again { wait, attempts, error: Some(text) }
}

fn log(taken: &LeasedJob, outcome: &Result<(), JobError>, end: &End) {
    let (job, id, attempts) = (&taken.name, taken.id, taken.attempts);
    match (end, outcome) {
        (End::Dead { error }, _) => {
            tracing::error!(job, %id, error, "a job is dead: retry or discard it at /admin/debug");
        }
        (_, Err(error)) if !matches!(error, JobError::Early(_)) => {
            tracing::warn!(job, %id, attempts, %error, "a job failed and will be tried again");
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::end_of;
    use crate::jobs::model::{End, HOUR, JobError, Kind, Lane, SECOND};

    #[test]
    fn what_becomes_of_a_job() {
        let (once, often) = (Kind::new("once", Lane::Money, 60), Kind::recurring("often", Lane::Money, 15 * SECOND));
        assert_eq!(end_of(Some(once), 1, &Ok(()), 0.0), End::Done);
        let recurring = End::Again { wait: 15_000, attempts: 0, error: None };
        assert_eq!(end_of(Some(often), 7, &Ok(()), 0.0), recurring);
        let wait = |kind: Option<Kind>, attempts| match end_of(kind, attempts, &Err(JobError::Panicked), 0.0) {
            End::Again { wait, attempts: kept, error } => {
                assert!(kept == attempts && error.unwrap().contains("panicked"));
                Some(wait)
            }
            _ => None,
        };
        assert_eq!(wait(Some(once), 1), Some(2_000));
        assert_eq!((wait(Some(once), 59), wait(Some(once), 60)), (Some(HOUR), None));
        // A recurring job does not sleep for an hour after an outage of a provider, and never dies.
        assert_eq!(wait(Some(often), 10_000), Some(60_000));
        assert_eq!((wait(None, 35), wait(None, 36)), (Some(HOUR), None), "a newer node may know it");
        let refused = JobError::Final("no such\0 mailbox".into());
        let dead = End::Dead { error: "no such mailbox".to_owned() };
        assert_eq!(end_of(Some(once), 1, &Err(refused), 0.0), dead, "PostgreSQL stores no NUL");
        let strange = JobError::Failed("what\0 is this".into());
        assert!(
            matches!(end_of(Some(once), 1, &Err(strange), 0.0), End::Again { error: Some(text), .. } if text == "what is this")
        );
    }
}

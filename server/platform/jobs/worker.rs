//! Takes due jobs and does them, each lane by itself.

use std::time::Duration;

use fail::fail_point;
use shop_base::db::DbError;
use tokio::sync::watch;
use tokio::task::{JoinError, JoinSet};
use tokio::time::{MissedTickBehavior, interval, sleep};
use uuid::Uuid;

use super::model::{Lane, Pace, millis};
use super::rows::LeasedJob;
use super::run::run_taken;
use super::state::{Held, Worker};
use super::store::Claim;
use super::{service, store};

const SOON: Duration = Duration::from_millis(10);

/// Works until `stop` says so, then finishes what it has begun.
pub async fn run(worker: Worker, pace: Pace, stop: watch::Receiver<bool>) {
    worker.state.begin(pace.silent_after);
    let mut lanes = JoinSet::new();
    for lane in Lane::ALL {
        let (worker, stop) = (worker.clone(), stop.clone());
        lanes.spawn(supervise(lane.text(), move || work(worker.clone(), *lane, pace, stop.clone())));
    }
    tokio::select! {
        () = supervise("heartbeat", || beat(worker.clone(), pace)) => {}
        _ = lanes.join_all() => {}
    }
}

/// Runs a task until it ends by itself. One that panics is begun again.
async fn supervise<Task>(name: &str, begin: impl Fn() -> Task)
where
    Task: Future<Output = ()> + Send + 'static,
{
    loop {
        // Its task ends with it.
        let mut task = JoinSet::new();
        task.spawn(begin());
        match task.join_next().await {
            Some(Err(error)) if error.is_panic() => {
                tracing::error!(name, %error, "a task of the worker ended; it is begun again");
                sleep(Duration::from_secs(1)).await;
            }
            _ => return,
        }
    }
}

/// Keeps the slots of a lane filled. A job that ends frees its slot at once, whatever the others do.
async fn work(worker: Worker, lane: Lane, pace: Pace, mut stop: watch::Receiver<bool>) {
    let mut running = JoinSet::new();
    while !*stop.borrow() {
        fail_point!("jobs::looking");
        while let Some(ended) = running.try_join_next() {
            note(ended);
        }
        let wait = match fill(&worker, lane, pace, &mut running).await {
            Ok(wait) => {
                worker.state.looked(lane);
                wait
            }
            Err(error) => {
                tracing::error!(lane = lane.text(), %error, "jobs could not be taken");
                pace.look_again
            }
        };
        tokio::select! {
            Some(ended) = running.join_next() => note(ended),
            () = worker.state.rung(lane) => {}
            () = sleep(wait) => {}
            () = stopped(&mut stop) => break,
        }
    }
    while let Some(ended) = running.join_next().await {
        note(ended);
    }
}

/// Whoever could say so being gone says so, too.
async fn stopped(stop: &mut watch::Receiver<bool>) {
    let _ = stop.wait_for(|stop| *stop).await;
}

/// A job's own panics are failed tries; this one was in what stores its outcome. Its lease will end.
fn note(ended: Result<(), JoinError>) {
    if let Err(error) = ended {
        tracing::error!(%error, "a job's outcome was lost");
    }
}

/// Fills free slots with due jobs, and says how long to wait for others. Whether there are any is read first: nobody waits for a lane that
/// has nothing to take.
async fn fill(worker: &Worker, lane: Lane, pace: Pace, running: &mut JoinSet<()>) -> Result<Duration, DbError> {
    while running.len() < lane.slots() {
        let now = worker.cx.clock.now_ms();
        let mut reader = worker.cx.db.read().await?;
        if !store::has_due(&mut reader.conn(), lane, now, millis(pace.lease)).await? {
            let next = store::find_next_run(&mut reader.conn(), lane, now).await?;
            let wait = next.map(|at| Duration::from_millis(u64::try_from(at - now).unwrap_or(0)));
            return Ok(wait.unwrap_or(pace.look_again).clamp(SOON, pace.look_again));
        }
        drop(reader);
        let taken = take(worker, lane, pace.lease, lane.slots() - running.len()).await?;
        if taken.is_empty() {
            // Another node was faster, or somebody is adding the same.
            return Ok(SOON);
        }
        for job in taken {
            running.spawn(run_taken(worker.clone(), lane, job));
        }
    }
    Ok(pace.look_again)
}

#[expect(clippy::disallowed_methods, reason = "it names this worker and orders nothing")]
async fn take(worker: &Worker, lane: Lane, lease: Duration, limit: usize) -> Result<Vec<LeasedJob>, DbError> {
    let name = Uuid::now_v7().to_string();
    let limit = i64::try_from(limit).unwrap_or(i64::MAX);
    let claim = Claim { lane, now: worker.cx.clock.now_ms(), lease: &name, lease_for: millis(lease), limit };
    let mut tx = worker.cx.db.begin().await?;
    let taken = store::claim(&mut tx.conn(), &claim).await?;
    tx.commit().await?;
    Ok(taken)
}

/// Keeps what is held from being taken for lost, and puts right what a clock or a former version of the program left.
async fn beat(worker: Worker, pace: Pace) {
    let mut ticks = interval(pace.beat);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        ticks.tick().await;
        if let Err(error) = renew(&worker, pace.lease).await {
            tracing::error!(%error, "leases of jobs could not be renewed");
        }
        if let Err(error) = service::tend(&worker).await {
            tracing::error!(%error, "waiting jobs could not be tended");
        }
    }
}

/// One transaction each: nobody who adds jobs waits for more than one of them.
async fn renew(worker: &Worker, lease: Duration) -> Result<(), DbError> {
    for Held { id, lease: name, .. } in worker.state.held() {
        let mut tx = worker.cx.db.begin().await?;
        store::renew(&mut tx.conn(), id, &name, millis(lease)).await?;
        tx.commit().await?;
    }
    Ok(())
}

/// Does what is due at this moment, several at once; answers with how many jobs were taken.
pub async fn run_due(worker: &Worker) -> Result<usize, DbError> {
    let mut running = JoinSet::new();
    for lane in Lane::ALL {
        for job in take(worker, *lane, Pace::default().lease, lane.slots()).await? {
            running.spawn(run_taken(worker.clone(), *lane, job));
        }
    }
    let taken = running.len();
    running.join_all().await;
    Ok(taken)
}

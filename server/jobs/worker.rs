//! Takes due jobs and does them, each lane by itself.

use std::time::Duration;

use fail::fail_point;
use tokio::sync::watch;
use tokio::task::{JoinError, JoinSet};
use tokio::time::{MissedTickBehavior, interval, sleep};
use uuid::Uuid;

use super::model::Lane;
use super::run::run_taken;
use super::service;
use super::state::Held;
use super::store::{self, Claim, Taken};
use crate::app::App;
use crate::db::DbError;

const SOON: Duration = Duration::from_millis(10);

/// How long the worker waits for what.
#[derive(Clone, Copy, Debug)]
pub struct Pace {
    /// How long a node that is heard of no more keeps its jobs.
    pub lease: Duration,
    /// Between two renewals of what is held.
    pub beat: Duration,
    /// Jobs of other nodes ring no bell here.
    pub look_again: Duration,
    /// A lane that has not looked for work for so long has stopped.
    pub silent_after: Duration,
}

impl Default for Pace {
    fn default() -> Self {
        Self {
            lease: Duration::from_secs(60),
            beat: Duration::from_secs(15),
            look_again: Duration::from_secs(5),
            silent_after: Duration::from_secs(60),
        }
    }
}

/// Works until `stop` says so, then finishes what it has begun.
pub async fn run(app: App, pace: Pace, stop: watch::Receiver<bool>) {
    app.parts.jobs.begin(pace.silent_after);
    let mut lanes = JoinSet::new();
    for lane in Lane::ALL {
        let (app, stop) = (app.clone(), stop.clone());
        lanes.spawn(supervise(lane.text(), move || work(app.clone(), *lane, pace, stop.clone())));
    }
    tokio::select! {
        () = supervise("heartbeat", || beat(app.clone(), pace)) => {}
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
async fn work(app: App, lane: Lane, pace: Pace, mut stop: watch::Receiver<bool>) {
    let mut running = JoinSet::new();
    while !*stop.borrow() {
        fail_point!("jobs::looking");
        while let Some(ended) = running.try_join_next() {
            note(ended);
        }
        let wait = match fill(&app, lane, pace, &mut running).await {
            Ok(wait) => {
                app.parts.jobs.looked(lane);
                wait
            }
            Err(error) => {
                tracing::error!(lane = lane.text(), %error, "jobs could not be taken");
                pace.look_again
            }
        };
        tokio::select! {
            Some(ended) = running.join_next() => note(ended),
            () = app.parts.jobs.rung(lane) => {}
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
async fn fill(app: &App, lane: Lane, pace: Pace, running: &mut JoinSet<()>) -> Result<Duration, DbError> {
    while running.len() < lane.slots() {
        let now = app.clock.now_ms();
        let mut reader = app.db.read().await?;
        if !store::has_due(&mut reader.conn(), lane, now, millis(pace.lease)).await? {
            let next = store::find_next_run(&mut reader.conn(), lane, now).await?;
            let wait = next.map(|at| Duration::from_millis(u64::try_from(at - now).unwrap_or(0)));
            return Ok(wait.unwrap_or(pace.look_again).clamp(SOON, pace.look_again));
        }
        drop(reader);
        let taken = take(app, lane, pace.lease, lane.slots() - running.len()).await?;
        if taken.is_empty() {
            // Another node was faster, or somebody is adding the same.
            return Ok(SOON);
        }
        for job in taken {
            running.spawn(run_taken(app.clone(), lane, job));
        }
    }
    Ok(pace.look_again)
}

async fn take(app: &App, lane: Lane, lease: Duration, limit: usize) -> Result<Vec<Taken>, DbError> {
    let name = Uuid::now_v7().to_string();
    let limit = i64::try_from(limit).unwrap_or(i64::MAX);
    let claim = Claim { lane, now: app.clock.now_ms(), lease: &name, lease_for: millis(lease), limit };
    let mut tx = app.db.begin().await?;
    let taken = store::claim(&mut tx.conn(), &claim).await?;
    tx.commit().await?;
    Ok(taken)
}

pub(super) fn millis(duration: Duration) -> i64 {
    i64::try_from(duration.as_millis()).unwrap_or(i64::MAX)
}

/// Keeps what is held from being taken for lost, and puts right what a clock or a former version of the program left.
async fn beat(app: App, pace: Pace) {
    let mut ticks = interval(pace.beat);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        ticks.tick().await;
        if let Err(error) = renew(&app, pace.lease).await {
            tracing::error!(%error, "leases of jobs could not be renewed");
        }
        if let Err(error) = service::tend(&app).await {
            tracing::error!(%error, "waiting jobs could not be tended");
        }
    }
}

/// One transaction each: nobody who adds jobs waits for more than one of them.
async fn renew(app: &App, lease: Duration) -> Result<(), DbError> {
    for Held { id, lease: name, .. } in app.parts.jobs.held() {
        let mut tx = app.db.begin().await?;
        store::renew(&mut tx.conn(), id, &name, millis(lease)).await?;
        tx.commit().await?;
    }
    Ok(())
}

/// Does what is due at this moment, several at once; answers with how many jobs were taken.
pub async fn run_due(app: &App) -> Result<usize, DbError> {
    let mut running = JoinSet::new();
    for lane in Lane::ALL {
        for job in take(app, *lane, Pace::default().lease, lane.slots()).await? {
            running.spawn(run_taken(app.clone(), *lane, job));
        }
    }
    let taken = running.len();
    running.join_all().await;
    Ok(taken)
}

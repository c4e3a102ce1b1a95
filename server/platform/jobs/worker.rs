//! Takes due jobs and runs them, each lane independently.

use std::time::Duration;

use fail::fail_point;
use shop_base::db::{Db, DbError};
use shop_base::supervise::supervise;
use tokio::sync::watch;
use tokio::task::{JoinError, JoinSet};
use tokio::time::{Interval, MissedTickBehavior, interval, sleep};
use uuid::Uuid;

use super::model::{Lane, Pace, millis};
use super::rows::LeasedJob;
use super::run::run_taken;
use super::state::{Held, Worker};
use super::store::{Claim, Except};
use super::{service, store};

const SOON: Duration = Duration::from_millis(10);
/// A shop that starts has its first pages to make. Then one lane looks after the other, and the heartbeat last, so that they share a
/// connection.
const FIRST_LOOK: Duration = Duration::from_millis(200);

/// Works until `stop` is set, then finishes the jobs it has begun.
pub async fn run(worker: Worker, pace: Pace, stop: watch::Receiver<bool>) {
    worker.state.begin(pace.silent_after);
    let mut lanes = JoinSet::new();
    for (place, lane) in (0..).zip(Lane::ALL) {
        let (worker, stop) = (worker.clone(), stop.clone());
        lanes.spawn(async move {
            sleep(FIRST_LOOK + SOON * place).await;
            supervise(lane.text(), move |_| work(worker.clone(), *lane, pace, stop.clone())).await;
        });
    }
    let others = async {
        sleep(FIRST_LOOK + SOON * u32::try_from(Lane::ALL.len()).unwrap_or_default()).await;
        // Tending many jobs takes longer than a lease lasts, so it is not done between two renewals.
        tokio::join!(
            supervise("heartbeat", |_| beat(worker.clone(), pace)),
            supervise("tending", |_| tend(worker.clone(), pace)),
        )
    };
    tokio::select! {
        _ = others => {}
        _ = lanes.join_all() => {}
    }
}

/// Keeps the slots of a lane filled. A finished job frees its slot at once, independent of the others.
async fn work(worker: Worker, lane: Lane, pace: Pace, mut stop: watch::Receiver<bool>) {
    let mut running = JoinSet::new();
    // Whether the log has said why none can be taken.
    let mut told: Option<String> = None;
    while !*stop.borrow() {
        fail_point!("jobs::looking");
        while let Some(ended) = running.try_join_next() {
            note(ended);
        }
        let wait = match fill(&worker, lane, pace, &mut running).await {
            Ok(wait) => {
                worker.state.looked(lane);
                told = None;
                wait
            }
            Err(error) if error.is_away() => {
                worker.state.found_away();
                pace.look_again
            }
            Err(error) => {
                // A database that is full or read-only stays so for a while. The health check says when it is over.
                let text = error.to_string();
                if error.is_passing() {
                    worker.state.found_away();
                }
                if !error.is_passing() || told.as_ref() != Some(&text) {
                    tracing::error!(lane = lane.text(), %error, "jobs could not be taken");
                    told = Some(text);
                }
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

/// Resolves when `stop` is set or its sender is dropped.
async fn stopped(stop: &mut watch::Receiver<bool>) {
    let _ = stop.wait_for(|stop| *stop).await;
}

/// Panics of a job itself count as failed runs; this one happened while storing the outcome. Its lease will expire.
fn note(ended: Result<(), JoinError>) {
    if let Err(error) = ended {
        tracing::error!(%error, "a job's outcome was lost");
    }
}

/// Fills free slots with due jobs, and answers with how long to wait before looking again. It first checks with a read whether there are
/// any, so that a lane with nothing to take opens no write transaction.
async fn fill(worker: &Worker, lane: Lane, pace: Pace, running: &mut JoinSet<()>) -> Result<Duration, DbError> {
    // Groups whose due jobs are locked: another node is taking them, or they are just being added. The others do not wait for that.
    let mut locked: Vec<Uuid> = Vec::new();
    while running.len() < lane.slots() {
        let now = worker.cx.clock.now_ms();
        let mut reader = worker.cx.db.short().read().await?;
        let mut except = worker.state.excepted_in(lane);
        except.groups.extend(&locked);
        let Some(group) = store::find_group(&mut reader.conn(), lane, now, millis(pace.lease), &except).await? else {
            if !locked.is_empty() {
                return Ok(SOON);
            }
            let next = store::find_next_run(&mut reader.conn(), lane, now).await?;
            let wait = next.map(|at| Duration::from_millis(u64::try_from(at - now).unwrap_or(0)));
            return Ok(wait.unwrap_or(pace.look_again).clamp(SOON, pace.look_again));
        };
        drop(reader);
        let limit = lane.at_once().min(lane.slots() - running.len());
        let taken = take(worker, lane, group, pace.lease, limit, &except).await?;
        // In a rush each that is taken may have to wait for its turn for seconds.
        worker.state.looked(lane);
        if taken.is_empty() {
            locked.push(group);
        }
        for job in taken {
            running.spawn(run_taken(worker.clone(), lane, job));
        }
    }
    Ok(pace.look_again)
}

#[expect(clippy::disallowed_methods, reason = "it names this worker and orders nothing")]
async fn take(
    worker: &Worker,
    lane: Lane,
    group: Uuid,
    lease: Duration,
    limit: usize,
    except: &Except,
) -> Result<Vec<LeasedJob>, DbError> {
    let name = Uuid::now_v7().to_string();
    let limit = i64::try_from(limit).unwrap_or(i64::MAX);
    let now = worker.cx.clock.now_ms();
    let claim = Claim { lane, group_id: group, now, lease: &name, lease_for: millis(lease), limit, except };
    let mut tx = worker.cx.db.short().begin().await?;
    let taken = store::claim(&mut tx.conn(), &claim).await?;
    tx.commit().await?;
    Ok(taken)
}

/// At each beat, beginning now.
fn beats(pace: Pace) -> Interval {
    let mut ticks = interval(pace.beat);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    ticks
}

/// Renews the leases that this node holds.
async fn beat(worker: Worker, pace: Pace) {
    let mut ticks = beats(pace);
    loop {
        ticks.tick().await;
        match renew(&worker, pace.lease).await {
            Ok(()) => {}
            // When it is back they may have ended, which others overlook for a moment.
            Err(error) if error.is_away() => {
                worker.cx.db.pause().await;
                ticks.reset_immediately();
            }
            Err(error) => tracing::error!(%error, "leases of jobs could not be renewed"),
        }
    }
}

/// Repairs jobs left by a wrong clock or an earlier version of the program.
async fn tend(worker: Worker, pace: Pace) {
    let mut ticks = beats(pace);
    loop {
        ticks.tick().await;
        if let Err(error) = service::tend(&worker).await
            && !error.is_away()
        {
            tracing::error!(%error, "waiting jobs could not be tended");
        }
    }
}

/// On PostgreSQL in one transaction per lease, so that nobody adding jobs waits for more than one of them. None of them waits for another to
/// succeed.
async fn renew(worker: &Worker, lease: Duration) -> Result<(), DbError> {
    let db = &worker.cx.db;
    let held = worker.state.held();
    let mut failed = None;
    for some in held.chunks(if db.has_many_writers() { 1 } else { held.len().max(1) }) {
        match renew_some(db, some, lease).await {
            Ok(()) => {}
            Err(error) if error.is_away() => return Err(error),
            Err(error) => {
                failed.get_or_insert(error);
            }
        }
    }
    failed.map_or(Ok(()), Err)
}

async fn renew_some(db: &Db, some: &[Held], lease: Duration) -> Result<(), DbError> {
    let mut tx = db.short().begin().await?;
    for Held { id, lease: name, .. } in some {
        store::renew(&mut tx.conn(), *id, name, millis(lease)).await?;
    }
    tx.commit().await
}

/// Runs the jobs that are due now, several at once; answers with how many were taken.
pub async fn run_due(worker: &Worker) -> Result<usize, DbError> {
    let lease = Pace::default().lease;
    let mut running = JoinSet::new();
    for lane in Lane::ALL {
        for _ in 0..lane.slots() / lane.at_once() {
            // Whoever calls this has ended the leases of nodes that are gone.
            let except = Except { is_without_lapsed: false, ..worker.state.excepted_in(*lane) };
            let now = worker.cx.clock.now_ms();
            let mut reader = worker.cx.db.read().await?;
            let group = store::find_group(&mut reader.conn(), *lane, now, millis(lease), &except).await?;
            drop(reader);
            let Some(group) = group else { break };
            let taken = take(worker, *lane, group, lease, lane.at_once(), &except).await?;
            if taken.is_empty() {
                break;
            }
            for job in taken {
                running.spawn(run_taken(worker.clone(), *lane, job));
            }
        }
    }
    let taken = running.len();
    running.join_all().await;
    Ok(taken)
}

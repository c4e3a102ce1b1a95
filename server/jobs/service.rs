//! Adding jobs, and what staff do with those that gave up.

use std::time::Duration;

use serde_json::json;
use uuid::Uuid;

use super::model::{AT_START, CLOCK_SKEW, Job, Lane, RECURRING};
use super::state::WorkerState;
use super::store::{self, New};
use super::worker::{Pace, millis};
use crate::audit;
use crate::audit::model::{Actor, Change, Subject};
use crate::clock::Clock;
use crate::context::Context;
use crate::db::{Conn, Db, DbError, Effect, decoded};
use crate::ids::new_id;

/// A job may be due: this node's worker looks.
pub const ADDED: Effect = Effect("job added");

/// Adds a job to a transaction, to run at once.
pub async fn add(conn: &mut Conn<'_>, clock: &dyn Clock, job: &Job) -> Result<(), DbError> {
    add_at(conn, clock, job, clock.now_ms()).await
}

/// Adds a job to a transaction, to run at a time (UTC milliseconds).
pub async fn add_at(conn: &mut Conn<'_>, clock: &dyn Clock, job: &Job, run_at: i64) -> Result<(), DbError> {
    let payload = payload(job)?;
    let (id, name, lane) = (new_id(clock), job.name(), job.lane());
    conn.after_commit(ADDED);
    store::insert(conn, &New { id, name, payload: &payload, lane, run_at, now: clock.now_ms() }).await
}

/// Lets a job run again that gave up, if there is one of this content.
pub async fn revive(conn: &mut Conn<'_>, clock: &dyn Clock, job: &Job) -> Result<(), DbError> {
    conn.after_commit(ADDED);
    store::revive_same(conn, job.name(), &payload(job)?, clock.now_ms()).await
}

fn payload(job: &Job) -> Result<String, DbError> {
    decoded("payload", serde_json::to_string(job))
}

/// Makes sure that the jobs which run forever are there.
pub async fn add_recurring(db: &Db, clock: &dyn Clock) -> Result<(), DbError> {
    let mut tx = db.begin().await?;
    for job in RECURRING {
        add(&mut tx.conn(), clock, &job).await?;
    }
    tx.commit().await
}

/// Adds the jobs that each start wants done once.
pub async fn add_at_start(db: &Db, clock: &dyn Clock) -> Result<(), DbError> {
    let mut tx = db.begin().await?;
    for job in AT_START {
        add(&mut tx.conn(), clock, &job).await?;
    }
    tx.commit().await
}

/// Puts waiting jobs right: those that a former version of the program added get their lane, and those that a clock which was ahead has put
/// off are due at once. One transaction each: nobody who adds jobs waits for more than one of them.
pub async fn tend(cx: &Context) -> Result<(), DbError> {
    let now = cx.clock.now_ms();
    let mut reader = cx.db.read().await?;
    let without_lane = store::list_without_lane(&mut reader.conn()).await?;
    let far = store::list_after(&mut reader.conn(), now + CLOCK_SKEW).await?;
    drop(reader);
    for idle in without_lane {
        let lane = serde_json::from_str::<Job>(&idle.payload).map_or(Lane::Maintenance, |job| job.lane());
        let mut tx = cx.db.begin().await?;
        store::set_lane(&mut tx.conn(), idle.id, lane).await?;
        tx.commit().await?;
    }
    for idle in far {
        let Ok(job) = serde_json::from_str::<Job>(&idle.payload) else { continue };
        if idle.run_at > job.latest_run(idle.attempts, now) {
            tracing::warn!(job = job.name(), id = %idle.id, "a clock that was ahead had put a job off; it is due now");
            let mut tx = cx.db.begin().await?;
            store::move_run(&mut tx.conn(), &idle, now).await?;
            tx.commit().await?;
        }
    }
    Ok(())
}

/// How a lane stands.
#[derive(Clone, Copy, Debug)]
pub struct LaneFigures {
    pub lane: Lane,
    /// Jobs that run on this node.
    pub running: usize,
    /// Due jobs that nobody has taken, counted to ten thousand.
    pub waiting: i64,
    /// For how long the first of them has been due.
    pub oldest: Option<Duration>,
    /// How long ago this node looked for work; none when no workers run here.
    pub last_look: Option<Duration>,
}

/// How each lane stands, for staff.
pub async fn lanes(cx: &Context, state: &WorkerState) -> Result<Vec<LaneFigures>, DbError> {
    let now = cx.clock.now_ms();
    let mut reader = cx.db.read().await?;
    let mut figures = Vec::new();
    for lane in Lane::ALL.iter().copied() {
        let waiting = store::get_waiting(&mut reader.conn(), lane, now, millis(Pace::default().lease)).await?;
        let oldest = waiting.since.map(|since| Duration::from_millis(u64::try_from(now - since).unwrap_or(0)));
        let (running, last_look) = (state.running(lane), state.last_look(lane));
        figures.push(LaneFigures { lane, running, waiting: waiting.count, oldest, last_look });
    }
    Ok(figures)
}

/// All that waits, for staff.
pub async fn list(db: &Db) -> Result<Vec<store::Row>, DbError> {
    store::list(&mut db.read().await?.conn()).await
}

/// Tries a dead job again; false when there is none.
pub async fn retry(cx: &Context, actor: &Actor, id: Uuid) -> Result<bool, DbError> {
    let mut tx = cx.db.begin().await?;
    let mut conn = tx.conn();
    let Some(name) = store::revive(&mut conn, id, cx.clock.now_ms()).await? else { return Ok(false) };
    let change = Change::new("job.retry", Subject::new("job", id, name), json!({}));
    audit::service::record(&mut conn, cx.clock.as_ref(), actor, &change).await?;
    conn.after_commit(ADDED);
    tx.commit().await?;
    Ok(true)
}

/// Gives a dead job up for good; false when there is none.
pub async fn discard(cx: &Context, actor: &Actor, id: Uuid) -> Result<bool, DbError> {
    let mut tx = cx.db.begin().await?;
    let mut conn = tx.conn();
    let Some(name) = store::delete_dead(&mut conn, id).await? else { return Ok(false) };
    let change = Change::new("job.discard", Subject::new("job", id, name), json!({}));
    audit::service::record(&mut conn, cx.clock.as_ref(), actor, &change).await?;
    tx.commit().await?;
    Ok(true)
}

/// Part of the deletion of an account: letters to its owner that are not sent yet, or could not be, are gone.
pub async fn erase_mail(conn: &mut Conn<'_>, address: &str) -> Result<(), DbError> {
    for (id, payload) in store::list_account_mails(conn).await? {
        if let Ok(Job::AccountMail { to, .. }) = serde_json::from_str(&payload)
            && to.eq_ignore_ascii_case(address)
        {
            store::remove(conn, id).await?;
        }
    }
    Ok(())
}

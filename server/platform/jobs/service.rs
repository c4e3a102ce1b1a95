//! Adds jobs, and lets staff retry or discard dead ones.

use std::time::Duration;

use serde_json::json;
use shop_base::clock::{CLOCK_SKEW, Clock};
use shop_base::context::Context;
use shop_base::db::{Conn, Db, DbError, Effect};
use shop_base::ids::new_id;
use uuid::Uuid;

use super::model::{Job, Kind, Lane, Pace, is_clock_right, millis, payload};
use super::rows::Row;
use super::state::{Worker, WorkerState};
use super::store;
use super::store::New;
use crate::audit;
use crate::audit::model::{Actor, Change, Subject};

/// A job may be due: this node's worker looks for it.
pub const ADDED: Effect = Effect("job added");

/// Adds a job to a transaction, to run at once.
pub async fn add<J: Job>(conn: &mut Conn<'_>, clock: &dyn Clock, job: &J) -> Result<(), DbError> {
    add_at(conn, clock, job, clock.now_ms()).await
}

/// Adds a job to a transaction, to run at a time (UTC milliseconds).
pub async fn add_at<J: Job>(conn: &mut Conn<'_>, clock: &dyn Clock, job: &J, run_at: i64) -> Result<(), DbError> {
    conn.after_commit(ADDED);
    let group_id = job.group().unwrap_or_default();
    store::insert(conn, &New { run_at, group_id, ..at_once(clock, J::KIND, &payload(job)?) }).await
}

/// Adds a job for what looks for lost ones again and again: a dead one is left to staff.
pub async fn add_unless_dead<J: Job>(conn: &mut Conn<'_>, clock: &dyn Clock, job: &J) -> Result<(), DbError> {
    conn.after_commit(ADDED);
    let group_id = job.group().unwrap_or_default();
    store::insert(conn, &New { revives: false, group_id, ..at_once(clock, J::KIND, &payload(job)?) }).await
}

/// A job that runs at once and has no group.
fn at_once<'a>(clock: &dyn Clock, kind: Kind, payload: &'a str) -> New<'a> {
    let now = clock.now_ms();
    let id = new_id(clock);
    New { id, name: kind.name, payload, lane: kind.lane, group_id: Uuid::nil(), run_at: now, now, revives: true }
}

/// Retries a dead job with this content, if there is one.
pub async fn revive<J: Job>(conn: &mut Conn<'_>, clock: &dyn Clock, job: &J) -> Result<(), DbError> {
    conn.after_commit(ADDED);
    store::revive_same(conn, J::KIND.name, &payload(job)?, clock.now_ms()).await
}

/// When a job runs next, UTC milliseconds; none if it is dead or does not exist.
pub async fn find_next_run<J: Job>(conn: &mut Conn<'_>, job: &J) -> Result<Option<i64>, DbError> {
    store::find_run(conn, J::KIND.name, &payload(job)?).await
}

/// Removes a job that waits or is dead; false if there is none, a node is running it, or it may be done.
pub async fn take_back<J: Job>(conn: &mut Conn<'_>, job: &J) -> Result<bool, DbError> {
    store::delete_idle(conn, J::KIND.name, &payload(job)?).await
}

/// Whether a job waits, runs or is dead, and was certainly not done yet.
pub async fn is_undone<J: Job>(conn: &mut Conn<'_>, job: &J) -> Result<bool, DbError> {
    store::is_undone(conn, J::KIND.name, &payload(job)?).await
}

/// Removes the jobs of a kind for which `is_unwanted` holds, waiting or dead.
pub async fn remove<J: Job>(conn: &mut Conn<'_>, is_unwanted: impl Fn(&J) -> bool) -> Result<(), DbError> {
    for (id, payload) in store::list_payloads(conn, J::KIND.name).await? {
        if serde_json::from_str(&payload).is_ok_and(|job| is_unwanted(&job)) {
            store::remove(conn, id).await?;
        }
    }
    Ok(())
}

/// Makes sure that the recurring jobs exist.
pub async fn add_recurring(worker: &Worker) -> Result<(), DbError> {
    add_listed(worker, |kind| kind.interval.is_some()).await
}

/// Adds the jobs that are done once at each start.
pub async fn add_at_start(worker: &Worker) -> Result<(), DbError> {
    add_listed(worker, |kind| kind.interval.is_none()).await
}

async fn add_listed(worker: &Worker, is_wanted: fn(&Kind) -> bool) -> Result<(), DbError> {
    let Worker { cx, registry, .. } = worker;
    let clock = cx.clock.as_ref();
    let mut tx = cx.db.begin().await?;
    for (kind, payload) in registry.list_at_start()?.into_iter().filter(|(kind, _)| is_wanted(kind)) {
        // A former release, which does not know its kind, gives it up after a day: then it is retried.
        store::insert(&mut tx.conn(), &at_once(clock, kind, &payload)).await?;
    }
    tx.conn().after_commit(ADDED);
    tx.commit().await
}

/// Repairs waiting jobs: those added by an earlier version of the program get their lane and group, and those postponed by a clock that
/// ran ahead become due at once. One transaction per job, so that nobody adding jobs waits for more than one of them.
pub async fn tend(worker: &Worker) -> Result<(), DbError> {
    let Worker { cx, state, registry } = worker;
    let ahead = cx.db.clock_ahead().await?;
    match state.note_clock(ahead) {
        Some(false) => {
            let advice = "synchronize both machines (NTP)";
            tracing::error!(ahead, advice, "this node’s clock differs from the database’s by more than a minute");
        }
        Some(true) => tracing::warn!("this node’s clock is right again"),
        None => {}
    }
    let without_lane = store::list_without_lane(&mut cx.db.read().await?.conn()).await?;
    for idle in without_lane {
        let lane = registry.find(&idle.name).map_or(Lane::Maintenance, |handler| handler.kind.lane);
        let mut tx = cx.db.begin().await?;
        store::set_lane(&mut tx.conn(), idle.id, lane).await?;
        tx.commit().await?;
    }
    for lane in Lane::ALL.iter().filter(|lane| lane.has_groups()) {
        give_groups(worker, *lane).await?;
    }
    // For a clock that is behind, others have put everything off for a long time.
    if is_clock_right(ahead) { hasten(worker).await } else { Ok(()) }
}

/// Makes jobs due that a clock that ran ahead has put off, among the ten thousand latest. They may have been taken by its node, which died.
async fn hasten(Worker { cx, registry, .. }: &Worker) -> Result<(), DbError> {
    const PAGES: usize = 20;
    let (now, lease) = (cx.clock.now_ms(), millis(Pace::default().lease));
    let mut place = (i64::MAX, Uuid::max());
    for _ in 0..PAGES {
        let far = store::list_after(&mut cx.db.read().await?.conn(), now + CLOCK_SKEW, place, lease).await?;
        for idle in &far {
            place = (idle.run_at, idle.id);
            let Some(handler) = registry.find(&idle.name) else { continue };
            if idle.run_at <= handler.kind.latest_run(handler.due(&idle.payload), idle.attempts, now) {
                continue;
            }
            tracing::warn!(job = idle.name, id = %idle.id, "a clock that was ahead had put a job off; it is due now");
            let mut tx = cx.db.begin().await?;
            store::move_run(&mut tx.conn(), idle, now, lease).await?;
            tx.commit().await?;
        }
        if far.len() < store::AFTER_AT_ONCE {
            break;
        }
    }
    Ok(())
}

/// The state of a lane.
#[derive(Clone, Copy, Debug)]
pub struct LaneFigures {
    pub lane: Lane,
    /// Jobs running on this node.
    pub running: usize,
    /// Due jobs that no node has taken, counted up to ten thousand.
    pub waiting: i64,
    /// How long the oldest of them has been due.
    pub oldest: Option<Duration>,
    /// Jobs that were given up.
    pub dead: i64,
    /// When the first of them was given up, UTC milliseconds.
    pub dead_since: Option<i64>,
    /// How long ago this node looked for work; none when no workers run here.
    pub last_look: Option<Duration>,
}

/// The state of each lane, for staff.
pub async fn lanes(cx: &Context, state: &WorkerState) -> Result<Vec<LaneFigures>, DbError> {
    let now = cx.clock.now_ms();
    let mut reader = cx.db.read().await?;
    let mut figures = Vec::new();
    for lane in Lane::ALL.iter().copied() {
        let waiting = store::get_waiting(&mut reader.conn(), lane, now, millis(Pace::default().lease)).await?;
        let oldest = waiting.since.map(|since| Duration::from_millis(u64::try_from(now - since).unwrap_or(0)));
        let dead = store::get_dead(&mut reader.conn(), lane).await?;
        figures.push(LaneFigures {
            lane,
            running: state.running(lane),
            waiting: waiting.count,
            oldest,
            dead: dead.count,
            dead_since: dead.since,
            last_look: state.last_look(lane),
        });
    }
    Ok(figures)
}

/// The jobs of a kind, in the whole shop.
#[derive(Clone, Debug)]
pub struct KindFigures {
    pub name: String,
    /// Their numbers by state.
    pub states: [(&'static str, i64); 5],
    /// How long the oldest has been due; zero if none is.
    pub overdue: Duration,
}

/// The jobs of each kind, counted up to ten thousand.
pub async fn kinds(cx: &Context) -> Result<Vec<KindFigures>, DbError> {
    let now = cx.clock.now_ms();
    let mut reader = cx.db.read().await?;
    let mut kinds = Vec::new();
    for name in store::list_names(&mut reader.conn()).await? {
        let kind = store::get_of_kind(&mut reader.conn(), &name, now).await?;
        kinds.push(figures(name, kind, now));
    }
    Ok(kinds)
}

fn figures(name: String, kind: store::OfKind, now: i64) -> KindFigures {
    KindFigures {
        name,
        states: [
            ("scheduled", kind.scheduled),
            ("waiting", kind.waiting),
            ("failed", kind.failed),
            ("running", kind.running),
            ("dead", kind.dead),
        ],
        overdue: Duration::from_millis(kind.due_since.and_then(|since| u64::try_from(now - since).ok()).unwrap_or(0)),
    }
}

/// Stored jobs, dead ones first, for staff.
pub async fn list(db: &Db) -> Result<Vec<Row>, DbError> {
    let mut jobs = list_dead(db).await?;
    jobs.extend(store::list_living(&mut db.read().await?.conn()).await?);
    Ok(jobs)
}

/// Jobs that were given up, for staff.
pub async fn list_dead(db: &Db) -> Result<Vec<Row>, DbError> {
    store::list_dead(&mut db.read().await?.conn()).await
}

/// Gives the jobs of a lane that have no group the one of their content.
async fn give_groups(worker: &Worker, lane: Lane) -> Result<(), DbError> {
    let Worker { cx, registry, .. } = worker;
    let mut after = (i64::MIN, Uuid::nil());
    loop {
        let idle = store::list_without_group(&mut cx.db.read().await?.conn(), lane, after).await?;
        let Some(last) = idle.last() else { return Ok(()) };
        after = (last.run_at, last.id);
        let grouped = idle.iter().filter_map(|idle| Some((idle.id, registry.find(&idle.name)?.group(&idle.payload)?)));
        let grouped: Vec<(Uuid, Uuid)> = grouped.collect();
        // On PostgreSQL nobody adding jobs waits for more than one of them.
        for some in grouped.chunks(if cx.db.has_many_writers() { 1 } else { 20 }) {
            let mut tx = cx.db.begin().await?;
            for (job, group) in some {
                store::set_group(&mut tx.conn(), *job, *group).await?;
            }
            tx.commit().await?;
        }
    }
}

/// Retries a dead job; false when there is none.
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

/// Retries all dead jobs of a lane; returns how many there were.
pub async fn retry_lane(cx: &Context, actor: &Actor, lane: Lane) -> Result<u64, DbError> {
    let mut tx = cx.db.begin().await?;
    let mut conn = tx.conn();
    let count = store::revive_lane(&mut conn, lane, cx.clock.now_ms()).await?;
    if count > 0 {
        let subject = Subject::new("job", lane.text(), format!("All dead jobs: {}", lane.text()));
        let change = Change::new("job.retry_all", subject, json!({ "count": count }));
        audit::service::record(&mut conn, cx.clock.as_ref(), actor, &change).await?;
        conn.after_commit(ADDED);
    }
    tx.commit().await?;
    Ok(count)
}

/// The dead job with this id, if it is of this kind.
pub async fn find_dead<J: Job>(conn: &mut Conn<'_>, id: Uuid) -> Result<Option<J>, DbError> {
    let payload = store::find_dead(conn, id, J::KIND.name).await?;
    Ok(payload.and_then(|payload| serde_json::from_str(&payload).ok()))
}

/// Deletes a dead job; false when there is none.
pub async fn discard(conn: &mut Conn<'_>, clock: &dyn Clock, actor: &Actor, id: Uuid) -> Result<bool, DbError> {
    let Some(name) = store::delete_dead(conn, id).await? else { return Ok(false) };
    let change = Change::new("job.discard", Subject::new("job", id, name), json!({}));
    audit::service::record(conn, clock, actor, &change).await?;
    Ok(true)
}

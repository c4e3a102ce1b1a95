//! Adding jobs, and what staff do with those that gave up.

use serde_json::json;
use tokio::sync::Notify;
use uuid::Uuid;

use super::model::{AT_START, Job, RECURRING};
use super::store::{self, Lane, New};
use crate::app::App;
use crate::audit;
use crate::audit::model::{Actor, Change, Subject};
use crate::clock::Clock;
use crate::db::{Conn, Db, DbError, decoded};
use crate::ids::new_id;

/// Tells this node's workers that there may be something to do.
#[derive(Debug, Default)]
pub struct Bell {
    own: Notify,
    dispatches: Notify,
}

impl Bell {
    /// Call it after the transaction that added a job has been committed.
    pub fn ring(&self) {
        self.own.notify_one();
        self.dispatches.notify_one();
    }

    pub async fn rung(&self, lane: Lane) {
        match lane {
            Lane::Own => self.own.notified().await,
            Lane::Dispatches => self.dispatches.notified().await,
        }
    }
}

/// Adds a job to a transaction, to run at once.
pub async fn add(conn: &mut Conn<'_>, clock: &dyn Clock, job: &Job) -> Result<(), DbError> {
    add_at(conn, clock, job, clock.now_ms()).await
}

/// Adds a job to a transaction, to run at a time (UTC milliseconds).
pub async fn add_at(conn: &mut Conn<'_>, clock: &dyn Clock, job: &Job, run_at: i64) -> Result<(), DbError> {
    let payload = decoded("payload", serde_json::to_string(job))?;
    let new = New { id: new_id(clock), name: job.name(), payload: &payload, run_at, now: clock.now_ms() };
    store::insert(conn, &new).await
}

/// Makes sure that the jobs which run for ever are there.
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

/// All that waits, for staff.
pub async fn list(db: &Db) -> Result<Vec<store::Row>, DbError> {
    store::list(&mut db.read().await?.conn()).await
}

/// Tries a dead job again; false when there is none.
pub async fn retry(app: &App, actor: &Actor, id: Uuid) -> Result<bool, DbError> {
    let mut tx = app.db.begin().await?;
    let mut conn = tx.conn();
    let Some(name) = store::revive(&mut conn, id, app.clock.now_ms()).await? else { return Ok(false) };
    let change = Change::new("job.retry", Subject::new("job", id, name), json!({}));
    audit::service::record(&mut conn, app.clock.as_ref(), actor, &change).await?;
    tx.commit().await?;
    app.jobs.ring();
    Ok(true)
}

/// Gives a dead job up for good; false when there is none.
pub async fn discard(app: &App, actor: &Actor, id: Uuid) -> Result<bool, DbError> {
    let mut tx = app.db.begin().await?;
    let mut conn = tx.conn();
    let Some(name) = store::delete_dead(&mut conn, id).await? else { return Ok(false) };
    let change = Change::new("job.discard", Subject::new("job", id, name), json!({}));
    audit::service::record(&mut conn, app.clock.as_ref(), actor, &change).await?;
    tx.commit().await?;
    Ok(true)
}

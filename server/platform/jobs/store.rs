//! All SQL of jobs.
//!
//! When a job is due goes by the clock of the shop. How long a lease lasts goes by the database's own clock, which all nodes share.

use shop_base::db::{Conn, DbError};
use shop_base::sql;
use sqlx::FromRow;
use uuid::Uuid;

use super::model::Lane;
use super::rows::{LeasedJob, Row};

/// The database's own clock, UTC milliseconds.
fn database_clock(conn: &Conn<'_>) -> &'static str {
    match conn {
        Conn::Sqlite(_) => "CAST(unixepoch('subsec') * 1000 AS INTEGER)",
        Conn::Postgres(_) => "CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT)",
    }
}

/// That a job of the lane `$1` may be taken at `$2` for `$3` milliseconds. A lease that ends later than any lease can was taken by a clock
/// that was ahead, and counts for nothing.
fn is_due(conn: &Conn<'_>) -> String {
    let clock = database_clock(conn);
    format!(
        "lane = $1 AND dead_at IS NULL AND run_at <= $2 AND (leased_until <= {clock} OR leased_until > {clock} + $3)"
    )
}

pub struct New<'a> {
    pub id: Uuid,
    pub name: &'a str,
    pub payload: &'a str,
    pub lane: Lane,
    pub run_at: i64,
    pub now: i64,
}

/// Adds a job. The same one is only counted: whoever runs it at this moment sees that, and runs it once more.
pub async fn insert(conn: &mut Conn<'_>, job: &New<'_>) -> Result<(), DbError> {
    const SQL: &str =
        "INSERT INTO jobs (id, name, payload, lane, run_at, attempts, leased_until, lease, additions, created_at)
        VALUES ($1, $2, $3, $4, $5, 0, 0, '', 0, $6)
        ON CONFLICT (name, payload) DO UPDATE SET additions = jobs.additions + 1, lane = excluded.lane";
    conn.precedes_audit();
    sql!(conn, c => sqlx::query(SQL).bind(job.id).bind(job.name).bind(job.payload).bind(job.lane.text())
        .bind(job.run_at).bind(job.now).execute(c).await.map(drop))?;
    Ok(())
}

/// Which jobs to take, and for how long.
#[derive(Clone, Copy, Debug)]
pub struct Claim<'a> {
    pub lane: Lane,
    /// UTC milliseconds by the clock of the shop.
    pub now: i64,
    /// Names this taking and no other.
    pub lease: &'a str,
    /// Milliseconds.
    pub lease_for: i64,
    pub limit: i64,
}

/// Takes due jobs of a lane, those first that have waited the longest.
pub async fn claim(conn: &mut Conn<'_>, claim: &Claim<'_>) -> Result<Vec<LeasedJob>, DbError> {
    let (clock, is_due) = (database_clock(conn), is_due(conn));
    // PostgreSQL's nodes pass over what another one is taking at this moment; SQLite has one writer at a time.
    let skip = match conn {
        Conn::Postgres(_) => "FOR UPDATE SKIP LOCKED",
        Conn::Sqlite(_) => "",
    };
    let sql = sqlx::AssertSqlSafe(format!(
        "WITH due AS MATERIALIZED (
            SELECT id FROM jobs WHERE {is_due} ORDER BY run_at LIMIT $5 {skip}
        )
        UPDATE jobs SET lease = $4, leased_until = {clock} + $3, attempts = attempts + 1 WHERE id IN (SELECT id FROM due)
        RETURNING id, name, payload, lease, run_at, attempts, additions"
    ));
    Ok(
        sql!(conn, c => sqlx::query_as::<_, LeasedJob>(sql).bind(claim.lane.text()).bind(claim.now).bind(claim.lease_for)
        .bind(claim.lease).bind(claim.limit).fetch_all(c).await)?,
    )
}

/// Has a lease last for so many milliseconds from now on, if it is still ours.
pub async fn renew(conn: &mut Conn<'_>, id: Uuid, lease: &str, lease_for: i64) -> Result<(), DbError> {
    let clock = database_clock(conn);
    let sql = sqlx::AssertSqlSafe(format!("UPDATE jobs SET leased_until = {clock} + $3 WHERE id = $1 AND lease = $2"));
    sql!(conn, c => sqlx::query(sql).bind(id).bind(lease).bind(lease_for).execute(c).await.map(drop))?;
    Ok(())
}

/// Removes a finished job; false when the lease is no longer ours, or the same job was added meanwhile.
pub async fn delete(conn: &mut Conn<'_>, job: &LeasedJob) -> Result<bool, DbError> {
    const SQL: &str = "DELETE FROM jobs WHERE id = $1 AND lease = $2 AND additions = $3";
    let gone = sql!(conn, c => sqlx::query(SQL).bind(job.id).bind(&job.lease).bind(job.additions)
        .execute(c).await.map(|done| done.rows_affected()))?;
    Ok(gone > 0)
}

/// Keeps a job for staff; false when the lease is no longer ours, or the same job was added meanwhile.
pub async fn give_up(conn: &mut Conn<'_>, job: &LeasedJob, error: &str, now: i64) -> Result<bool, DbError> {
    const SQL: &str = "UPDATE jobs SET dead_at = $4, last_error = $5, lease = '', leased_until = 0
        WHERE id = $1 AND lease = $2 AND additions = $3";
    let dead = sql!(conn, c => sqlx::query(SQL).bind(job.id).bind(&job.lease).bind(job.additions).bind(now).bind(error)
        .execute(c).await.map(|done| done.rows_affected()))?;
    Ok(dead > 0)
}

/// When a job runs again, and what it has to say for itself.
#[derive(Clone, Copy, Debug)]
pub struct Again<'a> {
    pub run_at: i64,
    pub attempts: i64,
    pub error: Option<&'a str>,
}

/// Gives a job back, if the lease is still ours.
pub async fn release(conn: &mut Conn<'_>, job: &LeasedJob, again: Again<'_>) -> Result<(), DbError> {
    const SQL: &str = "UPDATE jobs SET run_at = $3, attempts = $4, last_error = $5, lease = '', leased_until = 0
        WHERE id = $1 AND lease = $2";
    sql!(conn, c => sqlx::query(SQL).bind(job.id).bind(&job.lease).bind(again.run_at).bind(again.attempts)
        .bind(again.error).execute(c).await.map(drop))?;
    Ok(())
}

/// Everything that waits or runs, the dead first.
pub async fn list(conn: &mut Conn<'_>) -> Result<Vec<Row>, DbError> {
    let sql = sqlx::AssertSqlSafe(format!(
        "SELECT id, name, payload, run_at, attempts, leased_until > {} AS is_leased, last_error, dead_at FROM jobs
        ORDER BY CASE WHEN dead_at IS NULL THEN 1 ELSE 0 END, run_at LIMIT 500",
        database_clock(conn)
    ));
    Ok(sql!(conn, c => sqlx::query_as::<_, Row>(sql).fetch_all(c).await)?)
}

/// Whether a lane has a job to take, without taking it.
pub async fn has_due(conn: &mut Conn<'_>, lane: Lane, now: i64, lease_for: i64) -> Result<bool, DbError> {
    let sql = sqlx::AssertSqlSafe(format!("SELECT 1 FROM jobs WHERE {} LIMIT 1", is_due(conn)));
    let found: Option<i32> = sql!(conn, c => sqlx::query_scalar(sql).bind(lane.text()).bind(now).bind(lease_for)
        .fetch_optional(c).await)?;
    Ok(found.is_some())
}

/// When the first job of a lane is due after `now`.
pub async fn find_next_run(conn: &mut Conn<'_>, lane: Lane, now: i64) -> Result<Option<i64>, DbError> {
    const SQL: &str =
        "SELECT run_at FROM jobs WHERE lane = $1 AND dead_at IS NULL AND run_at > $2 ORDER BY run_at LIMIT 1";
    Ok(sql!(conn, c => sqlx::query_scalar(SQL).bind(lane.text()).bind(now).fetch_optional(c).await)?)
}

/// When a job that is not dead runs, UTC milliseconds.
pub async fn find_run(conn: &mut Conn<'_>, name: &str, payload: &str) -> Result<Option<i64>, DbError> {
    const SQL: &str = "SELECT run_at FROM jobs WHERE name = $1 AND payload = $2 AND dead_at IS NULL";
    Ok(sql!(conn, c => sqlx::query_scalar(SQL).bind(name).bind(payload).fetch_optional(c).await)?)
}

/// Due jobs that nobody has taken.
#[derive(Clone, Copy, Debug, FromRow)]
pub struct Waiting {
    /// Counted to ten thousand.
    pub count: i64,
    /// Since when the first of them is due, UTC milliseconds.
    pub since: Option<i64>,
}

pub async fn get_waiting(conn: &mut Conn<'_>, lane: Lane, now: i64, lease_for: i64) -> Result<Waiting, DbError> {
    let sql = sqlx::AssertSqlSafe(format!(
        "SELECT COUNT(*) AS count, MIN(run_at) AS since
        FROM (SELECT run_at FROM jobs WHERE {} ORDER BY run_at LIMIT 10000) AS due",
        is_due(conn)
    ));
    Ok(
        sql!(conn, c => sqlx::query_as::<_, Waiting>(sql).bind(lane.text()).bind(now).bind(lease_for).fetch_one(c).await)?,
    )
}

/// Lets a dead job run again, as if for the first time; its name, unless there is none.
pub async fn revive(conn: &mut Conn<'_>, id: Uuid, now: i64) -> Result<Option<String>, DbError> {
    const SQL: &str = "UPDATE jobs SET dead_at = NULL, last_error = NULL, attempts = 0, run_at = $2
        WHERE id = $1 AND dead_at IS NOT NULL RETURNING name";
    Ok(sql!(conn, c => sqlx::query_scalar(SQL).bind(id).bind(now).fetch_optional(c).await)?)
}

/// Likewise, the job of this content.
pub async fn revive_same(conn: &mut Conn<'_>, name: &str, payload: &str, now: i64) -> Result<(), DbError> {
    const SQL: &str = "UPDATE jobs SET dead_at = NULL, last_error = NULL, attempts = 0, run_at = $3
        WHERE name = $1 AND payload = $2 AND dead_at IS NOT NULL";
    sql!(conn, c => sqlx::query(SQL).bind(name).bind(payload).bind(now).execute(c).await.map(drop))?;
    Ok(())
}

/// Removes a dead job; its name, unless there is none.
pub async fn delete_dead(conn: &mut Conn<'_>, id: Uuid) -> Result<Option<String>, DbError> {
    const SQL: &str = "DELETE FROM jobs WHERE id = $1 AND dead_at IS NOT NULL RETURNING name";
    Ok(sql!(conn, c => sqlx::query_scalar(SQL).bind(id).fetch_optional(c).await)?)
}

/// A job that nobody has taken.
#[derive(Clone, Debug, FromRow)]
pub struct Idle {
    pub id: Uuid,
    pub name: String,
    pub payload: String,
    pub run_at: i64,
    pub attempts: i64,
}

/// Some jobs without a lane: a former version of the program added them.
pub async fn list_without_lane(conn: &mut Conn<'_>) -> Result<Vec<Idle>, DbError> {
    const SQL: &str = "SELECT id, name, payload, run_at, attempts FROM jobs WHERE lane IS NULL AND dead_at IS NULL ORDER BY run_at LIMIT 500";
    Ok(sql!(conn, c => sqlx::query_as::<_, Idle>(SQL).fetch_all(c).await)?)
}

pub async fn set_lane(conn: &mut Conn<'_>, id: Uuid, lane: Lane) -> Result<(), DbError> {
    const SQL: &str = "UPDATE jobs SET lane = $2 WHERE id = $1";
    sql!(conn, c => sqlx::query(SQL).bind(id).bind(lane.text()).execute(c).await.map(drop))?;
    Ok(())
}

/// Some of the jobs that are not due before a time, the farthest first.
pub async fn list_after(conn: &mut Conn<'_>, time: i64) -> Result<Vec<Idle>, DbError> {
    const SQL: &str = "SELECT id, name, payload, run_at, attempts FROM jobs
        WHERE run_at > $1 AND dead_at IS NULL AND leased_until = 0 ORDER BY run_at DESC LIMIT 500";
    Ok(sql!(conn, c => sqlx::query_as::<_, Idle>(SQL).bind(time).fetch_all(c).await)?)
}

/// Moves a job that still waits for the time at which it was seen.
pub async fn move_run(conn: &mut Conn<'_>, job: &Idle, run_at: i64) -> Result<(), DbError> {
    const SQL: &str = "UPDATE jobs SET run_at = $3 WHERE id = $1 AND run_at = $2 AND leased_until = 0";
    sql!(conn, c => sqlx::query(SQL).bind(job.id).bind(job.run_at).bind(run_at).execute(c).await.map(drop))?;
    Ok(())
}

/// Ids and payloads of the jobs of a name.
pub async fn list_payloads(conn: &mut Conn<'_>, name: &str) -> Result<Vec<(Uuid, String)>, DbError> {
    const SQL: &str = "SELECT id, payload FROM jobs WHERE name = $1";
    Ok(sql!(conn, c => sqlx::query_as(SQL).bind(name).fetch_all(c).await)?)
}

/// Removes a job, whoever is at it.
pub async fn remove(conn: &mut Conn<'_>, id: Uuid) -> Result<(), DbError> {
    const SQL: &str = "DELETE FROM jobs WHERE id = $1";
    sql!(conn, c => sqlx::query(SQL).bind(id).execute(c).await.map(drop))?;
    Ok(())
}

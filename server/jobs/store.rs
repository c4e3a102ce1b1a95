//! All SQL of jobs.

use sqlx::FromRow;
use uuid::Uuid;

use crate::db::{Conn, DbError};
use crate::sql;

/// A job as the table has it.
#[derive(Clone, Debug, FromRow)]
pub struct Row {
    pub id: Uuid,
    pub name: String,
    pub payload: String,
    pub run_at: i64,
    pub attempts: i64,
    /// Until then a node is at it. UTC milliseconds.
    pub leased_until: i64,
    pub last_error: Option<String>,
    pub dead_at: Option<i64>,
}

pub struct New<'a> {
    pub id: Uuid,
    pub name: &'a str,
    pub payload: &'a str,
    pub run_at: i64,
    pub now: i64,
}

/// Adds a job unless the same one waits already.
pub async fn insert(conn: &mut Conn<'_>, job: &New<'_>) -> Result<(), DbError> {
    const SQL: &str = "INSERT INTO jobs (id, name, payload, run_at, attempts, leased_until, lease, created_at)
        VALUES ($1, $2, $3, $4, 0, 0, '', $5) ON CONFLICT (name, payload) DO NOTHING";
    sql!(conn, c => sqlx::query(SQL).bind(job.id).bind(job.name).bind(job.payload).bind(job.run_at).bind(job.now)
        .execute(c).await.map(drop))?;
    Ok(())
}

/// Jobs that are done apart from the others, so that neither kind waits for the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lane {
    /// What the shop itself needs.
    Own,
    /// Webhooks out, of which each may take long.
    Dispatches,
}

impl Lane {
    pub const ALL: [Self; 2] = [Self::Own, Self::Dispatches];

    /// As the indexes `jobs_own_idx` and `jobs_dispatch_idx` have it.
    fn condition(self) -> &'static str {
        match self {
            Self::Own => "name <> 'dispatch'",
            Self::Dispatches => "name = 'dispatch'",
        }
    }
}

/// Takes up to `limit` due jobs of a lane for `lease` until `leased_until`.
pub async fn claim(
    conn: &mut Conn<'_>,
    lane: Lane,
    now: i64,
    lease: &str,
    leased_until: i64,
    limit: i64,
) -> Result<Vec<Row>, DbError> {
    const RETURNING: &str = "id, name, payload, run_at, attempts, leased_until, last_error, dead_at";
    let due = format!(
        "SELECT id FROM jobs WHERE {} AND dead_at IS NULL AND run_at <= $1 AND leased_until <= $1 ORDER BY run_at LIMIT $4",
        lane.condition()
    );
    // PostgreSQL's nodes pass over what another one is taking at this moment; SQLite has one writer at a time.
    let skip = match conn {
        Conn::Postgres(_) => "FOR UPDATE SKIP LOCKED",
        Conn::Sqlite(_) => "",
    };
    let sql = format!(
        "UPDATE jobs SET lease = $2, leased_until = $3, attempts = attempts + 1 WHERE id IN ({due} {skip}) RETURNING {RETURNING}"
    );
    let sql = sqlx::AssertSqlSafe(sql);
    Ok(sql!(conn, c => sqlx::query_as::<_, Row>(sql).bind(now).bind(lease).bind(leased_until).bind(limit)
        .fetch_all(c).await)?)
}

/// Removes a finished job, if the lease is still ours.
pub async fn delete(conn: &mut Conn<'_>, id: Uuid, lease: &str) -> Result<(), DbError> {
    const SQL: &str = "DELETE FROM jobs WHERE id = $1 AND lease = $2";
    sql!(conn, c => sqlx::query(SQL).bind(id).bind(lease).execute(c).await.map(drop))?;
    Ok(())
}

/// What a run left to do.
pub struct Again<'a> {
    pub run_at: i64,
    pub attempts: i64,
    pub error: Option<&'a str>,
    pub dead_at: Option<i64>,
}

/// Gives a job back, to run again or, with `dead_at`, to wait for staff.
pub async fn release(conn: &mut Conn<'_>, id: Uuid, lease: &str, again: &Again<'_>) -> Result<(), DbError> {
    const SQL: &str =
        "UPDATE jobs SET run_at = $3, attempts = $4, last_error = $5, dead_at = $6, lease = '', leased_until = 0
        WHERE id = $1 AND lease = $2";
    sql!(conn, c => sqlx::query(SQL).bind(id).bind(lease).bind(again.run_at).bind(again.attempts).bind(again.error)
        .bind(again.dead_at).execute(c).await.map(drop))?;
    Ok(())
}

/// Everything that waits, the dead first.
pub async fn list(conn: &mut Conn<'_>) -> Result<Vec<Row>, DbError> {
    const SQL: &str = "SELECT id, name, payload, run_at, attempts, leased_until, last_error, dead_at FROM jobs
        ORDER BY CASE WHEN dead_at IS NULL THEN 1 ELSE 0 END, run_at LIMIT 500";
    Ok(sql!(conn, c => sqlx::query_as::<_, Row>(SQL).fetch_all(c).await)?)
}

/// Lets a dead job run again, as if for the first time; its name, unless there is none.
pub async fn revive(conn: &mut Conn<'_>, id: Uuid, now: i64) -> Result<Option<String>, DbError> {
    const SQL: &str = "UPDATE jobs SET dead_at = NULL, last_error = NULL, attempts = 0, run_at = $2
        WHERE id = $1 AND dead_at IS NOT NULL RETURNING name";
    Ok(sql!(conn, c => sqlx::query_scalar(SQL).bind(id).bind(now).fetch_optional(c).await)?)
}

/// Removes a dead job; its name, unless there is none.
pub async fn delete_dead(conn: &mut Conn<'_>, id: Uuid) -> Result<Option<String>, DbError> {
    const SQL: &str = "DELETE FROM jobs WHERE id = $1 AND dead_at IS NOT NULL RETURNING name";
    Ok(sql!(conn, c => sqlx::query_scalar(SQL).bind(id).fetch_optional(c).await)?)
}

/// When the next job of a lane is due, if any waits.
pub async fn next_run(conn: &mut Conn<'_>, lane: Lane) -> Result<Option<i64>, DbError> {
    let sql = sqlx::AssertSqlSafe(format!(
        "SELECT MIN(CASE WHEN leased_until > run_at THEN leased_until ELSE run_at END) FROM jobs WHERE {} AND dead_at IS NULL",
        lane.condition()
    ));
    Ok(sql!(conn, c => sqlx::query_scalar::<_, Option<i64>>(sql).fetch_one(c).await)?)
}

//! All SQL of jobs.
//!
//! Due times use the shop's clock. Leases use the database's own clock, which all nodes share.

use shop_base::clock::CLOCK_SKEW;
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

/// The condition under which no node holds a job; leases last for `$3` milliseconds. One that ends much later than any lease can was taken
/// by a clock that ran ahead, and is ignored.
fn is_free(conn: &Conn<'_>) -> String {
    let clock = database_clock(conn);
    format!("(leased_until <= {clock} OR leased_until > {clock} + $3 + {CLOCK_SKEW})")
}

/// The condition under which a job of the lane `$1` may be taken at `$2` for `$3` milliseconds.
fn is_due(conn: &Conn<'_>) -> String {
    format!("lane = $1 AND dead_at IS NULL AND run_at <= $2 AND {}", is_free(conn))
}

/// A further condition: the id is none of these, which are the parameters from `$first` on.
fn and_none_of(ids: &[Uuid], first: usize) -> String {
    let mut condition = String::new();
    for parameter in first..first + ids.len() {
        condition.push_str(&format!(" AND id <> ${parameter}"));
    }
    condition
}

/// Jobs that are not to be taken.
#[derive(Clone, Debug, Default)]
pub struct Except {
    /// Those that this node runs, whatever has become of their leases.
    pub jobs: Vec<Uuid>,
    /// Groups of which it runs enough.
    pub groups: Vec<Uuid>,
    /// Whether all whose lease has ended are among them.
    pub is_without_lapsed: bool,
}

impl Except {
    /// A further condition.
    fn and_none_lapsed(&self) -> &'static str {
        if self.is_without_lapsed { " AND lease = ''" } else { "" }
    }
}

pub struct New<'a> {
    pub id: Uuid,
    pub name: &'a str,
    pub payload: &'a str,
    pub lane: Lane,
    /// See [`LeasedJob::group_id`].
    pub group_id: Uuid,
    pub run_at: i64,
    pub now: i64,
    /// Whether the same job, if it is dead, is retried.
    pub revives: bool,
}

/// Adds a job. If the same job waits or runs, only its counter goes up: a node that is running it notices and runs it once more. If it is
/// dead, it begins anew, as after [`revive`], or stays so.
pub async fn insert(conn: &mut Conn<'_>, job: &New<'_>) -> Result<(), DbError> {
    const SQL: &str =
        "INSERT INTO jobs (id, name, payload, lane, group_id, run_at, attempts, leased_until, lease, additions, created_at)
        VALUES ($1, $2, $3, $4, $5, $6, 0, 0, '', 0, $7)
        ON CONFLICT (name, payload) DO UPDATE SET additions = jobs.additions + 1, lane = excluded.lane,
            group_id = excluded.group_id, dead_at = NULL,
            last_error = CASE WHEN jobs.dead_at IS NULL THEN jobs.last_error END,
            attempts = CASE WHEN jobs.dead_at IS NULL THEN jobs.attempts ELSE 0 END,
            run_at = CASE WHEN jobs.dead_at IS NULL THEN jobs.run_at ELSE excluded.run_at END
        WHERE jobs.dead_at IS NULL OR $8";
    conn.precedes_audit();
    sql!(conn, c => sqlx::query(SQL).bind(job.id).bind(job.name).bind(job.payload).bind(job.lane.text())
        .bind(job.group_id).bind(job.run_at).bind(job.now).bind(job.revives).execute(c).await.map(drop))?;
    Ok(())
}

/// Which jobs to take, and for how long.
#[derive(Clone, Copy, Debug)]
pub struct Claim<'a> {
    pub lane: Lane,
    /// See [`find_group`].
    pub group_id: Uuid,
    /// UTC milliseconds by the clock of the shop.
    pub now: i64,
    /// Unique to this claim.
    pub lease: &'a str,
    /// Milliseconds.
    pub lease_for: i64,
    pub limit: i64,
    /// Its groups do not count.
    pub except: &'a Except,
}

/// Claims due jobs of a group, the longest waiting first. One that has a lease was left by a node that may have done it.
pub async fn claim(conn: &mut Conn<'_>, claim: &Claim<'_>) -> Result<Vec<LeasedJob>, DbError> {
    let (clock, is_due, and_not_held) = (database_clock(conn), is_due(conn), and_none_of(&claim.except.jobs, 7));
    let and_not_lapsed = claim.except.and_none_lapsed();
    // On PostgreSQL, nodes skip rows that another one is claiming; SQLite has one writer at a time.
    let skip = match conn {
        Conn::Postgres(_) => "FOR UPDATE SKIP LOCKED",
        Conn::Sqlite(_) => "",
    };
    let sql = sqlx::AssertSqlSafe(format!(
        "WITH due AS MATERIALIZED (
            SELECT id FROM jobs WHERE {is_due} AND group_id = $6{and_not_held}{and_not_lapsed} ORDER BY run_at LIMIT $5 {skip}
        )
        UPDATE jobs SET lease = $4, leased_until = {clock} + $3, attempts = attempts + 1,
            may_be_done = may_be_done OR lease <> '' WHERE id IN (SELECT id FROM due)
        RETURNING id, name, payload, group_id, lease, run_at, attempts, additions, may_be_done"
    ));
    Ok(sql!(conn, c => {
        let mut query = sqlx::query_as::<_, LeasedJob>(sql).bind(claim.lane.text()).bind(claim.now).bind(claim.lease_for)
            .bind(claim.lease).bind(claim.limit).bind(claim.group_id);
        for id in &claim.except.jobs {
            query = query.bind(*id);
        }
        query.fetch_all(c).await
    })?)
}

/// Extends a lease to so many milliseconds from now, if it is still ours. On PostgreSQL, a row that somebody has locked is left to the next
/// time: waiting for several of them would take longer than the other leases last.
pub async fn renew(conn: &mut Conn<'_>, id: Uuid, lease: &str, lease_for: i64) -> Result<(), DbError> {
    let clock = database_clock(conn);
    let skip = match conn {
        Conn::Postgres(_) => "FOR UPDATE SKIP LOCKED",
        Conn::Sqlite(_) => "",
    };
    let sql = sqlx::AssertSqlSafe(format!(
        "UPDATE jobs SET leased_until = {clock} + $3
        WHERE id = (SELECT id FROM jobs WHERE id = $1 AND lease = $2 {skip})"
    ));
    sql!(conn, c => sqlx::query(sql).bind(id).bind(lease).bind(lease_for).execute(c).await.map(drop))?;
    Ok(())
}

/// Removes a finished job; false when the lease is no longer ours, or the same job was added in the meantime.
pub async fn delete(conn: &mut Conn<'_>, job: &LeasedJob) -> Result<bool, DbError> {
    const SQL: &str = "DELETE FROM jobs WHERE id = $1 AND lease = $2 AND additions = $3";
    let gone = sql!(conn, c => sqlx::query(SQL).bind(job.id).bind(&job.lease).bind(job.additions)
        .execute(c).await.map(|done| done.rows_affected()))?;
    Ok(gone > 0)
}

/// Marks a job as dead, for staff; false when the lease is no longer ours, or the same job was added in the meantime.
pub async fn give_up(conn: &mut Conn<'_>, job: &LeasedJob, error: &str, now: i64) -> Result<bool, DbError> {
    const SQL: &str = "UPDATE jobs SET dead_at = $4, last_error = $5, lease = '', leased_until = 0, may_be_done = $6
        WHERE id = $1 AND lease = $2 AND additions = $3";
    let dead = sql!(conn, c => sqlx::query(SQL).bind(job.id).bind(&job.lease).bind(job.additions).bind(now).bind(error)
        .bind(job.may_be_done).execute(c).await.map(|done| done.rows_affected()))?;
    Ok(dead > 0)
}

/// When a job runs again, and the error of its last run.
#[derive(Clone, Copy, Debug)]
pub struct Again<'a> {
    pub run_at: i64,
    pub attempts: i64,
    pub error: Option<&'a str>,
}

/// Releases a job, if the lease is still ours.
pub async fn release(conn: &mut Conn<'_>, job: &LeasedJob, again: Again<'_>) -> Result<(), DbError> {
    const SQL: &str = "UPDATE jobs SET run_at = $3, attempts = $4, last_error = $5, lease = '', leased_until = 0,
            may_be_done = $6
        WHERE id = $1 AND lease = $2";
    sql!(conn, c => sqlx::query(SQL).bind(job.id).bind(&job.lease).bind(again.run_at).bind(again.attempts)
        .bind(again.error).bind(job.may_be_done).execute(c).await.map(drop))?;
    Ok(())
}

/// Some dead jobs, the first that died first.
pub async fn list_dead(conn: &mut Conn<'_>) -> Result<Vec<Row>, DbError> {
    list(conn, "dead_at IS NOT NULL ORDER BY dead_at").await
}

/// Some jobs that are not dead, the first that is due first.
pub async fn list_living(conn: &mut Conn<'_>) -> Result<Vec<Row>, DbError> {
    list(conn, "dead_at IS NULL ORDER BY run_at").await
}

async fn list(conn: &mut Conn<'_>, which: &str) -> Result<Vec<Row>, DbError> {
    let sql = sqlx::AssertSqlSafe(format!(
        "SELECT id, name, payload, run_at, attempts, leased_until > {} AS is_leased, last_error, dead_at FROM jobs
        WHERE {which} LIMIT 500",
        database_clock(conn)
    ));
    Ok(sql!(conn, c => sqlx::query_as::<_, Row>(sql).fetch_all(c).await)?)
}

/// The group of a lane with the job to take next, besides some; takes none. It looks at the first job of each group, so however many wait
/// in one, the others cost nothing.
pub async fn find_group(
    conn: &mut Conn<'_>,
    lane: Lane,
    now: i64,
    lease_for: i64,
    except: &Except,
) -> Result<Option<Uuid>, DbError> {
    let is_due = is_due(conn);
    let and_not_held = and_none_of(&except.jobs, 4);
    let and_has_room = and_none_of(&except.groups, 4 + except.jobs.len());
    let and_not_lapsed = except.and_none_lapsed();
    let sql = sqlx::AssertSqlSafe(format!(
        "WITH RECURSIVE named(id) AS (
            SELECT (SELECT group_id FROM jobs WHERE lane = $1 AND dead_at IS NULL ORDER BY group_id LIMIT 1)
            UNION ALL SELECT (SELECT group_id FROM jobs WHERE lane = $1 AND dead_at IS NULL AND group_id > named.id
                ORDER BY group_id LIMIT 1)
            FROM named WHERE named.id IS NOT NULL)
        SELECT id FROM (
            SELECT id, (SELECT run_at FROM jobs WHERE {is_due} AND group_id = named.id{and_not_held}{and_not_lapsed}
                ORDER BY run_at LIMIT 1) AS run_at
            FROM named WHERE id IS NOT NULL{and_has_room}) AS due
        WHERE run_at IS NOT NULL ORDER BY run_at LIMIT 1"
    ));
    Ok(sql!(conn, c => {
        let mut query = sqlx::query_scalar(sql).bind(lane.text()).bind(now).bind(lease_for);
        for id in except.jobs.iter().chain(&except.groups) {
            query = query.bind(*id);
        }
        query.fetch_optional(c).await
    })?)
}

/// When the next job of a lane becomes due after `now`.
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

/// How many jobs are counted at most.
pub const COUNTED: i64 = 10_000;

/// Due jobs that no node has taken.
#[derive(Clone, Copy, Debug, FromRow)]
pub struct Waiting {
    /// Up to [`COUNTED`].
    pub count: i64,
    /// When the oldest of them became due, UTC milliseconds.
    pub since: Option<i64>,
}

pub async fn get_waiting(conn: &mut Conn<'_>, lane: Lane, now: i64, lease_for: i64) -> Result<Waiting, DbError> {
    let sql = sqlx::AssertSqlSafe(format!(
        "SELECT COUNT(*) AS count, MIN(run_at) AS since
        FROM (SELECT run_at FROM jobs WHERE {} ORDER BY run_at LIMIT {COUNTED}) AS due",
        is_due(conn)
    ));
    Ok(
        sql!(conn, c => sqlx::query_as::<_, Waiting>(sql).bind(lane.text()).bind(now).bind(lease_for).fetch_one(c).await)?,
    )
}

/// Jobs that were given up.
#[derive(Clone, Copy, Debug, FromRow)]
pub struct Dead {
    pub count: i64,
    /// When the first of them was given up, UTC milliseconds.
    pub since: Option<i64>,
}

pub async fn get_dead(conn: &mut Conn<'_>, lane: Lane) -> Result<Dead, DbError> {
    const SQL: &str =
        "SELECT COUNT(*) AS count, MIN(dead_at) AS since FROM jobs WHERE lane = $1 AND dead_at IS NOT NULL";
    Ok(sql!(conn, c => sqlx::query_as::<_, Dead>(SQL).bind(lane.text()).fetch_one(c).await)?)
}

/// The jobs of a kind: its dead ones, and the others in the order in which they are due, up to [`COUNTED`] of both.
#[derive(Clone, Copy, Debug, FromRow)]
pub struct OfKind {
    /// Not due yet.
    pub scheduled: i64,
    /// Due, but no node has taken them.
    pub waiting: i64,
    /// Failed, to be tried again.
    pub failed: i64,
    pub running: i64,
    pub dead: i64,
    /// When the oldest of those that are due became so, UTC milliseconds.
    pub due_since: Option<i64>,
}

/// The names of all kinds that have jobs.
pub async fn list_names(conn: &mut Conn<'_>) -> Result<Vec<String>, DbError> {
    const SQL: &str = "WITH RECURSIVE named(name) AS (
            SELECT (SELECT name FROM jobs ORDER BY name LIMIT 1)
            UNION ALL SELECT (SELECT name FROM jobs WHERE name > named.name ORDER BY name LIMIT 1)
            FROM named WHERE named.name IS NOT NULL)
        SELECT name FROM named WHERE name IS NOT NULL";
    Ok(sql!(conn, c => sqlx::query_scalar(SQL).fetch_all(c).await)?)
}

/// `dead_at` is null in all rows that are ordered by it: PostgreSQL follows the index only if it is named.
pub async fn get_of_kind(conn: &mut Conn<'_>, name: &str, now: i64) -> Result<OfKind, DbError> {
    let sql = sqlx::AssertSqlSafe(format!(
        "SELECT COUNT(CASE WHEN NOT leased AND last_error IS NULL AND run_at > $2 THEN 1 END) AS scheduled,
            COUNT(CASE WHEN NOT leased AND last_error IS NULL AND run_at <= $2 THEN 1 END) AS waiting,
            COUNT(CASE WHEN NOT leased AND last_error IS NOT NULL THEN 1 END) AS failed,
            COUNT(CASE WHEN leased THEN 1 END) AS running,
            (SELECT COUNT(*) FROM (SELECT 1 FROM jobs WHERE name = $1 AND dead_at IS NOT NULL LIMIT {COUNTED}) AS gone) AS dead,
            MIN(CASE WHEN NOT leased AND run_at <= $2 THEN run_at END) AS due_since
        FROM (SELECT run_at, last_error, leased_until > {} AS leased FROM jobs WHERE name = $1 AND dead_at IS NULL
            ORDER BY dead_at, run_at LIMIT {COUNTED}) AS living",
        database_clock(conn)
    ));
    Ok(sql!(conn, c => sqlx::query_as::<_, OfKind>(sql).bind(name).bind(now).fetch_one(c).await)?)
}

/// Lets a dead job run again with its attempts reset; answers with its name, or none if there is no such job.
pub async fn revive(conn: &mut Conn<'_>, id: Uuid, now: i64) -> Result<Option<String>, DbError> {
    const SQL: &str = "UPDATE jobs SET dead_at = NULL, last_error = NULL, attempts = 0, run_at = $2
        WHERE id = $1 AND dead_at IS NOT NULL RETURNING name";
    Ok(sql!(conn, c => sqlx::query_scalar(SQL).bind(id).bind(now).fetch_optional(c).await)?)
}

/// As [`revive`], for all dead jobs of a lane; answers with their number.
pub async fn revive_lane(conn: &mut Conn<'_>, lane: Lane, now: i64) -> Result<u64, DbError> {
    const SQL: &str = "UPDATE jobs SET dead_at = NULL, last_error = NULL, attempts = 0, run_at = $2
        WHERE lane = $1 AND dead_at IS NOT NULL";
    conn.precedes_audit();
    Ok(sql!(conn, c => sqlx::query(SQL).bind(lane.text()).bind(now).execute(c).await
        .map(|done| done.rows_affected()))?)
}

/// As [`revive`], for the job with this content.
pub async fn revive_same(conn: &mut Conn<'_>, name: &str, payload: &str, now: i64) -> Result<(), DbError> {
    const SQL: &str = "UPDATE jobs SET dead_at = NULL, last_error = NULL, attempts = 0, run_at = $3
        WHERE name = $1 AND payload = $2 AND dead_at IS NOT NULL";
    sql!(conn, c => sqlx::query(SQL).bind(name).bind(payload).bind(now).execute(c).await.map(drop))?;
    Ok(())
}

/// The content of a dead job of a kind.
pub async fn find_dead(conn: &mut Conn<'_>, id: Uuid, name: &str) -> Result<Option<String>, DbError> {
    const SQL: &str = "SELECT payload FROM jobs WHERE id = $1 AND name = $2 AND dead_at IS NOT NULL";
    Ok(sql!(conn, c => sqlx::query_scalar(SQL).bind(id).bind(name).fetch_optional(c).await)?)
}

/// Removes a dead job; answers with its name, or none if there is no such job.
pub async fn delete_dead(conn: &mut Conn<'_>, id: Uuid) -> Result<Option<String>, DbError> {
    const SQL: &str = "DELETE FROM jobs WHERE id = $1 AND dead_at IS NOT NULL RETURNING name";
    Ok(sql!(conn, c => sqlx::query_scalar(SQL).bind(id).fetch_optional(c).await)?)
}

/// Removes a job, unless a node is running it, or was when it died; false when nothing was removed, or it may be done.
pub async fn delete_idle(conn: &mut Conn<'_>, name: &str, payload: &str) -> Result<bool, DbError> {
    const SQL: &str = "DELETE FROM jobs WHERE name = $1 AND payload = $2 AND lease = '' RETURNING may_be_done";
    conn.precedes_audit();
    let may_be_done: Option<bool> =
        sql!(conn, c => sqlx::query_scalar(SQL).bind(name).bind(payload).fetch_optional(c).await)?;
    Ok(may_be_done == Some(false))
}

/// Whether there is a job that was certainly not done yet.
pub async fn is_undone(conn: &mut Conn<'_>, name: &str, payload: &str) -> Result<bool, DbError> {
    const SQL: &str = "SELECT may_be_done FROM jobs WHERE name = $1 AND payload = $2";
    let may_be_done: Option<bool> =
        sql!(conn, c => sqlx::query_scalar(SQL).bind(name).bind(payload).fetch_optional(c).await)?;
    Ok(may_be_done == Some(false))
}

/// A job that no node holds.
#[derive(Clone, Debug, FromRow)]
pub struct Idle {
    pub id: Uuid,
    pub name: String,
    pub payload: String,
    pub run_at: i64,
    pub attempts: i64,
}

/// Some jobs without a lane, added by an earlier version of the program.
pub async fn list_without_lane(conn: &mut Conn<'_>) -> Result<Vec<Idle>, DbError> {
    const SQL: &str = "SELECT id, name, payload, run_at, attempts FROM jobs WHERE lane IS NULL AND dead_at IS NULL ORDER BY run_at LIMIT 500";
    Ok(sql!(conn, c => sqlx::query_as::<_, Idle>(SQL).fetch_all(c).await)?)
}

pub async fn set_lane(conn: &mut Conn<'_>, id: Uuid, lane: Lane) -> Result<(), DbError> {
    const SQL: &str = "UPDATE jobs SET lane = $2 WHERE id = $1";
    sql!(conn, c => sqlx::query(SQL).bind(id).bind(lane.text()).execute(c).await.map(drop))?;
    Ok(())
}

/// Jobs of a lane without a group, after a place, which is a time and an id; the first that is due first.
pub async fn list_without_group(conn: &mut Conn<'_>, lane: Lane, after: (i64, Uuid)) -> Result<Vec<Idle>, DbError> {
    let sql = sqlx::AssertSqlSafe(format!(
        "SELECT id, name, payload, run_at, attempts FROM jobs
        WHERE lane = $1 AND group_id = $2 AND dead_at IS NULL AND (run_at, id) > ($3, $4)
        ORDER BY run_at, id LIMIT {AFTER_AT_ONCE}"
    ));
    let (run_at, id) = after;
    Ok(sql!(conn, c => sqlx::query_as::<_, Idle>(sql).bind(lane.text()).bind(Uuid::nil()).bind(run_at).bind(id)
        .fetch_all(c).await)?)
}

pub async fn set_group(conn: &mut Conn<'_>, id: Uuid, group: Uuid) -> Result<(), DbError> {
    const SQL: &str = "UPDATE jobs SET group_id = $2 WHERE id = $1";
    sql!(conn, c => sqlx::query(SQL).bind(id).bind(group).execute(c).await.map(drop))?;
    Ok(())
}

/// How many jobs [`list_after`] and [`list_without_group`] read at once.
pub const AFTER_AT_ONCE: usize = 500;

/// The jobs that no node holds, due after a time and before a place, which is a time and an id; the latest first.
pub async fn list_after(
    conn: &mut Conn<'_>,
    time: i64,
    before: (i64, Uuid),
    lease_for: i64,
) -> Result<Vec<Idle>, DbError> {
    let sql = sqlx::AssertSqlSafe(format!(
        "SELECT id, name, payload, run_at, attempts FROM jobs
         WHERE run_at > $1 AND (run_at, id) < ($2, $4) AND dead_at IS NULL AND {}
         ORDER BY run_at DESC, id DESC LIMIT {AFTER_AT_ONCE}",
        is_free(conn)
    ));
    let (run_at, id) = before;
    Ok(sql!(conn, c => sqlx::query_as::<_, Idle>(sql).bind(time).bind(run_at).bind(lease_for).bind(id)
        .fetch_all(c).await)?)
}

/// Reschedules a job, unless it was rescheduled or taken since it was read.
pub async fn move_run(conn: &mut Conn<'_>, job: &Idle, run_at: i64, lease_for: i64) -> Result<(), DbError> {
    let sql =
        sqlx::AssertSqlSafe(format!("UPDATE jobs SET run_at = $4 WHERE id = $1 AND run_at = $2 AND {}", is_free(conn)));
    sql!(conn, c => sqlx::query(sql).bind(job.id).bind(job.run_at).bind(lease_for).bind(run_at)
        .execute(c).await.map(drop))?;
    Ok(())
}

/// Ids and payloads of the jobs of a name.
pub async fn list_payloads(conn: &mut Conn<'_>, name: &str) -> Result<Vec<(Uuid, String)>, DbError> {
    const SQL: &str = "SELECT id, payload FROM jobs WHERE name = $1";
    Ok(sql!(conn, c => sqlx::query_as(SQL).bind(name).fetch_all(c).await)?)
}

/// Removes a job, even one that is running.
pub async fn remove(conn: &mut Conn<'_>, id: Uuid) -> Result<(), DbError> {
    const SQL: &str = "DELETE FROM jobs WHERE id = $1";
    sql!(conn, c => sqlx::query(SQL).bind(id).execute(c).await.map(drop))?;
    Ok(())
}

//! All SQL of endpoints and dispatches.

use shop_base::db::{Conn, DbError, decoded};
use shop_base::sql;
use uuid::Uuid;

use super::model::{DispatchStatus, EndpointInput, NotificationKind, OffReason, Outcome};
use super::queries::{COLUMNS, find};
use super::rows::{Dispatch, Endpoint, OlderSecret};

/// Ids of the enabled endpoints, with their subscriptions.
pub async fn list_enabled(conn: &mut Conn<'_>) -> Result<Vec<(Uuid, String)>, DbError> {
    const SQL: &str = "SELECT id, events FROM endpoints WHERE is_enabled ORDER BY created_at, id";
    Ok(sql!(conn, c => sqlx::query_as(SQL).fetch_all(c).await)?)
}

/// Locks the endpoint until the transaction ends.
pub async fn lock_endpoint(conn: &mut Conn<'_>, id: Uuid) -> Result<Option<Endpoint>, DbError> {
    find(conn, format!("UPDATE endpoints SET version = version WHERE id = $1 RETURNING {COLUMNS}"), id).await
}

/// Makes others who create endpoints wait until the transaction ends. SQLite has only one writer anyway.
pub async fn lock_creation(conn: &mut Conn<'_>) -> Result<(), DbError> {
    if let Conn::Postgres(c) = conn {
        c.run(sqlx::query("LOCK TABLE endpoints IN SHARE ROW EXCLUSIVE MODE")).await?;
    }
    Ok(())
}

fn names(events: &[NotificationKind]) -> Result<String, DbError> {
    decoded("events", serde_json::to_string(events))
}

pub async fn insert_endpoint(
    conn: &mut Conn<'_>,
    id: Uuid,
    input: &EndpointInput,
    secret: &[u8],
    request: Option<Uuid>,
    now: i64,
) -> Result<(), DbError> {
    const SQL: &str = "INSERT INTO endpoints (id, name, url, events, is_enabled, secret, secret_request_id,
        resting_until, version, created_at, updated_at) VALUES ($1, $2, $3, $4, $5, $6, $7, 0, 1, $8, $8)";
    let events = names(&input.events)?;
    sql!(conn, c => sqlx::query(SQL).bind(id).bind(&input.name).bind(&input.url).bind(events).bind(input.is_enabled)
        .bind(secret).bind(request).bind(now).execute(c).await.map(drop))?;
    Ok(())
}

/// Changed by staff: its failures are reset, so that it is tried again.
pub async fn update_endpoint(conn: &mut Conn<'_>, id: Uuid, input: &EndpointInput, now: i64) -> Result<(), DbError> {
    const SQL: &str =
        "UPDATE endpoints SET name = $2, url = $3, events = $4, is_enabled = $5, off_why = NULL, failing_since = NULL,
        resting_until = 0, version = version + 1, updated_at = $6 WHERE id = $1";
    let events = names(&input.events)?;
    sql!(conn, c => sqlx::query(SQL).bind(id).bind(&input.name).bind(&input.url).bind(events).bind(input.is_enabled)
        .bind(now).execute(c).await.map(drop))?;
    Ok(())
}

/// The current secret becomes the former one, in place of that until now.
pub async fn replace_secret(
    conn: &mut Conn<'_>,
    id: Uuid,
    secret: &[u8],
    request: Option<Uuid>,
    former_until: i64,
    now: i64,
) -> Result<(), DbError> {
    const SQL: &str =
        "UPDATE endpoints SET former_secret = secret, former_until = $4, secret = $2, secret_request_id = $3,
        version = version + 1, updated_at = $5 WHERE id = $1";
    sql!(conn, c => sqlx::query(SQL).bind(id).bind(secret).bind(request).bind(former_until).bind(now).execute(c).await
        .map(drop))?;
    Ok(())
}

/// The secrets that an endpoint had before its former one, the newest first; also those whose time is over, until the daily cleanup.
pub async fn list_older_secrets(conn: &mut Conn<'_>, endpoint: Uuid) -> Result<Vec<OlderSecret>, DbError> {
    const SQL: &str = "SELECT id, secret, signs_until FROM endpoint_secrets WHERE endpoint_id = $1
        ORDER BY signs_until DESC, id DESC";
    Ok(sql!(conn, c => sqlx::query_as::<_, OlderSecret>(SQL).bind(endpoint).fetch_all(c).await)?)
}

pub async fn insert_older_secret(conn: &mut Conn<'_>, endpoint: Uuid, older: &OlderSecret) -> Result<(), DbError> {
    const SQL: &str = "INSERT INTO endpoint_secrets (id, endpoint_id, secret, signs_until) VALUES ($1, $2, $3, $4)";
    sql!(conn, c => sqlx::query(SQL).bind(older.id).bind(endpoint).bind(older.secret.as_slice())
        .bind(older.signs_until).execute(c).await.map(drop))?;
    Ok(())
}

/// Those that still sign do so until then.
pub async fn prolong_older_secrets(conn: &mut Conn<'_>, endpoint: Uuid, until: i64, now: i64) -> Result<(), DbError> {
    const SQL: &str = "UPDATE endpoint_secrets SET signs_until = $2 WHERE endpoint_id = $1 AND signs_until > $3";
    sql!(conn, c => sqlx::query(SQL).bind(endpoint).bind(until).bind(now).execute(c).await.map(drop))?;
    Ok(())
}

/// Deletes an endpoint with its secrets. Of its dispatches there may be any number: the daily cleanup deletes them.
pub async fn delete_endpoint(conn: &mut Conn<'_>, id: Uuid) -> Result<(), DbError> {
    const SQL: &str = "DELETE FROM endpoints WHERE id = $1";
    sql!(conn, c => sqlx::query(SQL).bind(id).execute(c).await.map(drop))?;
    Ok(())
}

/// Resets its failures after a delivery.
pub async fn set_reached(conn: &mut Conn<'_>, id: Uuid) -> Result<(), DbError> {
    const SQL: &str =
        "UPDATE endpoints SET failing_since = NULL, resting_until = 0 WHERE id = $1 AND failing_since IS NOT NULL";
    sql!(conn, c => sqlx::query(SQL).bind(id).execute(c).await.map(drop))?;
    Ok(())
}

/// Records a failure, and since when everything has failed.
pub async fn set_failing(conn: &mut Conn<'_>, id: Uuid, since: i64, resting_until: i64) -> Result<(), DbError> {
    const SQL: &str = "UPDATE endpoints SET failing_since = $2, resting_until = $3 WHERE id = $1";
    sql!(conn, c => sqlx::query(SQL).bind(id).bind(since).bind(resting_until).execute(c).await.map(drop))?;
    Ok(())
}

/// Disables it; false when it was disabled already.
pub async fn switch_off(conn: &mut Conn<'_>, id: Uuid, why: OffReason, now: i64) -> Result<bool, DbError> {
    const SQL: &str =
        "UPDATE endpoints SET is_enabled = FALSE, off_why = $2, resting_until = 0, version = version + 1, updated_at = $3
        WHERE id = $1 AND is_enabled";
    let rows = sql!(conn, c => sqlx::query(SQL).bind(id).bind(why.text()).bind(now).execute(c).await
        .map(|done| done.rows_affected()))?;
    Ok(rows == 1)
}

pub async fn insert_dispatch(conn: &mut Conn<'_>, dispatch: &Dispatch, now: i64) -> Result<(), DbError> {
    const SQL: &str =
        "INSERT INTO dispatches (id, notification_id, endpoint_id, kind, subject, payload, status, by_hand,
        attempts, created_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)";
    sql!(conn, c => sqlx::query(SQL).bind(dispatch.id).bind(dispatch.notification_id).bind(dispatch.endpoint_id)
        .bind(&dispatch.kind).bind(&dispatch.subject).bind(&dispatch.payload).bind(dispatch.status.text())
        .bind(dispatch.by_hand).bind(dispatch.attempts).bind(now).execute(c).await.map(drop))?;
    Ok(())
}

pub async fn find_dispatch(conn: &mut Conn<'_>, id: Uuid) -> Result<Option<Dispatch>, DbError> {
    const SQL: &str = "SELECT id, notification_id, endpoint_id, kind, subject, payload, status, by_hand, attempts,
        first_at FROM dispatches WHERE id = $1";
    Ok(sql!(conn, c => sqlx::query_as::<_, Dispatch>(SQL).bind(id).fetch_optional(c).await)?)
}

/// Ends a dispatch that is still waiting.
pub async fn end_waiting(
    conn: &mut Conn<'_>,
    id: Uuid,
    status: DispatchStatus,
    error: Option<&str>,
) -> Result<(), DbError> {
    const SQL: &str = "UPDATE dispatches SET status = $2, last_error = COALESCE($3, last_error)
        WHERE id = $1 AND status = 'waiting'";
    sql!(conn, c => sqlx::query(SQL).bind(id).bind(status.text()).bind(error).execute(c).await.map(drop))?;
    Ok(())
}

/// One attempt of a dispatch.
#[derive(Debug)]
pub struct Attempt<'a> {
    pub dispatch: Uuid,
    /// 1 for the first.
    pub number: i64,
    /// When it began, UTC milliseconds.
    pub at: i64,
    /// Milliseconds.
    pub duration: i64,
    pub outcome: &'a Outcome,
}

/// Stores an attempt and its dispatch's new status. A dispatch that was replaced in the meantime stays replaced. If a clock that ran ahead
/// has stored the first attempt, this one is the first: else it would be retried for as much longer.
pub async fn insert_attempt(conn: &mut Conn<'_>, attempt: &Attempt<'_>, status: DispatchStatus) -> Result<(), DbError> {
    const INSERT: &str = "INSERT INTO dispatch_attempts (dispatch_id, number, at, duration, code, error, answer)
        VALUES ($1, $2, $3, $4, $5, $6, $7)";
    const UPDATE: &str =
        "UPDATE dispatches SET attempts = $2, first_at = CASE WHEN first_at <= $3 THEN first_at ELSE $3 END,
        last_at = $3, last_code = $4, last_error = $5,
        status = CASE WHEN status = 'waiting' THEN $6 ELSE status END WHERE id = $1";
    let Attempt { dispatch, number, at, duration, outcome } = attempt;
    let code = outcome.code.map(i64::from);
    let error = outcome.error.as_deref();
    sql!(&mut *conn, c => sqlx::query(INSERT).bind(dispatch).bind(number).bind(at).bind(duration).bind(code).bind(error)
        .bind(&outcome.answer).execute(c).await.map(drop))?;
    sql!(conn, c => sqlx::query(UPDATE).bind(dispatch).bind(number).bind(at).bind(code).bind(error)
        .bind(status.text()).execute(c).await.map(drop))?;
    Ok(())
}

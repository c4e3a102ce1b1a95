//! Queries on endpoints, for screens.

use shop_base::db::{Conn, DbError};
use shop_base::sql;
use uuid::Uuid;

use super::rows::Endpoint;

pub(super) const COLUMNS: &str =
    "id, name, url, events, is_enabled, off_why, secret, secret_request_id, former_secret, former_until,
    failing_since, resting_until, version, created_at";

pub async fn list_endpoints(conn: &mut Conn<'_>) -> Result<Vec<Endpoint>, DbError> {
    let sql = sqlx::AssertSqlSafe(format!("SELECT {COLUMNS} FROM endpoints ORDER BY created_at, id"));
    Ok(sql!(conn, c => sqlx::query_as::<_, Endpoint>(sql).fetch_all(c).await)?)
}

pub async fn find_endpoint(conn: &mut Conn<'_>, id: Uuid) -> Result<Option<Endpoint>, DbError> {
    find(conn, format!("SELECT {COLUMNS} FROM endpoints WHERE id = $1"), id).await
}

/// The endpoint that a statement with the parameter `$1` returns.
pub(super) async fn find(conn: &mut Conn<'_>, sql: String, id: Uuid) -> Result<Option<Endpoint>, DbError> {
    let sql = sqlx::AssertSqlSafe(sql);
    Ok(sql!(conn, c => sqlx::query_as::<_, Endpoint>(sql).bind(id).fetch_optional(c).await)?)
}

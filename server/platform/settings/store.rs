//! SQL of the settings' parts.

use shop_base::db::{Conn, DbError};
use shop_base::sql;

/// A part's version.
pub async fn find_version(conn: &mut Conn<'_>, name: &str) -> Result<i64, DbError> {
    const SQL: &str = "SELECT version FROM settings WHERE name = $1";
    Ok(sql!(conn, c => sqlx::query_scalar(SQL).bind(name).fetch_one(c).await)?)
}

/// Increments a part's version; false when it is not `version`.
pub async fn raise_version(conn: &mut Conn<'_>, name: &str, version: i64, now: i64) -> Result<bool, DbError> {
    const SQL: &str = "UPDATE settings SET version = version + 1, updated_at = $3 WHERE name = $1 AND version = $2";
    let rows = sql!(conn, c => sqlx::query(SQL).bind(name).bind(version).bind(now).execute(c).await
        .map(|done| done.rows_affected()))?;
    Ok(rows == 1)
}

/// A part's value and version.
pub async fn find_value(conn: &mut Conn<'_>, name: &str) -> Result<(String, i64), DbError> {
    const SQL: &str = "SELECT value, version FROM settings WHERE name = $1";
    Ok(sql!(conn, c => sqlx::query_as(SQL).bind(name).fetch_one(c).await)?)
}

pub async fn set_value(conn: &mut Conn<'_>, name: &str, value: &str) -> Result<(), DbError> {
    const SQL: &str = "UPDATE settings SET value = $2 WHERE name = $1";
    sql!(conn, c => sqlx::query(SQL).bind(name).bind(value).execute(c).await.map(drop))?;
    Ok(())
}

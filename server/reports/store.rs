//! How far the roll-ups have come.

use sqlx::FromRow;

use crate::db::{Conn, DbError};
use crate::sql;

/// State of one kind of figures.
#[derive(Clone, Debug, PartialEq, Eq, FromRow)]
pub struct State {
    pub zone: String,
    /// What was written before this is in the figures. UTC milliseconds.
    pub seen_until: i64,
    pub version: i64,
}

/// The state of a kind of figures, made when missing.
pub async fn get_state(conn: &mut Conn<'_>, name: &str) -> Result<Option<State>, DbError> {
    const SQL: &str = "SELECT zone, seen_until, version FROM rollups WHERE name = $1";
    Ok(sql!(conn, c => sqlx::query_as::<_, State>(SQL).bind(name).fetch_optional(c).await)?)
}

pub async fn insert_state(conn: &mut Conn<'_>, name: &str) -> Result<(), DbError> {
    const SQL: &str =
        "INSERT INTO rollups (name, zone, seen_until, version) VALUES ($1, '', 0, 0) ON CONFLICT (name) DO NOTHING";
    sql!(conn, c => sqlx::query(SQL).bind(name).execute(c).await.map(drop))?;
    Ok(())
}

/// Takes the right to write, until the transaction ends, for whoever has seen this version; false when another one wrote since.
pub async fn advance(conn: &mut Conn<'_>, name: &str, seen: &State) -> Result<bool, DbError> {
    const SQL: &str =
        "UPDATE rollups SET zone = $2, seen_until = $3, version = $4 + 1 WHERE name = $1 AND version = $4";
    let rows = sql!(conn, c => sqlx::query(SQL).bind(name).bind(&seen.zone).bind(seen.seen_until).bind(seen.version)
        .execute(c).await.map(|done| done.rows_affected()))?;
    Ok(rows == 1)
}

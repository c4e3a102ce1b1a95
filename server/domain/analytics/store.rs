//! The progress of the roll-ups.

use shop_base::db::{Conn, Db, DbError};
use shop_base::sql;
use sqlx::FromRow;

/// The state of one roll-up.
#[derive(Clone, Debug, PartialEq, Eq, FromRow)]
pub struct State {
    pub zone: String,
    /// Rows written before this time are included in the figures. UTC milliseconds.
    pub seen_until: i64,
    pub version: i64,
    /// The last version written by a release that counts event by event; a former release increments `version` without setting this.
    pub own_version: i64,
    /// Visits: the first day that is stored visit by visit. Sales: how far a recount has come; empty if there is none.
    pub first_day: String,
    /// Events from this time on have yet to be queued, UTC milliseconds.
    pub queued_until: i64,
}

/// The state of a roll-up, created if missing.
pub async fn state(db: &Db, name: &str) -> Result<State, DbError> {
    if let Some(state) = find_state(&mut db.read().await?.conn(), name).await? {
        return Ok(state);
    }
    let mut tx = db.begin().await?;
    insert_state(&mut tx.conn(), name).await?;
    let state = find_state(&mut tx.conn(), name).await?;
    tx.commit().await?;
    state.ok_or(DbError::Inconsistent("a roll-up has no state"))
}

async fn find_state(conn: &mut Conn<'_>, name: &str) -> Result<Option<State>, DbError> {
    const SQL: &str =
        "SELECT zone, seen_until, version, own_version, first_day, queued_until FROM rollups WHERE name = $1";
    Ok(sql!(conn, c => sqlx::query_as::<_, State>(SQL).bind(name).fetch_optional(c).await)?)
}

async fn insert_state(conn: &mut Conn<'_>, name: &str) -> Result<(), DbError> {
    const SQL: &str =
        "INSERT INTO rollups (name, zone, seen_until, version) VALUES ($1, '', 0, 0) ON CONFLICT (name) DO NOTHING";
    sql!(conn, c => sqlx::query(SQL).bind(name).execute(c).await.map(drop))?;
    Ok(())
}

/// Writes a state if it still has the given version, and thereby holds the row until the transaction ends; false if another node wrote
/// since. On success the state has the next version.
pub async fn advance(conn: &mut Conn<'_>, name: &str, state: &mut State) -> Result<bool, DbError> {
    const SQL: &str = "UPDATE rollups SET zone = $2, seen_until = $3, first_day = $5, queued_until = $6,
        version = $4 + 1, own_version = $4 + 1 WHERE name = $1 AND version = $4";
    let rows = sql!(conn, c => sqlx::query(SQL).bind(name).bind(&state.zone).bind(state.seen_until).bind(state.version)
        .bind(&state.first_day).bind(state.queued_until).execute(c).await.map(|done| done.rows_affected()))?;
    state.version += 1;
    state.own_version = state.version;
    Ok(rows == 1)
}

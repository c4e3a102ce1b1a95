//! All SQL of visitor activity.

use serde::Serialize;
use shop_base::db::purge::{Over, purge};
use shop_base::db::{Conn, Db, DbError};
use shop_base::sql;
use sqlx::FromRow;
use uuid::Uuid;

use super::model::StoredEvent;

/// Inserts events in one statement, but those that are already stored because their report came twice. It is not kept prepared, since each number
/// of events has its own.
pub async fn insert_events(conn: &mut Conn<'_>, events: &[StoredEvent]) -> Result<(), DbError> {
    const SQL: &str =
        "INSERT INTO activity_events (id, kind, page, feature, action, session_duration, session_id, user_id, network,
            results, occurred_at, received_at) ";
    if events.is_empty() {
        return Ok(());
    }
    sql!(conn, c => {
        let mut query = sqlx::QueryBuilder::new(SQL);
        query.push_values(events, |mut row, StoredEvent { id, event, reporter, results, received_at }| {
            row.push_bind(*id).push_bind(event.kind.name()).push_bind(&event.page).push_bind(&event.feature)
                .push_bind(&event.action).push_bind(event.session_duration).push_bind(event.session_id)
                .push_bind(reporter.user_id).push_bind(&reporter.network).push_bind(*results)
                .push_bind(event.occurred_at).push_bind(*received_at);
        });
        query.push(" ON CONFLICT (id) DO NOTHING").build().persistent(false).execute(c).await.map(drop)
    })?;
    Ok(())
}

/// The number of a user's events, counted up to a limit.
pub async fn count_by_user(conn: &mut Conn<'_>, user: Uuid, limit: i64) -> Result<i64, DbError> {
    const SQL: &str = "SELECT COUNT(*) FROM (SELECT 1 FROM activity_events WHERE user_id = $1 LIMIT $2) AS counted";
    Ok(sql!(conn, c => sqlx::query_scalar(SQL).bind(user).bind(limit).fetch_one(c).await)?)
}

/// A user's activity before an event, the newest first.
pub async fn list_by_user(
    conn: &mut Conn<'_>,
    user: Uuid,
    before: Uuid,
    limit: i64,
) -> Result<Vec<UserEvent>, DbError> {
    const SQL: &str = "SELECT id, kind, page, feature, action, occurred_at FROM activity_events
        WHERE user_id = $1 AND id < $2 ORDER BY id DESC LIMIT $3";
    Ok(sql!(conn, c => sqlx::query_as(SQL).bind(user).bind(before).bind(limit).fetch_all(c).await)?)
}

/// Deletes a user's activity in batches.
pub async fn delete_by_user(db: &Db, user: Uuid) -> Result<(), DbError> {
    purge(db, Over { table: "activity_events", key: "id", condition: "user_id = $1" }, user).await.map(drop)
}

/// An event as contained in the user's export.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromRow)]
pub struct UserEvent {
    /// Begins with the time.
    #[serde(skip)]
    pub id: Uuid,
    pub kind: String,
    pub page: Option<String>,
    pub feature: Option<String>,
    pub action: Option<String>,
    /// UTC milliseconds.
    pub occurred_at: i64,
}

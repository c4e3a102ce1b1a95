//! All SQL of visitor activity.

use serde::Serialize;
use shop_base::db::{Conn, DbError};
use shop_base::sql;
use sqlx::FromRow;
use uuid::Uuid;

use super::model::StoredEvent;

/// Inserts an event, unless it is already stored because its report came twice.
pub async fn insert_event(conn: &mut Conn<'_>, stored: &StoredEvent) -> Result<(), DbError> {
    let StoredEvent { id, event, reporter, results, received_at } = stored;
    sql!(conn, c => sqlx::query(
        "INSERT INTO activity_events (id, kind, page, feature, action, session_duration, session_id, user_id, network,
             results, occurred_at, received_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) ON CONFLICT (id) DO NOTHING",
    )
    .bind(id)
    .bind(event.kind.name())
    .bind(&event.page)
    .bind(&event.feature)
    .bind(&event.action)
    .bind(event.session_duration)
    .bind(event.session_id)
    .bind(reporter.user_id)
    .bind(&reporter.network)
    .bind(results)
    .bind(event.occurred_at)
    .bind(received_at)
    .execute(c)
    .await
    .map(drop))?;
    Ok(())
}

/// A user's activity, the newest first: kind, page, feature, action and time (UTC milliseconds).
pub async fn list_by_user(conn: &mut Conn<'_>, user: Uuid) -> Result<Vec<UserEvent>, DbError> {
    const SQL: &str = "SELECT kind, page, feature, action, occurred_at FROM activity_events WHERE user_id = $1
        ORDER BY occurred_at DESC";
    Ok(sql!(conn, c => sqlx::query_as(SQL).bind(user).fetch_all(c).await)?)
}

pub async fn delete_by_user(conn: &mut Conn<'_>, user: Uuid) -> Result<(), DbError> {
    const SQL: &str = "DELETE FROM activity_events WHERE user_id = $1";
    sql!(conn, c => sqlx::query(SQL).bind(user).execute(c).await.map(drop))?;
    Ok(())
}

/// An event as contained in the user's export.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromRow)]
pub struct UserEvent {
    pub kind: String,
    pub page: Option<String>,
    pub feature: Option<String>,
    pub action: Option<String>,
    pub occurred_at: i64,
}

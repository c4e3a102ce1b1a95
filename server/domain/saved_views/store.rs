//! SQL of saved views.

use shop_base::db::{Conn, DbError};
use shop_base::sql;
use sqlx::FromRow;
use uuid::Uuid;

#[derive(Debug, FromRow)]
pub struct ViewRow {
    pub id: Uuid,
    pub user_id: Uuid,
    /// The list's path.
    pub list: String,
    pub name: String,
    pub query: String,
    pub is_shared: bool,
}

/// A user's own views of a list and the shared ones, by name.
pub async fn list_views(conn: &mut Conn<'_>, user: Uuid, list: &str) -> Result<Vec<ViewRow>, DbError> {
    const SQL: &str = "SELECT id, user_id, list, name, query, is_shared FROM saved_views
        WHERE list = $1 AND (user_id = $2 OR is_shared) ORDER BY name, id";
    Ok(sql!(conn, c => sqlx::query_as::<_, ViewRow>(SQL).bind(list).bind(user).fetch_all(c).await)?)
}

/// All views that a user has made: list, name, query and whether it is shared.
pub async fn list_by_user(conn: &mut Conn<'_>, user: Uuid) -> Result<Vec<(String, String, String, bool)>, DbError> {
    const SQL: &str = "SELECT list, name, query, is_shared FROM saved_views WHERE user_id = $1 ORDER BY list, name";
    Ok(sql!(conn, c => sqlx::query_as(SQL).bind(user).fetch_all(c).await)?)
}

/// How many views of a list a user has besides the one of a name.
pub async fn count_others(conn: &mut Conn<'_>, user: Uuid, list: &str, name: &str) -> Result<i64, DbError> {
    const SQL: &str = "SELECT COUNT(*) FROM saved_views WHERE list = $1 AND user_id = $2 AND name <> $3";
    Ok(sql!(conn, c => sqlx::query_scalar(SQL).bind(list).bind(user).bind(name).fetch_one(c).await)?)
}

/// How many views of a list are shared besides the one of a user and name.
pub async fn count_other_shared(conn: &mut Conn<'_>, user: Uuid, list: &str, name: &str) -> Result<i64, DbError> {
    const SQL: &str =
        "SELECT COUNT(*) FROM saved_views WHERE list = $1 AND is_shared AND NOT (user_id = $2 AND name = $3)";
    Ok(sql!(conn, c => sqlx::query_scalar(SQL).bind(list).bind(user).bind(name).fetch_one(c).await)?)
}

/// Inserts a view; false if the user has one of this name.
pub async fn insert_view(conn: &mut Conn<'_>, view: &ViewRow, now: i64) -> Result<bool, DbError> {
    const SQL: &str = "INSERT INTO saved_views (id, user_id, list, name, query, is_shared, created_at)
        VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (user_id, list, name) DO NOTHING";
    conn.precedes_audit();
    let rows = sql!(conn, c => sqlx::query(SQL).bind(view.id).bind(view.user_id).bind(&view.list).bind(&view.name)
        .bind(&view.query).bind(view.is_shared).bind(now).execute(c).await.map(|done| done.rows_affected()))?;
    Ok(rows == 1)
}

/// A user's view of a list with this name, locked until the transaction ends.
pub async fn lock_view(conn: &mut Conn<'_>, user: Uuid, list: &str, name: &str) -> Result<Option<ViewRow>, DbError> {
    const SQL: &str = "UPDATE saved_views SET query = query WHERE user_id = $1 AND list = $2 AND name = $3
        RETURNING id, user_id, list, name, query, is_shared";
    conn.precedes_audit();
    Ok(sql!(conn, c => sqlx::query_as::<_, ViewRow>(SQL).bind(user).bind(list).bind(name).fetch_optional(c).await)?)
}

pub async fn update_view(conn: &mut Conn<'_>, id: Uuid, query: &str, is_shared: bool) -> Result<(), DbError> {
    const SQL: &str = "UPDATE saved_views SET query = $2, is_shared = $3 WHERE id = $1";
    sql!(conn, c => sqlx::query(SQL).bind(id).bind(query).bind(is_shared).execute(c).await.map(drop))?;
    Ok(())
}

pub async fn has_view(conn: &mut Conn<'_>, id: Uuid) -> Result<bool, DbError> {
    const SQL: &str = "SELECT EXISTS (SELECT 1 FROM saved_views WHERE id = $1)";
    Ok(sql!(conn, c => sqlx::query_scalar::<_, bool>(SQL).bind(id).fetch_one(c).await)?)
}

/// Deletes a user's own view, or with `also_shared` a shared one of anybody. Returns it; none if there is none.
pub async fn delete_view(
    conn: &mut Conn<'_>,
    user: Uuid,
    id: Uuid,
    also_shared: bool,
) -> Result<Option<ViewRow>, DbError> {
    const SQL: &str = "DELETE FROM saved_views WHERE id = $1 AND (user_id = $2 OR (is_shared AND $3))
        RETURNING id, user_id, list, name, query, is_shared";
    conn.precedes_audit();
    Ok(sql!(conn, c => sqlx::query_as::<_, ViewRow>(SQL).bind(id).bind(user).bind(also_shared)
        .fetch_optional(c).await)?)
}

pub async fn delete_views(conn: &mut Conn<'_>, user: Uuid) -> Result<(), DbError> {
    const SQL: &str = "DELETE FROM saved_views WHERE user_id = $1";
    sql!(conn, c => sqlx::query(SQL).bind(user).execute(c).await.map(drop))?;
    Ok(())
}

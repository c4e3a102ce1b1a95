//! SQL of the lists of users and of what one of them has bought.

use sqlx::FromRow;
use uuid::Uuid;

use crate::admin::list::{COUNTED, ListQuery, ROWS};
use crate::db::list::{self, Filter, Window};
use crate::db::{Conn, DbError};
use crate::{fetch_all, sql};

#[derive(Clone, Debug, FromRow)]
pub struct UserRow {
    pub id: Uuid,
    pub name: String,
    pub email: String,
    pub role: String,
    pub order_count: i64,
    pub spent: i64,
    pub created_at: i64,
    pub signed_in_at: i64,
    pub blocked_at: Option<i64>,
    pub deleted_at: Option<i64>,
}

const SELECT: &str =
    "SELECT u.id, u.name, u.email, u.role, u.order_count, u.spent, u.created_at, u.signed_in_at, u.blocked_at,
    u.deleted_at FROM users u";

/// One row more than a page has.
pub async fn list_users(
    conn: &mut Conn<'_>,
    query: &ListQuery,
    filter: &Filter,
    window: &Window,
) -> Result<Vec<UserRow>, DbError> {
    Ok(fetch_all!(conn, UserRow, list::page(SELECT, filter, &query.order(), window, ROWS))?)
}

pub async fn count_users(conn: &mut Conn<'_>, filter: &Filter) -> Result<i64, DbError> {
    list::count(conn, "users u", filter, COUNTED).await
}

/// Placed orders, and what was paid for them less what was refunded.
pub async fn find_totals(conn: &mut Conn<'_>, id: Uuid) -> Result<(i64, i64), DbError> {
    const SQL: &str = "SELECT order_count, spent FROM users WHERE id = $1";
    let found = sql!(conn, c => sqlx::query_as(SQL).bind(id).fetch_optional(c).await)?;
    Ok(found.unwrap_or_default())
}

#[derive(Clone, Debug, FromRow)]
pub struct BoughtRow {
    pub number: String,
    pub placed_at: i64,
    pub total: i64,
    pub status: String,
    pub payment_status: String,
    pub fulfillment_status: String,
}

/// A user's newest orders, drafts left out.
pub async fn list_bought(conn: &mut Conn<'_>, id: Uuid, limit: i64) -> Result<Vec<BoughtRow>, DbError> {
    const SQL: &str = "SELECT number, placed_at, total, status, payment_status, fulfillment_status FROM orders
        WHERE user_id = $1 AND placed_at IS NOT NULL ORDER BY created_at DESC LIMIT $2";
    Ok(sql!(conn, c => sqlx::query_as(SQL).bind(id).bind(limit).fetch_all(c).await)?)
}

//! SQL of the lists of users and of a user's purchases.

use std::collections::HashMap;

use shop_base::db::list::{Filter, Value, Window};
use shop_base::db::{Conn, DbError, list};
use shop_base::{fetch_all, sql};
use shop_domain::sales::status::{FulfillmentStatus, PaymentStatus};
use sqlx::FromRow;
use uuid::Uuid;

use crate::admin::list::query::ListQuery;
use crate::admin::list::spec::{COUNTED, ROWS};

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

/// Fetches one row more than a page holds.
pub async fn list_users(
    conn: &mut Conn<'_>,
    query: &ListQuery,
    filter: &Filter,
    window: &Window,
) -> Result<Vec<UserRow>, DbError> {
    Ok(fetch_all!(conn, UserRow, list::page(SELECT, filter, &query.order(), window, ROWS))?)
}

/// Ids of all users that a query finds, in its order.
pub async fn list_all_ids(conn: &mut Conn<'_>, query: &ListQuery, filter: &Filter) -> Result<Vec<Uuid>, DbError> {
    let found = list::all("SELECT u.id FROM users u", filter, &query.order());
    Ok(fetch_all!(conn, (Uuid,), found)?.into_iter().map(|(id,)| id).collect())
}

/// Some users, by id.
pub async fn find_users(conn: &mut Conn<'_>, ids: &[Uuid]) -> Result<HashMap<Uuid, UserRow>, DbError> {
    if ids.is_empty() {
        return Ok(HashMap::new());
    }
    let mut filter = Filter::default();
    filter.and_any("u.id", ids.iter().map(|id| Value::Id(*id)));
    let rows = fetch_all!(conn, UserRow, list::statement(SELECT, &filter, ""))?;
    Ok(rows.into_iter().map(|row| (row.id, row)).collect())
}

pub async fn count_users(conn: &mut Conn<'_>, filter: &Filter) -> Result<i64, DbError> {
    list::count(conn, "users u", filter, COUNTED).await
}

/// The number of placed orders, and what was paid for them less refunds and lost disputes.
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
    #[sqlx(try_from = "String")]
    pub payment_status: PaymentStatus,
    #[sqlx(try_from = "String")]
    pub fulfillment_status: FulfillmentStatus,
}

/// A user's newest placed orders.
pub async fn list_bought(conn: &mut Conn<'_>, id: Uuid, limit: i64) -> Result<Vec<BoughtRow>, DbError> {
    const SQL: &str = "SELECT number, placed_at, total, status, payment_status, fulfillment_status FROM orders
        WHERE user_id = $1 AND placed_at IS NOT NULL ORDER BY created_at DESC LIMIT $2";
    Ok(sql!(conn, c => sqlx::query_as(SQL).bind(id).bind(limit).fetch_all(c).await)?)
}

/// The last order of a guest.
#[derive(Clone, Debug, FromRow)]
pub struct GuestRow {
    pub id: Uuid,
    pub number: String,
    pub created_at: i64,
    pub placed_at: i64,
    pub email: String,
    pub phone: String,
    /// JSON of an `Address`.
    pub address: String,
}

/// Fetches one row more than a page holds.
pub async fn list_guests(
    conn: &mut Conn<'_>,
    query: &ListQuery,
    filter: &Filter,
    window: &Window,
) -> Result<Vec<GuestRow>, DbError> {
    const SELECT: &str = "SELECT o.id, o.number, o.created_at, o.placed_at, o.email, o.phone, o.address FROM orders o";
    Ok(fetch_all!(conn, GuestRow, list::page(SELECT, filter, &query.order(), window, ROWS))?)
}

pub async fn count_guests(conn: &mut Conn<'_>, filter: &Filter) -> Result<i64, DbError> {
    list::count(conn, "orders o", filter, COUNTED).await
}

/// By email address: how many orders guests have placed with it that were not canceled, and what was paid for all of them less refunds and
/// lost disputes.
pub async fn list_guest_figures(conn: &mut Conn<'_>, emails: &[&str]) -> Result<HashMap<String, (i64, i64)>, DbError> {
    const SELECT: &str = "SELECT o.email, COUNT(DISTINCT CASE WHEN o.status IN ('placed', 'archived') THEN o.id END),
        CAST(SUM(CASE WHEN a.status = 'captured' THEN a.amount - a.refunded - COALESCE((SELECT SUM(d.amount)
            FROM disputes d WHERE d.attempt_id = a.id AND d.state IN ('LOST', 'ACCEPTED')), 0) ELSE 0 END) AS BIGINT)
        FROM orders o LEFT JOIN payment_attempts a ON a.order_id = o.id";
    if emails.is_empty() {
        return Ok(HashMap::new());
    }
    let mut filter = Filter::default();
    filter.and("o.user_id IS NULL AND o.placed_at IS NOT NULL", []);
    filter.and_any("o.email", emails.iter().map(|email| Value::from(*email)));
    let figures = list::statement(SELECT, &filter, " GROUP BY o.email");
    let rows = fetch_all!(conn, (String, i64, i64), figures)?;
    Ok(rows.into_iter().map(|(email, orders, spent)| (email, (orders, spent))).collect())
}

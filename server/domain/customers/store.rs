//! SQL of profiles and addresses.

use shop_base::address::Address;
use shop_base::db::{Conn, DbError, Lock};
use shop_base::sql;
use sqlx::{FromRow, query, query_as, query_scalar};
use uuid::Uuid;

use super::model::AddressView;
use crate::disputes::IS_LOST;
use crate::identity;

#[derive(Debug, FromRow)]
pub struct ProfileRow {
    pub subject: String,
    pub name: String,
    pub email: String,
    pub email_verified: bool,
    pub phone: String,
    pub preferences: String,
}

pub async fn find_profile(conn: &mut Conn<'_>, user_id: Uuid) -> Result<Option<ProfileRow>, DbError> {
    const SQL: &str = "SELECT subject, name, email, email_verified, phone, preferences FROM users WHERE id = $1";
    Ok(sql!(conn, c => query_as(SQL).bind(user_id).fetch_optional(c).await)?)
}

pub async fn update_profile(
    conn: &mut Conn<'_>,
    user_id: Uuid,
    name: Option<&str>,
    phone: Option<&str>,
    now: i64,
) -> Result<(), DbError> {
    const SQL: &str = "UPDATE users SET name = COALESCE($2, name), phone = COALESCE($3, phone), updated_at = $4
        WHERE id = $1";
    conn.after_commit(identity::recent::CHANGED);
    sql!(conn, c => query(SQL).bind(user_id).bind(name).bind(phone).bind(now).execute(c).await.map(drop))?;
    Ok(())
}

pub async fn update_preferences(
    conn: &mut Conn<'_>,
    user_id: Uuid,
    preferences: &str,
    state: Option<&str>,
    now: i64,
) -> Result<(), DbError> {
    const SQL: &str = "UPDATE users SET preferences = $2, preferred_state = $3, updated_at = $4 WHERE id = $1";
    sql!(conn, c => query(SQL).bind(user_id).bind(preferences).bind(state).bind(now).execute(c).await.map(drop))?;
    Ok(())
}

#[derive(FromRow)]
struct AddressRow {
    id: Uuid,
    first_name: String,
    last_name: String,
    company: String,
    line1: String,
    line2: String,
    city: String,
    state: String,
    postal_code: String,
    phone: String,
    is_default: bool,
}

/// The default first, then the newest.
pub async fn list_addresses(conn: &mut Conn<'_>, user_id: Uuid) -> Result<Vec<AddressView>, DbError> {
    const SQL: &str =
        "SELECT id, first_name, last_name, company, line1, line2, city, state, postal_code, phone, is_default
        FROM addresses WHERE user_id = $1 ORDER BY is_default DESC, created_at DESC, id DESC";
    let rows: Vec<AddressRow> = sql!(conn, c => query_as(SQL).bind(user_id).fetch_all(c).await)?;
    let view = |row: AddressRow| AddressView {
        id: row.id,
        first_name: row.first_name,
        last_name: row.last_name,
        company: row.company,
        line1: row.line1,
        line2: row.line2,
        city: row.city,
        state: row.state,
        postal_code: row.postal_code,
        phone: row.phone,
        is_default: row.is_default,
    };
    Ok(rows.into_iter().map(view).collect())
}

pub async fn insert_address(
    conn: &mut Conn<'_>,
    user_id: Uuid,
    id: Uuid,
    address: &Address,
    is_default: bool,
    now: i64,
) -> Result<(), DbError> {
    const SQL: &str = "INSERT INTO addresses (id, user_id, first_name, last_name, company, line1, line2, city, state,
            postal_code, phone, is_default, created_at)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)";
    sql!(conn, c => query(SQL)
        .bind(id)
        .bind(user_id)
        .bind(&address.first_name)
        .bind(&address.last_name)
        .bind(&address.company)
        .bind(&address.line1)
        .bind(&address.line2)
        .bind(&address.city)
        .bind(&address.state)
        .bind(&address.postal_code)
        .bind(&address.phone)
        .bind(is_default)
        .bind(now)
        .execute(c).await.map(drop))?;
    Ok(())
}

/// Makes this address the only default.
pub async fn update_default(conn: &mut Conn<'_>, user_id: Uuid, id: Uuid) -> Result<(), DbError> {
    const SQL: &str = "UPDATE addresses SET is_default = (id = $2) WHERE user_id = $1";
    sql!(conn, c => query(SQL).bind(user_id).bind(id).execute(c).await.map(drop))?;
    Ok(())
}

/// Whether it was the default; none if the user has no such address.
pub async fn delete_address(conn: &mut Conn<'_>, user_id: Uuid, id: Uuid) -> Result<Option<bool>, DbError> {
    const SQL: &str = "DELETE FROM addresses WHERE id = $1 AND user_id = $2 RETURNING is_default";
    Ok(sql!(conn, c => query_scalar(SQL).bind(id).bind(user_id).fetch_optional(c).await)?)
}

pub async fn delete_addresses(conn: &mut Conn<'_>, user_id: Uuid) -> Result<(), DbError> {
    const SQL: &str = "DELETE FROM addresses WHERE user_id = $1";
    sql!(conn, c => query(SQL).bind(user_id).execute(c).await.map(drop))?;
    Ok(())
}

/// Locks the user's row, so that concurrent changes are counted correctly.
pub async fn lock_user(conn: &mut Conn<'_>, user_id: Uuid) -> Result<(), DbError> {
    const SQL: &str = "UPDATE users SET updated_at = updated_at WHERE id = $1";
    conn.takes(Lock::Account(user_id));
    sql!(conn, c => query(SQL).bind(user_id).execute(c).await.map(drop))?;
    Ok(())
}

/// The number of placed orders, and the amount paid for them less refunds and lost disputes. SQLite reads tables in a cross join in its
/// order, and an expression has no index: it reads the payments of the user's orders, not all that were ever captured.
pub async fn update_totals(conn: &mut Conn<'_>, user_id: Uuid) -> Result<(), DbError> {
    let sql = sqlx::AssertSqlSafe(format!(
        "UPDATE users SET
        order_count = (SELECT COUNT(*) FROM orders o WHERE o.user_id = $1 AND o.status IN ('placed', 'archived')),
        spent = (SELECT COALESCE(SUM(a.amount - a.refunded), 0) FROM orders o CROSS JOIN payment_attempts a
            WHERE o.user_id = $1 AND a.order_id = o.id AND a.status || '' = 'captured')
            - (SELECT COALESCE(SUM(d.amount), 0) FROM disputes d JOIN orders o ON o.id = d.order_id
            WHERE o.user_id = $1 AND d.{IS_LOST})
        WHERE id = $1"
    ));
    conn.takes(Lock::Account(user_id));
    sql!(conn, c => query(sql).bind(user_id).execute(c).await.map(drop))?;
    Ok(())
}

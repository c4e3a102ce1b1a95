//! All SQL of draft orders.

use shop_base::db::{Conn, DbError, Lock};
use shop_base::sql;
use uuid::Uuid;

use super::model::PromisedLine;
use super::rows::Draft;
use crate::sales::links::NewToken;

const COLUMNS: &str = "id, number, status, token_sealed, checkout_id, order_id, user_id, email, phone, address,
    shipping_method, promo_code, message, total, made_by, version, created_at, updated_at, expires_at, mailed_at";

/// False if a draft with this id already exists.
pub async fn insert_draft(conn: &mut Conn<'_>, draft: &Draft, link: &NewToken) -> Result<bool, DbError> {
    const SQL: &str = "INSERT INTO draft_orders (id, number, status, token_hash, token_sealed, checkout_id, user_id, email,
        phone, address, shipping_method, promo_code, message, total, made_by, version, created_at, updated_at, expires_at)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19)
        ON CONFLICT (id) DO NOTHING";
    let rows = sql!(conn, c => sqlx::query(SQL).bind(draft.id).bind(&draft.number).bind(draft.status.text())
        .bind(&link.hash).bind(&link.sealed).bind(draft.checkout_id).bind(draft.user_id).bind(&draft.email)
        .bind(&draft.phone).bind(&draft.address).bind(&draft.shipping_method).bind(draft.promo_code.as_deref())
        .bind(&draft.message).bind(draft.total).bind(draft.made_by).bind(draft.version).bind(draft.created_at)
        .bind(draft.updated_at).bind(draft.expires_at).execute(c).await.map(|done| done.rows_affected()))?;
    Ok(rows == 1)
}

/// Writes a change by staff and increments the version.
pub async fn update_draft(conn: &mut Conn<'_>, draft: &Draft, now: i64) -> Result<(), DbError> {
    const SQL: &str = "UPDATE draft_orders SET user_id = $2, email = $3, phone = $4, address = $5, shipping_method = $6,
        promo_code = $7, message = $8, total = $9, expires_at = $10, updated_at = $11, version = version + 1 WHERE id = $1";
    sql!(conn, c => sqlx::query(SQL).bind(draft.id).bind(draft.user_id).bind(&draft.email).bind(&draft.phone)
        .bind(&draft.address).bind(&draft.shipping_method).bind(draft.promo_code.as_deref()).bind(&draft.message)
        .bind(draft.total).bind(draft.expires_at).bind(now).execute(c).await.map(drop))?;
    Ok(())
}

/// Replaces the link, which invalidates the previous one.
pub async fn set_link(conn: &mut Conn<'_>, draft: Uuid, link: &NewToken) -> Result<(), DbError> {
    const SQL: &str = "UPDATE draft_orders SET token_hash = $2, token_sealed = $3 WHERE id = $1";
    sql!(conn, c => sqlx::query(SQL).bind(draft).bind(&link.hash).bind(&link.sealed).execute(c).await.map(drop))?;
    Ok(())
}

pub async fn replace_lines(conn: &mut Conn<'_>, draft: Uuid, lines: &[PromisedLine]) -> Result<(), DbError> {
    const CLEAR: &str = "DELETE FROM draft_order_lines WHERE draft_id = $1";
    const LINE: &str = "INSERT INTO draft_order_lines (draft_id, variant_id, quantity, unit_price, position)
        VALUES ($1, $2, $3, $4, $5)";
    sql!(&mut *conn, c => sqlx::query(CLEAR).bind(draft).execute(c).await.map(drop))?;
    for (line, position) in lines.iter().zip(0_i64..) {
        sql!(&mut *conn, c => sqlx::query(LINE).bind(draft).bind(line.variant_id).bind(line.quantity)
            .bind(line.unit_price).bind(position).execute(c).await.map(drop))?;
    }
    Ok(())
}

pub async fn list_lines(conn: &mut Conn<'_>, draft: Uuid) -> Result<Vec<PromisedLine>, DbError> {
    const SQL: &str =
        "SELECT variant_id, quantity, unit_price FROM draft_order_lines WHERE draft_id = $1 ORDER BY position";
    let rows: Vec<(Uuid, i64, i64)> = sql!(conn, c => sqlx::query_as(SQL).bind(draft).fetch_all(c).await)?;
    let line = |(variant_id, quantity, unit_price)| PromisedLine { variant_id, quantity, unit_price };
    Ok(rows.into_iter().map(line).collect())
}

pub async fn find_draft(conn: &mut Conn<'_>, id: Uuid) -> Result<Option<Draft>, DbError> {
    let sql = sqlx::AssertSqlSafe(format!("SELECT {COLUMNS} FROM draft_orders WHERE id = $1"));
    Ok(sql!(conn, c => sqlx::query_as::<_, Draft>(sql).bind(id).fetch_optional(c).await)?)
}

pub async fn find_by_number(conn: &mut Conn<'_>, number: &str) -> Result<Option<Draft>, DbError> {
    let sql = sqlx::AssertSqlSafe(format!("SELECT {COLUMNS} FROM draft_orders WHERE number = $1"));
    Ok(sql!(conn, c => sqlx::query_as::<_, Draft>(sql).bind(number).fetch_optional(c).await)?)
}

pub async fn find_by_checkout(conn: &mut Conn<'_>, checkout: Uuid) -> Result<Option<Draft>, DbError> {
    let sql = sqlx::AssertSqlSafe(format!("SELECT {COLUMNS} FROM draft_orders WHERE checkout_id = $1"));
    Ok(sql!(conn, c => sqlx::query_as::<_, Draft>(sql).bind(checkout).fetch_optional(c).await)?)
}

pub async fn find_by_token(conn: &mut Conn<'_>, hash: &[u8]) -> Result<Option<Draft>, DbError> {
    let sql = sqlx::AssertSqlSafe(format!("SELECT {COLUMNS} FROM draft_orders WHERE token_hash = $1"));
    Ok(sql!(conn, c => sqlx::query_as::<_, Draft>(sql).bind(hash).fetch_optional(c).await)?)
}

/// Locks a draft until the transaction ends.
pub async fn lock_number(conn: &mut Conn<'_>, number: &str) -> Result<Option<Draft>, DbError> {
    let sql =
        sqlx::AssertSqlSafe(format!("UPDATE draft_orders SET version = version WHERE number = $1 RETURNING {COLUMNS}"));
    let draft = sql!(&mut *conn, c => sqlx::query_as::<_, Draft>(sql).bind(number).fetch_optional(c).await)?;
    if let Some(draft) = &draft {
        conn.takes(Lock::DraftOrder(draft.id));
    }
    Ok(draft)
}

/// Locks the draft of a checkout until the transaction ends; false if the checkout belongs to no draft.
pub async fn lock_checkout(conn: &mut Conn<'_>, checkout: Uuid) -> Result<bool, DbError> {
    const SQL: &str = "UPDATE draft_orders SET version = version WHERE checkout_id = $1 RETURNING id";
    let id = sql!(&mut *conn, c => sqlx::query_scalar::<_, Uuid>(SQL).bind(checkout).fetch_optional(c).await)?;
    if let Some(id) = id {
        conn.takes(Lock::DraftOrder(id));
    }
    Ok(id.is_some())
}

/// Links the draft of a checkout to the order that it has become.
pub async fn set_placed(
    conn: &mut Conn<'_>,
    checkout: Uuid,
    order: Uuid,
    now: i64,
) -> Result<Option<(String, Uuid)>, DbError> {
    const SQL: &str = "UPDATE draft_orders SET status = 'placed', order_id = $2, updated_at = $3, version = version + 1
        WHERE checkout_id = $1 RETURNING number, made_by";
    Ok(sql!(conn, c => sqlx::query_as(SQL).bind(checkout).bind(order).bind(now).fetch_optional(c).await)?)
}

pub async fn set_withdrawn(conn: &mut Conn<'_>, draft: Uuid, now: i64) -> Result<(), DbError> {
    const SQL: &str =
        "UPDATE draft_orders SET status = 'withdrawn', updated_at = $2, version = version + 1 WHERE id = $1";
    sql!(conn, c => sqlx::query(SQL).bind(draft).bind(now).execute(c).await.map(drop))?;
    Ok(())
}

/// Records that the link was mailed, which is a change: nobody mails it once more by a page that does not show it.
pub async fn set_mailed(conn: &mut Conn<'_>, draft: Uuid, now: i64) -> Result<(), DbError> {
    const SQL: &str = "UPDATE draft_orders SET mailed_at = $2, updated_at = $2, version = version + 1 WHERE id = $1";
    sql!(conn, c => sqlx::query(SQL).bind(draft).bind(now).execute(c).await.map(drop))?;
    Ok(())
}

/// Gives the draft of a checkout a new one, unless it has become an order.
pub async fn replace_checkout(conn: &mut Conn<'_>, checkout: Uuid, new: Uuid) -> Result<(), DbError> {
    const SQL: &str = "UPDATE draft_orders SET checkout_id = $2 WHERE checkout_id = $1 AND status <> 'placed'";
    sql!(conn, c => sqlx::query(SQL).bind(checkout).bind(new).execute(c).await.map(drop))?;
    Ok(())
}

/// The drafts that were made for an account, and those made for none that it has paid, the newest first. SQLite reads tables in a cross
/// join in its order: not all drafts.
pub async fn list_by_user(conn: &mut Conn<'_>, user: Uuid) -> Result<Vec<Draft>, DbError> {
    let sql = sqlx::AssertSqlSafe(format!(
        "SELECT {COLUMNS} FROM draft_orders WHERE id IN (SELECT id FROM draft_orders WHERE user_id = $1
            UNION SELECT d.id FROM orders o CROSS JOIN draft_orders d
            WHERE o.user_id = $1 AND d.order_id = o.id AND d.user_id IS NULL)
         ORDER BY created_at DESC, id DESC"
    ));
    Ok(sql!(conn, c => sqlx::query_as::<_, Draft>(sql).bind(user).fetch_all(c).await)?)
}

/// The drafts made for no account that became an order.
pub async fn list_by_order(conn: &mut Conn<'_>, order: Uuid) -> Result<Vec<Uuid>, DbError> {
    const SQL: &str = "SELECT id FROM draft_orders WHERE order_id = $1 AND user_id IS NULL";
    Ok(sql!(conn, c => sqlx::query_scalar::<_, Uuid>(SQL).bind(order).fetch_all(c).await)?)
}

/// Those of [`list_over`].
const OVER: &str = "expires_at < $1 AND (status <> 'placed' OR order_id IS NULL)";

/// Drafts that expired before a time, or were withdrawn, and never became an order, or one that nobody paid and that is deleted.
pub async fn list_over(conn: &mut Conn<'_>, before: i64, limit: i64) -> Result<Vec<Uuid>, DbError> {
    let sql = sqlx::AssertSqlSafe(format!("SELECT id FROM draft_orders WHERE {OVER} ORDER BY expires_at LIMIT $2"));
    Ok(sql!(conn, c => sqlx::query_scalar::<_, Uuid>(sql).bind(before).bind(limit).fetch_all(c).await)?)
}

/// Drafts of erased accounts. SQLite reads tables in a cross join in its order: not all drafts.
pub async fn list_of_erased(conn: &mut Conn<'_>, limit: i64) -> Result<Vec<Uuid>, DbError> {
    const SQL: &str = "SELECT d.id FROM users u CROSS JOIN draft_orders d
        WHERE u.deleted_at IS NOT NULL AND d.user_id = u.id LIMIT $1";
    Ok(sql!(conn, c => sqlx::query_scalar::<_, Uuid>(SQL).bind(limit).fetch_all(c).await)?)
}

/// Locks a draft until the transaction ends, if it still is one of [`list_over`] or [`list_of_erased`].
pub async fn lock_deletable(conn: &mut Conn<'_>, id: Uuid, before: i64) -> Result<bool, DbError> {
    let sql = sqlx::AssertSqlSafe(format!(
        "UPDATE draft_orders SET version = version
        WHERE id = $2 AND ({OVER} OR EXISTS
            (SELECT 1 FROM users u WHERE u.id = draft_orders.user_id AND u.deleted_at IS NOT NULL)) RETURNING id"
    ));
    conn.takes(Lock::DraftOrder(id));
    let locked = sql!(conn, c => sqlx::query_scalar::<_, Uuid>(sql).bind(before).bind(id).fetch_optional(c).await)?;
    Ok(locked.is_some())
}

pub async fn delete_draft(conn: &mut Conn<'_>, id: Uuid) -> Result<(), DbError> {
    const SQL: &str = "DELETE FROM draft_orders WHERE id = $1";
    conn.takes(Lock::DraftOrder(id));
    sql!(conn, c => sqlx::query(SQL).bind(id).execute(c).await.map(drop))?;
    Ok(())
}

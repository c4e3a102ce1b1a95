//! All SQL of pickup orders.

use shop_base::db::{Conn, DbError, Lock};
use shop_base::sql;
use uuid::Uuid;

use super::model::Counted;
use super::rows::Link;
use crate::sales::links::NewToken;

const LINK: &str = "id, order_id, click_id, token_sealed, email, network, expires_at, used_at, replaced_at";

/// An open pickup order, as counted for its buyer.
#[derive(Clone, Debug)]
pub struct OpenPickup {
    pub order_id: Uuid,
    /// The name of the mailbox.
    pub email: String,
    pub user_id: Option<Uuid>,
    pub network: String,
    pub units: i64,
    /// When its stock is released unless it is placed, UTC milliseconds.
    pub held_until: i64,
}

/// Locks the counters of these keys until the transaction ends. SQLite has only one writer anyway.
pub async fn lock(conn: &mut Conn<'_>, keys: &[String]) -> Result<(), DbError> {
    conn.takes(Lock::PickupBuyer);
    if let Conn::Postgres(c) = conn {
        for key in keys {
            c.run(sqlx::query("SELECT pg_advisory_xact_lock(hashtextextended($1, 27))").bind(key)).await?;
        }
    }
    Ok(())
}

/// Counts for a person and a network, without this order. `since` is UTC milliseconds. An order that a card pays for may have a row: it was to
/// be paid for at pickup first.
pub async fn count(conn: &mut Conn<'_>, new: &OpenPickup, now: i64, since: i64) -> Result<Counted, DbError> {
    // SQLite keeps the order of a cross join: it would start from all placed orders.
    const OPEN: &str = "SELECT COUNT(*), CAST(COALESCE(SUM(p.units), 0) AS BIGINT)
        FROM open_pickups p CROSS JOIN orders o
        WHERE o.id = p.order_id AND (p.email = $1 OR p.user_id = $2) AND p.order_id <> $3
            AND ((o.status = 'draft' AND p.held_until > $4)
                OR (o.status = 'placed' AND (o.total = 0 OR (o.picked_up AND o.payment_status = 'not_paid'))
                    AND o.fulfillment_status = 'unfulfilled'))";
    const OF_NETWORK: &str =
        "SELECT COUNT(*) FROM open_pickups WHERE network = $1 AND created_at > $2 AND order_id <> $3";
    const EMAILS: &str = "SELECT COUNT(*) FROM pickup_links WHERE email = $1 AND created_at > $2";
    const EMAILS_OF_NETWORK: &str = "SELECT COUNT(*) FROM pickup_links WHERE network = $1 AND created_at > $2";
    let (open, units): (i64, i64) = sql!(&mut *conn, c => sqlx::query_as(OPEN)
        .bind(&new.email).bind(new.user_id).bind(new.order_id).bind(now).fetch_one(c).await)?;
    let of_network = sql!(&mut *conn, c => sqlx::query_scalar(OF_NETWORK)
        .bind(&new.network).bind(since).bind(new.order_id).fetch_one(c).await)?;
    let emails = sql!(&mut *conn, c => sqlx::query_scalar(EMAILS).bind(&new.email).bind(since).fetch_one(c).await)?;
    let emails_of_network = sql!(conn, c => sqlx::query_scalar(EMAILS_OF_NETWORK)
        .bind(&new.network).bind(since).fetch_one(c).await)?;
    Ok(Counted { open, units, of_network, emails, emails_of_network })
}

/// Adds an order, or updates it after a change.
pub async fn put(conn: &mut Conn<'_>, new: &OpenPickup, now: i64) -> Result<(), DbError> {
    const SQL: &str = "INSERT INTO open_pickups (order_id, email, user_id, network, units, held_until, created_at)
        VALUES ($1, $2, $3, $4, $5, $6, $7)
        ON CONFLICT (order_id) DO UPDATE SET email = excluded.email, user_id = excluded.user_id,
            network = excluded.network, units = excluded.units, held_until = excluded.held_until";
    sql!(conn, c => sqlx::query(SQL).bind(new.order_id).bind(&new.email).bind(new.user_id).bind(&new.network)
        .bind(new.units).bind(new.held_until).bind(now).execute(c).await.map(drop))?;
    Ok(())
}

/// Sets until when an order counts as open.
pub async fn set_held_until(conn: &mut Conn<'_>, order: Uuid, at: i64) -> Result<(), DbError> {
    const SQL: &str = "UPDATE open_pickups SET held_until = $2 WHERE order_id = $1";
    sql!(conn, c => sqlx::query(SQL).bind(order).bind(at).execute(c).await.map(drop))?;
    Ok(())
}

/// Ends the links of an order and its count as open, unless they have ended before.
pub async fn end(conn: &mut Conn<'_>, order: Uuid, now: i64) -> Result<(), DbError> {
    const LINKS: &str = "UPDATE pickup_links SET expires_at = $2 WHERE order_id = $1 AND expires_at > $2";
    const OPEN: &str = "UPDATE open_pickups SET held_until = $2 WHERE order_id = $1 AND held_until > $2";
    for sql in [LINKS, OPEN] {
        sql!(&mut *conn, c => sqlx::query(sql).bind(order).bind(now).execute(c).await.map(drop))?;
    }
    Ok(())
}

pub async fn insert_link(conn: &mut Conn<'_>, link: &Link, token: &NewToken, now: i64) -> Result<(), DbError> {
    const SQL: &str = "INSERT INTO pickup_links (id, order_id, click_id, token_hash, token_sealed, email, network,
        created_at, expires_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)";
    sql!(conn, c => sqlx::query(SQL).bind(link.id).bind(link.order_id).bind(link.click_id).bind(&token.hash)
        .bind(&token.sealed).bind(&link.email).bind(&link.network).bind(now).bind(link.expires_at)
        .execute(c).await.map(drop))?;
    Ok(())
}

pub async fn find_link(conn: &mut Conn<'_>, id: Uuid) -> Result<Option<Link>, DbError> {
    let sql = sqlx::AssertSqlSafe(format!("SELECT {LINK} FROM pickup_links WHERE id = $1"));
    Ok(sql!(conn, c => sqlx::query_as(sql).bind(id).fetch_optional(c).await)?)
}

pub async fn find_link_by_token(conn: &mut Conn<'_>, hash: &[u8]) -> Result<Option<Link>, DbError> {
    let sql = sqlx::AssertSqlSafe(format!("SELECT {LINK} FROM pickup_links WHERE token_hash = $1"));
    Ok(sql!(conn, c => sqlx::query_as(sql).bind(hash).fetch_optional(c).await)?)
}

/// An order's link that was neither used nor replaced, expired or not.
pub async fn find_pending_link(conn: &mut Conn<'_>, order: Uuid) -> Result<Option<Link>, DbError> {
    let sql = sqlx::AssertSqlSafe(format!(
        "SELECT {LINK} FROM pickup_links WHERE order_id = $1 AND used_at IS NULL AND replaced_at IS NULL"
    ));
    Ok(sql!(conn, c => sqlx::query_as(sql).bind(order).fetch_optional(c).await)?)
}

pub async fn set_used(conn: &mut Conn<'_>, link: Uuid, now: i64) -> Result<(), DbError> {
    const SQL: &str = "UPDATE pickup_links SET used_at = $2 WHERE id = $1";
    sql!(conn, c => sqlx::query(SQL).bind(link).bind(now).execute(c).await.map(drop))?;
    Ok(())
}

/// Invalidates the links of an order.
pub async fn replace_links(conn: &mut Conn<'_>, order: Uuid, now: i64) -> Result<(), DbError> {
    const SQL: &str = "UPDATE pickup_links SET replaced_at = $2 WHERE order_id = $1 AND replaced_at IS NULL";
    sql!(conn, c => sqlx::query(SQL).bind(order).bind(now).execute(c).await.map(drop))?;
    Ok(())
}

/// Placed orders to be picked up with nothing paid that are due for a reminder or for release after they were marked as ready, or that nobody
/// has marked by `release_before`, the oldest first. What was reminded of after `ahead` was so by a clock that was ahead.
pub async fn list_due(
    conn: &mut Conn<'_>,
    remind_before: i64,
    release_before: i64,
    reminded_before: i64,
    ahead: i64,
    limit: i64,
) -> Result<Vec<Uuid>, DbError> {
    // SQLite keeps the order of a cross join: it would start from all placed orders.
    const SQL: &str = "SELECT order_id FROM (
            SELECT p.order_id, p.reminded_at, p.created_at, o.placed_at,
                (SELECT CASE WHEN SUM(CASE h.kind WHEN 'pickup_ready' THEN 1 ELSE -1 END) > 0
                        THEN MAX(CASE h.kind WHEN 'pickup_ready' THEN h.at END) END
                    FROM order_history h
                    WHERE h.order_id = o.id AND h.kind IN ('pickup_ready', 'pickup_ready_undone')) AS ready_at
            FROM open_pickups p CROSS JOIN orders o
            WHERE o.id = p.order_id AND o.status = 'placed' AND o.picked_up AND o.fulfillment_status <> 'fulfilled'
                AND (o.payment_status = 'not_paid' OR o.total = 0)) AS waiting
        WHERE (reminded_at IS NULL AND ready_at <= $1) OR ((reminded_at <= $3 OR reminded_at > $4) AND ready_at <= $2)
            OR (ready_at IS NULL AND reminded_at IS NULL AND placed_at <= $2 AND created_at <= $2)
        ORDER BY created_at, order_id LIMIT $5";
    Ok(sql!(conn, c => sqlx::query_scalar(SQL).bind(remind_before).bind(release_before).bind(reminded_before)
        .bind(ahead).bind(limit).fetch_all(c).await)?)
}

/// When the buyer was reminded of an order, or staff of one that was never ready; none if it is not among the open pickup orders.
pub async fn find_reminded_at(conn: &mut Conn<'_>, order: Uuid) -> Result<Option<Option<i64>>, DbError> {
    const SQL: &str = "SELECT reminded_at FROM open_pickups WHERE order_id = $1";
    Ok(sql!(conn, c => sqlx::query_scalar(SQL).bind(order).fetch_optional(c).await)?)
}

/// Sets when its buyer was reminded of it, or staff, if it was never ready.
pub async fn set_reminded(conn: &mut Conn<'_>, order: Uuid, at: Option<i64>) -> Result<(), DbError> {
    const SQL: &str = "UPDATE open_pickups SET reminded_at = $2 WHERE order_id = $1";
    sql!(conn, c => sqlx::query(SQL).bind(order).bind(at).execute(c).await.map(drop))?;
    Ok(())
}

/// Stores the row of an order anew; false if there is none. The cleaning may have seen it before its order was open again: it deletes no row
/// that is newer.
pub async fn renew(conn: &mut Conn<'_>, order: Uuid) -> Result<bool, DbError> {
    type Row = (String, Option<Uuid>, String, i64, i64, i64, Option<i64>);
    const TAKE: &str = "DELETE FROM open_pickups WHERE order_id = $1
        RETURNING email, user_id, network, units, held_until, created_at, reminded_at";
    const PUT: &str =
        "INSERT INTO open_pickups (order_id, email, user_id, network, units, held_until, created_at, reminded_at)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8)";
    let row: Option<Row> = sql!(&mut *conn, c => sqlx::query_as(TAKE).bind(order).fetch_optional(c).await)?;
    let Some((email, user_id, network, units, held_until, created_at, reminded_at)) = row else { return Ok(false) };
    sql!(conn, c => sqlx::query(PUT).bind(order).bind(&email).bind(user_id).bind(&network).bind(units).bind(held_until)
        .bind(created_at).bind(reminded_at).execute(c).await.map(drop))?;
    Ok(true)
}

pub async fn delete(conn: &mut Conn<'_>, order: Uuid) -> Result<(), DbError> {
    const SQL: &str = "DELETE FROM open_pickups WHERE order_id = $1";
    sql!(conn, c => sqlx::query(SQL).bind(order).execute(c).await.map(drop))?;
    Ok(())
}

pub async fn erase_buyer(conn: &mut Conn<'_>, order: Uuid) -> Result<(), DbError> {
    const SQL: &str = "UPDATE open_pickups SET email = '', user_id = NULL WHERE order_id = $1";
    sql!(conn, c => sqlx::query(SQL).bind(order).execute(c).await.map(drop))?;
    Ok(())
}

pub async fn delete_links(conn: &mut Conn<'_>, email: &str) -> Result<(), DbError> {
    const SQL: &str = "DELETE FROM pickup_links WHERE email = $1";
    sql!(conn, c => sqlx::query(SQL).bind(email).execute(c).await.map(drop))?;
    Ok(())
}

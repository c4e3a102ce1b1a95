//! All SQL of the stock.

use sqlx::FromRow;
use uuid::Uuid;

use crate::db::{Conn, DbError};
use crate::sql;

#[derive(Clone, Debug, PartialEq, Eq, FromRow)]
pub struct Reservation {
    pub variant_id: Uuid,
    pub quantity: i64,
    /// held, sold or released.
    pub state: String,
}

impl Reservation {
    pub fn is_held(&self) -> bool {
        self.state == "held"
    }
}

/// Promises a quantity, if that much is free. The condition is checked again after waiting for others.
pub async fn reserve(conn: &mut Conn<'_>, variant: Uuid, quantity: i64, now: i64) -> Result<bool, DbError> {
    const SQL: &str = "UPDATE stock_levels SET reserved = reserved + $2, updated_at = $3
        WHERE variant_id = $1 AND on_hand - reserved >= $2";
    change(conn, SQL, variant, quantity, now).await
}

/// Takes a promise back.
pub async fn release(conn: &mut Conn<'_>, variant: Uuid, quantity: i64, now: i64) -> Result<bool, DbError> {
    const SQL: &str =
        "UPDATE stock_levels SET reserved = reserved - $2, updated_at = $3 WHERE variant_id = $1 AND reserved >= $2";
    change(conn, SQL, variant, quantity, now).await
}

/// Lets promised goods leave.
pub async fn sell(conn: &mut Conn<'_>, variant: Uuid, quantity: i64, now: i64) -> Result<bool, DbError> {
    const SQL: &str = "UPDATE stock_levels SET reserved = reserved - $2, on_hand = on_hand - $2, updated_at = $3
        WHERE variant_id = $1 AND reserved >= $2";
    change(conn, SQL, variant, quantity, now).await
}

/// Puts goods back on the shelf.
pub async fn restock(conn: &mut Conn<'_>, variant: Uuid, quantity: i64, now: i64) -> Result<bool, DbError> {
    const SQL: &str = "UPDATE stock_levels SET on_hand = on_hand + $2, updated_at = $3 WHERE variant_id = $1";
    change(conn, SQL, variant, quantity, now).await
}

async fn change(
    conn: &mut Conn<'_>,
    sql: &'static str,
    variant: Uuid,
    quantity: i64,
    now: i64,
) -> Result<bool, DbError> {
    let rows = sql!(conn, c => sqlx::query(sql).bind(variant).bind(quantity).bind(now).execute(c).await
        .map(|done| done.rows_affected()))?;
    Ok(rows == 1)
}

/// An order's reservations, in the order in which stock is taken.
pub async fn list_reservations(conn: &mut Conn<'_>, order: Uuid) -> Result<Vec<Reservation>, DbError> {
    const SQL: &str =
        "SELECT variant_id, quantity, state FROM stock_reservations WHERE order_id = $1 ORDER BY variant_id";
    Ok(sql!(conn, c => sqlx::query_as::<_, Reservation>(SQL).bind(order).fetch_all(c).await)?)
}

pub async fn insert_reservation(
    conn: &mut Conn<'_>,
    order: Uuid,
    variant: Uuid,
    quantity: i64,
    expires_at: i64,
) -> Result<(), DbError> {
    const SQL: &str = "INSERT INTO stock_reservations (order_id, variant_id, quantity, state, expires_at)
        VALUES ($1, $2, $3, 'held', $4)";
    sql!(conn, c => sqlx::query(SQL).bind(order).bind(variant).bind(quantity).bind(expires_at).execute(c).await.map(drop))?;
    Ok(())
}

pub async fn set_state(conn: &mut Conn<'_>, order: Uuid, state: &str) -> Result<(), DbError> {
    const SQL: &str = "UPDATE stock_reservations SET state = $2 WHERE order_id = $1";
    sql!(conn, c => sqlx::query(SQL).bind(order).bind(state).execute(c).await.map(drop))?;
    Ok(())
}

/// Counts a part of what an order took as not taken; the whole of it is released.
pub async fn take_back(conn: &mut Conn<'_>, order: Uuid, variant: Uuid, quantity: i64) -> Result<(), DbError> {
    const SQL: &str = "UPDATE stock_reservations
        SET state = CASE WHEN quantity = $3 THEN 'released' ELSE state END,
            quantity = CASE WHEN quantity = $3 THEN quantity ELSE quantity - $3 END
        WHERE order_id = $1 AND variant_id = $2 AND state = 'sold'";
    sql!(conn, c => sqlx::query(SQL).bind(order).bind(variant).bind(quantity).execute(c).await.map(drop))?;
    Ok(())
}

pub async fn delete_reservations(conn: &mut Conn<'_>, order: Uuid) -> Result<(), DbError> {
    const SQL: &str = "DELETE FROM stock_reservations WHERE order_id = $1";
    sql!(conn, c => sqlx::query(SQL).bind(order).execute(c).await.map(drop))?;
    Ok(())
}

/// Orders that hold stock past its time.
pub async fn list_expired(conn: &mut Conn<'_>, now: i64, limit: i64) -> Result<Vec<Uuid>, DbError> {
    const SQL: &str =
        "SELECT DISTINCT order_id FROM stock_reservations WHERE state = 'held' AND expires_at <= $1 LIMIT $2";
    Ok(sql!(conn, c => sqlx::query_scalar::<_, Uuid>(SQL).bind(now).bind(limit).fetch_all(c).await)?)
}

pub struct Movement {
    pub id: Uuid,
    pub variant_id: Uuid,
    pub order_id: Option<Uuid>,
    /// adjustment, sale, cancellation or return.
    pub kind: &'static str,
    /// The change of the stock on hand.
    pub quantity: i64,
    pub at: i64,
}

pub async fn insert_movement(conn: &mut Conn<'_>, movement: &Movement) -> Result<(), DbError> {
    const SQL: &str =
        "INSERT INTO stock_movements (id, variant_id, order_id, kind, quantity, at) VALUES ($1, $2, $3, $4, $5, $6)";
    sql!(conn, c => sqlx::query(SQL).bind(movement.id).bind(movement.variant_id).bind(movement.order_id)
        .bind(movement.kind).bind(movement.quantity).bind(movement.at).execute(c).await.map(drop))?;
    Ok(())
}

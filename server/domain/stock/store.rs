//! All SQL of the stock.

use std::collections::BTreeMap;

use shop_base::db::{Conn, DbError, Lock, PushIds};
use shop_base::sql;
use sqlx::FromRow;
use uuid::Uuid;

use super::rows::Reservation;

/// Reserves a quantity, if that much is available. The condition is checked again after waiting for a lock.
pub async fn reserve(conn: &mut Conn<'_>, variant: Uuid, quantity: i64, now: i64) -> Result<bool, DbError> {
    const SQL: &str = "UPDATE stock_levels SET reserved = reserved + $2, updated_at = $3
        WHERE variant_id = $1 AND on_hand - reserved >= $2";
    change(conn, SQL, variant, quantity, now).await
}

/// Releases a reserved quantity.
pub async fn release(conn: &mut Conn<'_>, variant: Uuid, quantity: i64, now: i64) -> Result<bool, DbError> {
    const SQL: &str =
        "UPDATE stock_levels SET reserved = reserved - $2, updated_at = $3 WHERE variant_id = $1 AND reserved >= $2";
    change(conn, SQL, variant, quantity, now).await
}

/// Removes a reserved quantity from the stock on hand.
pub async fn sell(conn: &mut Conn<'_>, variant: Uuid, quantity: i64, now: i64) -> Result<bool, DbError> {
    const SQL: &str = "UPDATE stock_levels SET reserved = reserved - $2, on_hand = on_hand - $2, updated_at = $3
        WHERE variant_id = $1 AND reserved >= $2";
    change(conn, SQL, variant, quantity, now).await
}

/// Adds a quantity to the stock on hand.
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
    conn.takes(Lock::StockLevel(variant));
    let rows = sql!(conn, c => sqlx::query(sql).bind(variant).bind(quantity).bind(now).execute(c).await
        .map(|done| done.rows_affected()))?;
    Ok(rows == 1)
}

/// An order's reservations, in the global order of stock locks.
pub async fn list_reservations(conn: &mut Conn<'_>, order: Uuid) -> Result<Vec<Reservation>, DbError> {
    const SQL: &str =
        "SELECT variant_id, quantity, state FROM stock_reservations WHERE order_id = $1 ORDER BY variant_id";
    Ok(sql!(conn, c => sqlx::query_as::<_, Reservation>(SQL).bind(order).fetch_all(c).await)?)
}

/// A held reservation.
#[derive(Clone, Copy, Debug, FromRow)]
pub struct Held {
    pub order_id: Uuid,
    pub variant_id: Uuid,
    pub quantity: i64,
}

/// What these orders hold, in the global order of stock locks. As an expression, the state has no index: SQLite finds the few rows by order.
pub async fn list_held(conn: &mut Conn<'_>, orders: &[Uuid]) -> Result<Vec<Held>, DbError> {
    const SQL: &str = "SELECT order_id, variant_id, quantity FROM stock_reservations
        WHERE state || '' = 'held' AND order_id";
    if orders.is_empty() {
        return Ok(Vec::new());
    }
    Ok(sql!(conn, c => {
        let mut query = sqlx::QueryBuilder::new(SQL);
        query.push_ids(orders).push(" ORDER BY variant_id");
        query.build_query_as::<Held>().fetch_all(c).await
    })?)
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

/// Reduces a sold reservation by a quantity; if that is all of it, marks it as released.
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

pub struct Movement {
    pub id: Uuid,
    pub variant_id: Uuid,
    pub order_id: Option<Uuid>,
    /// `adjustment`, `sale`, `cancellation` or `return`.
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

/// A manual change of the stock on hand.
pub struct Adjustment<'a> {
    pub id: Uuid,
    pub variant_id: Uuid,
    /// The change of the stock on hand.
    pub quantity: i64,
    pub at: i64,
    pub reason: &'a str,
    pub note: &'a str,
    pub actor_id: Uuid,
}

/// Rows per statement: SQLite allows 32,766 parameters.
const AT_ONCE: usize = 1_000;

pub async fn insert_adjustments(conn: &mut Conn<'_>, rows: &[Adjustment<'_>]) -> Result<(), DbError> {
    const SQL: &str = "INSERT INTO stock_movements (id, variant_id, kind, quantity, at, reason, note, actor_id) ";
    for rows in rows.chunks(AT_ONCE) {
        sql!(&mut *conn, c => sqlx::QueryBuilder::new(SQL)
            .push_values(rows, |mut row, change| {
                row.push_bind(change.id).push_bind(change.variant_id).push_bind("adjustment").push_bind(change.quantity)
                    .push_bind(change.at).push_bind(change.reason.to_owned()).push_bind(change.note.to_owned())
                    .push_bind(change.actor_id);
            })
            .build().persistent(false).execute(c).await.map(drop))?;
    }
    Ok(())
}

/// The number of manual stock changes per variant.
pub async fn count_adjustments(conn: &mut Conn<'_>, variants: &[Uuid]) -> Result<BTreeMap<Uuid, i64>, DbError> {
    const SQL: &str = "SELECT variant_id, COUNT(*) FROM stock_movements WHERE kind = 'adjustment' AND variant_id IN (";
    count_by_variant(conn, SQL, variants).await
}

/// The same for all variants of these products, also archived ones.
pub async fn count_adjustments_of(conn: &mut Conn<'_>, products: &[Uuid]) -> Result<BTreeMap<Uuid, i64>, DbError> {
    const SQL: &str = "SELECT m.variant_id, COUNT(*) FROM product_variants v
        JOIN stock_movements m ON m.variant_id = v.id WHERE m.kind = 'adjustment' AND v.product_id IN (";
    count_by_variant(conn, SQL, products).await
}

async fn count_by_variant(
    conn: &mut Conn<'_>,
    select: &'static str,
    ids: &[Uuid],
) -> Result<BTreeMap<Uuid, i64>, DbError> {
    let mut counts = BTreeMap::new();
    for ids in ids.chunks(AT_ONCE) {
        let rows: Vec<(Uuid, i64)> = sql!(&mut *conn, c => {
            let mut query = sqlx::QueryBuilder::new(select);
            let mut list = query.separated(", ");
            for id in ids {
                list.push_bind(*id);
            }
            query.push(") GROUP BY variant_id").build_query_as().fetch_all(c).await
        })?;
        counts.extend(rows);
    }
    Ok(counts)
}

/// Inserts the levels of new variants.
pub async fn insert_levels(
    conn: &mut Conn<'_>,
    counts: &[(Uuid, i64)],
    low_stock_threshold: i64,
    now: i64,
) -> Result<(), DbError> {
    const SQL: &str = "INSERT INTO stock_levels (variant_id, on_hand, reserved, low_stock_threshold, updated_at) ";
    for counts in counts.chunks(AT_ONCE) {
        sql!(&mut *conn, c => sqlx::QueryBuilder::new(SQL)
            .push_values(counts, |mut row, (variant, on_hand)| {
                row.push_bind(*variant).push_bind(*on_hand).push_bind(0_i64).push_bind(low_stock_threshold)
                    .push_bind(now);
            })
            .build().persistent(false).execute(c).await.map(drop))?;
    }
    Ok(())
}

#[derive(Clone, Debug, FromRow)]
pub struct Level {
    pub on_hand: i64,
    pub reserved: i64,
    pub low_stock_threshold: i64,
    pub sku: String,
}

/// A variant's level, locked until the transaction ends.
pub async fn lock_level(conn: &mut Conn<'_>, variant: Uuid) -> Result<Option<Level>, DbError> {
    const SQL: &str = "UPDATE stock_levels SET updated_at = updated_at WHERE variant_id = $1
        RETURNING on_hand, reserved, low_stock_threshold,
        (SELECT v.sku FROM product_variants v WHERE v.id = stock_levels.variant_id) AS sku";
    conn.takes(Lock::StockLevel(variant));
    Ok(sql!(conn, c => sqlx::query_as::<_, Level>(SQL).bind(variant).fetch_optional(c).await)?)
}

/// The levels of these variants, locked in the order of their ids until the transaction ends.
pub async fn lock_levels(conn: &mut Conn<'_>, variants: &[Uuid]) -> Result<BTreeMap<Uuid, Level>, DbError> {
    #[derive(FromRow)]
    struct Row {
        variant_id: Uuid,
        #[sqlx(flatten)]
        level: Level,
    }
    const SQL: &str = "SELECT s.variant_id, s.on_hand, s.reserved, s.low_stock_threshold, v.sku
        FROM stock_levels s JOIN product_variants v ON v.id = s.variant_id WHERE s.variant_id IN (";
    // SQLite has only one writer anyway.
    let end = match conn {
        Conn::Postgres(_) => ") ORDER BY s.variant_id FOR NO KEY UPDATE OF s",
        Conn::Sqlite(_) => ") ORDER BY s.variant_id",
    };
    let mut variants = variants.to_vec();
    variants.sort_unstable();
    variants.iter().for_each(|variant| conn.takes(Lock::StockLevel(*variant)));
    let mut levels = BTreeMap::new();
    for variants in variants.chunks(AT_ONCE) {
        let rows: Vec<Row> = sql!(&mut *conn, c => {
            let mut query = sqlx::QueryBuilder::new(SQL);
            let mut list = query.separated(", ");
            for variant in variants {
                list.push_bind(*variant);
            }
            query.push(end).build_query_as().fetch_all(c).await
        })?;
        levels.extend(rows.into_iter().map(|row| (row.variant_id, row.level)));
    }
    Ok(levels)
}

/// Sets the stock on hand of variants whose levels are locked.
pub async fn set_levels(conn: &mut Conn<'_>, levels: &[(Uuid, i64)], now: i64) -> Result<(), DbError> {
    for levels in levels.chunks(AT_ONCE) {
        sql!(&mut *conn, c => sqlx::QueryBuilder::new("WITH counted (variant_id, on_hand) AS (")
            .push_values(levels, |mut row, (variant, on_hand)| { row.push_bind(*variant).push_bind(*on_hand); })
            .push(") UPDATE stock_levels SET on_hand = counted.on_hand, updated_at = ").push_bind(now)
            .push(" FROM counted WHERE stock_levels.variant_id = counted.variant_id")
            .build().persistent(false).execute(c).await.map(drop))?;
    }
    Ok(())
}

pub async fn set_level(
    conn: &mut Conn<'_>,
    variant: Uuid,
    on_hand: i64,
    low_stock_threshold: i64,
    now: i64,
) -> Result<(), DbError> {
    const SQL: &str = "UPDATE stock_levels SET on_hand = $2, low_stock_threshold = $3, updated_at = $4
        WHERE variant_id = $1";
    sql!(conn, c => sqlx::query(SQL).bind(variant).bind(on_hand).bind(low_stock_threshold).bind(now).execute(c).await
        .map(drop))?;
    Ok(())
}

/// A variant's stock level, with its product and sku.
#[derive(Clone, Debug, FromRow)]
pub struct VariantLevel {
    pub product_id: Uuid,
    pub sku: String,
    pub on_hand: i64,
    pub reserved: i64,
    pub low_stock_threshold: i64,
}

pub async fn find_level(conn: &mut Conn<'_>, variant: Uuid) -> Result<Option<VariantLevel>, DbError> {
    const SQL: &str = "SELECT v.product_id, v.sku, s.on_hand, s.reserved, s.low_stock_threshold
        FROM stock_levels s JOIN product_variants v ON v.id = s.variant_id WHERE s.variant_id = $1";
    Ok(sql!(conn, c => sqlx::query_as::<_, VariantLevel>(SQL).bind(variant).fetch_optional(c).await)?)
}

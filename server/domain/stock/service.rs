//! Holding, releasing and selling stock for an order. Each function runs inside the caller's transaction, which holds the rows of the orders.

use std::collections::{BTreeMap, BTreeSet};

use shop_base::clock::Clock;
use shop_base::db::{Conn, DbError, Effect};
use shop_base::ids::new_id;
use shop_platform::metrics::stock_released_units;
use uuid::Uuid;

pub use super::adjust::open;
use super::rows::Reservation;
use super::store::Movement;
use super::{notification, store};

/// The available quantities of these variants have changed.
pub const MOVED: Effect = Effect("stock moved");

/// How long stock is held during payment, in milliseconds.
pub const HELD_FOR: i64 = 15 * 60 * 1000;

/// The variants with insufficient stock.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Short(pub Vec<Uuid>);

/// Holds the goods of an order until a time (UTC milliseconds), replacing its earlier hold; an order that is new has none. If anything is
/// short, the caller must roll back.
pub async fn hold(
    conn: &mut Conn<'_>,
    clock: &dyn Clock,
    order: Uuid,
    is_new: bool,
    wanted: &[(Uuid, i64)],
    until: i64,
) -> Result<Result<(), Short>, DbError> {
    let now = clock.now_ms();
    // Held and wanted quantity per variant: lines with the same variant share one reservation.
    let mut changes: BTreeMap<Uuid, (i64, i64)> = BTreeMap::new();
    if !is_new {
        for line in store::list_reservations(conn, order).await? {
            changes.entry(line.variant_id).or_default().0 += if line.is_held() { line.quantity } else { 0 };
        }
        store::delete_reservations(conn, order).await?;
    }
    for (variant, quantity) in wanted {
        changes.entry(*variant).or_default().1 += quantity;
    }
    conn.after_commit_about(MOVED, changes.keys().copied());
    let mut short = Vec::new();
    for (variant, (held, wanted)) in changes {
        let is_there = match wanted - held {
            0 => true,
            more @ 1.. => store::reserve(conn, variant, more, now).await?,
            less => store::release(conn, variant, -less, now).await?,
        };
        if !is_there {
            short.push(variant);
        } else if wanted > 0 {
            store::insert_reservation(conn, order, variant, wanted, until).await?;
        }
    }
    Ok(if short.is_empty() { Ok(()) } else { Err(Short(short)) })
}

/// Releases what these orders hold. The reservations are kept as a record.
pub async fn release(conn: &mut Conn<'_>, clock: &dyn Clock, orders: &[Uuid]) -> Result<(), DbError> {
    let held = store::list_held(conn, orders).await?;
    if held.is_empty() {
        return Ok(());
    }
    let units: u64 = held.iter().filter_map(|line| u64::try_from(line.quantity).ok()).sum();
    conn.count_after_commit(&stock_released_units::ALL, units);
    for line in &held {
        store::release(conn, line.variant_id, line.quantity, clock.now_ms()).await?;
        conn.after_commit_about(MOVED, [line.variant_id]);
    }
    let holders: BTreeSet<Uuid> = held.iter().map(|line| line.order_id).collect();
    for order in holders {
        store::set_state(conn, order, "released").await?;
    }
    Ok(())
}

/// Sells what an order holds: these are all its reservations. Released goods are reserved again if available; if not, nothing changes and the
/// result is false.
pub async fn sell(conn: &mut Conn<'_>, clock: &dyn Clock, order: Uuid, lines: &[Reservation]) -> Result<bool, DbError> {
    let now = clock.now_ms();
    if lines.iter().any(Reservation::is_released) {
        // Released lines are reserved before held ones are sold, so all levels are locked first, in the global order of stock locks.
        for line in lines.iter().filter(|line| line.state != "sold") {
            store::lock_level(conn, line.variant_id).await?;
        }
    }
    let mut regained = Vec::new();
    for line in lines.iter().filter(|line| line.is_released()) {
        if store::reserve(conn, line.variant_id, line.quantity, now).await? {
            regained.push(line);
            continue;
        }
        for line in regained {
            store::release(conn, line.variant_id, line.quantity, now).await?;
        }
        return Ok(false);
    }
    let mut taken = Vec::new();
    for line in lines.iter().filter(|line| line.state != "sold") {
        if !store::sell(conn, line.variant_id, line.quantity, now).await? {
            return Err(DbError::Inconsistent("a held reservation is not in the reserved stock"));
        }
        let (id, variant_id, order_id) = (new_id(clock), line.variant_id, Some(order));
        let sale = Movement { id, variant_id, order_id, kind: "sale", quantity: -line.quantity, at: now };
        store::insert_movement(conn, &sale).await?;
        taken.push((line.variant_id, line.quantity));
    }
    store::set_state(conn, order, "sold").await?;
    conn.after_commit_about(MOVED, lines.iter().map(|line| line.variant_id));
    notification::announce_low(conn, clock, &taken, None).await?;
    Ok(true)
}

/// Returns an order's sold goods to the shelf, once.
pub async fn restock(conn: &mut Conn<'_>, clock: &dyn Clock, order: Uuid) -> Result<(), DbError> {
    let now = clock.now_ms();
    for line in store::list_reservations(conn, order).await?.into_iter().filter(|line| line.state == "sold") {
        store::restock(conn, line.variant_id, line.quantity, now).await?;
        let (id, variant_id, order_id) = (new_id(clock), line.variant_id, Some(order));
        let back = Movement { id, variant_id, order_id, kind: "cancellation", quantity: line.quantity, at: now };
        store::insert_movement(conn, &back).await?;
        conn.after_commit_about(MOVED, [line.variant_id]);
    }
    store::set_state(conn, order, "released").await
}

/// Returns part of an order's sold goods to the shelf. False, with nothing changed, if that is more than was sold.
pub async fn put_back(
    conn: &mut Conn<'_>,
    clock: &dyn Clock,
    order: Uuid,
    variant: Uuid,
    quantity: i64,
    kind: &'static str,
) -> Result<bool, DbError> {
    let now = clock.now_ms();
    let sold = store::list_reservations(conn, order).await?;
    let Some(sold) = sold.into_iter().find(|line| line.variant_id == variant && line.state == "sold") else {
        return Ok(false);
    };
    if sold.quantity < quantity {
        return Ok(false);
    }
    store::take_back(conn, order, variant, quantity).await?;
    store::restock(conn, variant, quantity, now).await?;
    conn.after_commit_about(MOVED, [variant]);
    let back = Movement { id: new_id(clock), variant_id: variant, order_id: Some(order), kind, quantity, at: now };
    store::insert_movement(conn, &back).await?;
    Ok(true)
}

/// An order's reservations in any state. They change only while its row is held.
pub async fn list_reservations(conn: &mut Conn<'_>, order: Uuid) -> Result<Vec<Reservation>, DbError> {
    store::list_reservations(conn, order).await
}

/// What an order currently holds: variants and quantities.
pub async fn list_held(conn: &mut Conn<'_>, order: Uuid) -> Result<Vec<(Uuid, i64)>, DbError> {
    let lines = store::list_reservations(conn, order).await?;
    Ok(lines.into_iter().filter(Reservation::is_held).map(|line| (line.variant_id, line.quantity)).collect())
}

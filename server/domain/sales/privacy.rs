//! Personal data in an order: how it is exported, and when it is erased.
//!
//! Accounting needs the numbers, amounts, taxes and the place that determined the tax. The buyer's identity and exact address are erased
//! with the buyer's account, as soon as the order is closed. An order that was never paid is not part of the accounts.

use serde::Serialize;
use serde_json::{Value, json};
use shop_base::address::Address;
use shop_base::clock::Clock;
use shop_base::context::Context;
use shop_base::db::{Conn, DbError, decoded};
use shop_base::transaction;
use shop_platform::staff_search;
use shop_platform::staff_search::model::Kind;
use uuid::Uuid;

use super::records::orders::rows::Order;
use super::records::orders::service::index;
use super::records::orders::store;
use super::records::payments::rows::Attempt;
use super::records::payments::{attempts, refunds};
use super::records::returns::rows::{Return, ReturnLine};
use super::records::{draft_orders, fulfillment, pickups, returns};
use super::view::{OrderView, views};
use crate::compliance::deliveries;
use crate::promotions;

/// How long canceled orders that were never paid are kept after their last change, in milliseconds: buyers may still ask about them.
pub const UNPAID_KEPT_MS: i64 = 90 * 24 * 60 * 60 * 1000;

/// After this time, in milliseconds, a package has arrived, whether anybody has recorded it or not.
const ARRIVES_WITHIN_MS: i64 = 60 * 24 * 60 * 60 * 1000;

/// Limits of cards count attempts for less than this time, in milliseconds.
const LIMITS_COUNT_MS: i64 = 24 * 60 * 60 * 1000;

/// Orders per transaction.
const AT_ONCE: i64 = 50;

/// An order in the export of its buyer's data.
#[derive(Debug, Serialize)]
pub struct ExportedOrder {
    #[serde(flatten)]
    order: OrderView,
    created_at: i64,
    phone: String,
    /// As it is stored, for a pickup order too.
    buyer: Address,
    age_proof: Value,
    payments: Vec<Value>,
    /// The delivery records, which outlive the account.
    deliveries: Vec<deliveries::Record>,
    returns: Vec<Value>,
}

/// All orders of a user for the export of their data, also those that were never placed, the newest first.
pub async fn export(cx: &Context, user: Uuid) -> Result<Vec<ExportedOrder>, DbError> {
    /// Orders per page.
    const LIMIT: i64 = 100;
    let (mut exported, mut before) = (Vec::new(), (i64::MAX, Uuid::max()));
    loop {
        let mut reader = cx.db.read().await?;
        let mut conn = reader.conn();
        let orders = store::list_all_by_user(&mut conn, user, before, LIMIT).await?;
        let Some(last) = orders.last() else { return Ok(exported) };
        before = (last.created_at, last.id);
        let shown = views(&mut conn, cx, orders.clone()).await?;
        for (order, view) in orders.into_iter().zip(shown) {
            let returns = returns::service::list(&mut conn, order.id).await?;
            let payments = attempts::list(&mut conn, order.id).await?;
            let deliveries = list_deliveries(&mut conn, &order).await?;
            exported.push(ExportedOrder {
                order: view,
                created_at: order.created_at,
                buyer: order.address()?,
                age_proof: decoded("age_proof", serde_json::from_str(&order.age_proof))?,
                payments: payments.iter().map(|attempt| exported_payment(attempt, user)).collect(),
                deliveries,
                returns: returns.iter().map(|(found, lines)| exported_return(found, lines)).collect(),
                phone: order.phone,
            });
        }
    }
}

/// The records of an order's packages.
async fn list_deliveries(conn: &mut Conn<'_>, order: &Order) -> Result<Vec<deliveries::Record>, DbError> {
    let parcels = fulfillment::service::list(conn, order.id).await?;
    let (Some((first, _)), Some((last, _))) = (parcels.first(), parcels.last()) else { return Ok(Vec::new()) };
    deliveries::list_of_order(conn, &order.number, first.shipped_at..=last.shipped_at).await
}

/// A guest or another account may have tried to pay the order, too: their networks and cards are not the user's.
fn exported_payment(attempt: &Attempt, user: Uuid) -> Value {
    let mut payment = json!({ "created_at": attempt.created_at, "status": attempt.status, "amount": attempt.amount });
    if attempt.user_id == Some(user) {
        payment["network"] = json!(attempt.network);
        payment["card_brand"] = json!(attempt.card_brand);
        payment["card_last_4"] = json!(attempt.card_last_4);
        payment["card_fingerprint"] = json!(attempt.card_fingerprint);
    }
    payment
}

fn exported_return(found: &Return, lines: &[ReturnLine]) -> Value {
    let lines: Vec<Value> =
        lines.iter().map(|line| json!({ "line_id": line.line_id, "quantity": line.quantity })).collect();
    json!({
        "status": found.status, "requested_at": found.created_at, "reason": found.reason, "message": found.message,
        "lines": lines,
    })
}

/// Deletes canceled orders that nobody ever paid, with all that belongs to them.
pub async fn purge_unpaid(cx: &Context) -> Result<(), DbError> {
    /// Orders per batch.
    const LOOK: i64 = 500;
    let before = cx.clock.now_ms() - UNPAID_KEPT_MS;
    let (mut after, mut deleted) = ((i64::MIN, Uuid::nil()), 0_usize);
    loop {
        let looked = store::list_canceled(&mut cx.db.read().await?.conn(), before, after, LOOK).await?;
        let Some(last) = looked.last() else { break };
        after = (last.created_at, last.id);
        let over: Vec<Uuid> = looked.iter().filter(|order| order.is_unpaid).map(|order| order.id).collect();
        for orders in over.chunks(usize::try_from(AT_ONCE).unwrap_or(1)) {
            let mut tx = cx.db.begin().await?;
            let mut conn = tx.conn();
            for order in orders {
                // Checked again after locking, since settling a payment locks the order too: it may just have been paid.
                store::lock_order(&mut conn, *order).await?;
                if store::is_unpaid(&mut conn, *order, before).await? {
                    attempts::forget(&mut conn, *order).await?;
                    staff_search::service::remove(&mut conn, Kind::Order, *order).await?;
                    store::delete_order(&mut conn, *order).await?;
                    deleted += 1;
                }
            }
            tx.commit().await?;
        }
    }
    if deleted > 0 {
        tracing::info!(deleted, "canceled orders were deleted that nobody had paid");
    }
    Ok(())
}

/// Erases the buyer's data in closed orders of erased accounts, also what staff have written since they were erased before.
pub async fn erase_closed(cx: &Context) -> Result<(), DbError> {
    let mut after = Uuid::nil();
    loop {
        // Not in the transaction: it looks at all orders of erased accounts, and payments would wait for that.
        let before = arrived_before(cx.clock.as_ref());
        let orders = store::list_erasable(&mut cx.db.read().await?.conn(), before, after, AT_ONCE).await?;
        let Some(last) = orders.last() else { return Ok(()) };
        after = *last;
        erase_buyers(cx, &orders).await?;
    }
}

/// Follows the deletion of an account: erases the buyer's data in its closed orders, in batches. The others follow when they are closed.
/// What an interruption leaves, [`erase_closed`] erases.
pub async fn erase(cx: &Context, user: Uuid) -> Result<(), DbError> {
    let before = arrived_before(cx.clock.as_ref());
    let closed = store::list_closed_of(&mut cx.db.read().await?.conn(), user, before).await?;
    for orders in closed.chunks(usize::try_from(AT_ONCE).unwrap_or(1)) {
        erase_buyers(cx, orders).await?;
    }
    Ok(())
}

/// Erases the buyers' data in those of these orders that are closed, with the drafts that these were made of.
async fn erase_buyers(cx: &Context, orders: &[Uuid]) -> Result<(), DbError> {
    transaction!(cx.db, conn => {
        let mut erased = Vec::new();
        for order in orders {
            if erase_buyer(conn, cx.clock.as_ref(), *order).await? {
                erased.push(*order);
            }
        }
        // All orders are locked before the first draft.
        draft_orders::service::erase_of(conn, &erased).await
    })
}

/// Forgets which erased accounts have tried cards, whosever orders these are.
pub async fn forget_payers(cx: &Context) -> Result<(), DbError> {
    let before = cx.clock.now_ms() - LIMITS_COUNT_MS;
    loop {
        let orders = attempts::list_of_erased(&mut cx.db.read().await?.conn(), before, AT_ONCE).await?;
        if orders.is_empty() {
            return Ok(());
        }
        let mut tx = cx.db.begin().await?;
        let mut conn = tx.conn();
        for order in orders {
            store::lock_order(&mut conn, order).await?;
            attempts::forget_erased(&mut conn, order, before).await?;
        }
        tx.commit().await?;
    }
}

fn arrived_before(clock: &dyn Clock) -> i64 {
    clock.now_ms() - ARRIVES_WITHIN_MS
}

/// Returns whether the order is closed, without which nothing is erased.
async fn erase_buyer(conn: &mut Conn<'_>, clock: &dyn Clock, order: Uuid) -> Result<bool, DbError> {
    let Some(found) = store::lock_order(conn, order).await? else { return Ok(false) };
    // Checked again after locking: staff may just have undone what closed it, and the goods need their address.
    if !store::is_closed(conn, order, arrived_before(clock)).await? {
        return Ok(false);
    }
    let known = found.address()?;
    let Address { city, state, postal_code, .. } = known;
    let place = Address { city, state, postal_code, ..Address::default() };
    let place = decoded("address", serde_json::to_string(&place))?;
    store::erase_buyer(conn, order, &place).await?;
    attempts::erase_payer(conn, order).await?;
    refunds::erase_reasons(conn, order).await?;
    promotions::service::forget_customer(conn, order).await?;
    returns::service::erase_texts(conn, order).await?;
    pickups::service::erase_buyer(conn, order).await?;
    for entry in store::list_history(conn, order).await? {
        // In every kind of entry, free text is stored under this key.
        let mut data: Value = serde_json::from_str(&entry.data).unwrap_or_default();
        if data.as_object_mut().is_some_and(|fields| fields.remove("text").is_some()) {
            store::set_history_data(conn, entry.id, &data.to_string()).await?;
        }
    }
    index(conn, order).await?;
    Ok(true)
}

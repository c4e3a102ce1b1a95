//! Attempts to take money, each stored before its provider is called.

use shop_base::context::Context;
use shop_base::db::{Conn, DbError};
use shop_base::ids::new_id;
use shop_base::money::Money;
use uuid::Uuid;

use super::model::AttemptStatus;
use super::provider::ProviderName;
use super::rows::Attempt;
use super::store;

/// Input for a new attempt.
#[derive(Clone, Debug)]
pub struct New {
    pub order_id: Uuid,
    /// The attempt's number within the order, from 1.
    pub number: i64,
    pub click_id: Uuid,
    pub provider: ProviderName,
    pub amount: Money,
    /// Truncated network address.
    pub network: String,
    /// Who makes it; none for a guest.
    pub user_id: Option<Uuid>,
}

/// Stores an attempt and its idempotency key. It may be sent once that is committed.
pub async fn add(conn: &mut Conn<'_>, cx: &Context, new: New) -> Result<Attempt, DbError> {
    let now = cx.clock.now_ms();
    let attempt = Attempt {
        id: new_id(cx.clock.as_ref()),
        idempotency_key: format!("{}-{}", new.order_id.simple(), new.number),
        order_id: new.order_id,
        click_id: new.click_id,
        number: new.number,
        provider: new.provider,
        amount: new.amount.amount,
        currency: new.amount.currency,
        status: AttemptStatus::Sending,
        provider_payment_id: None,
        provider_version: None,
        card_brand: None,
        card_last_4: None,
        card_fingerprint: None,
        decline_code: None,
        decline_message: None,
        refunded: 0,
        provider_updated_at: 0,
        network: new.network,
        user_id: new.user_id,
        absent_at: None,
        look_at: 0,
        looks: 0,
        tender: None,
        created_at: now,
        updated_at: now,
    };
    store::insert_attempt(conn, &attempt).await?;
    Ok(attempt)
}

/// An order's attempts, the oldest first.
pub async fn list(conn: &mut Conn<'_>, order: Uuid) -> Result<Vec<Attempt>, DbError> {
    store::list_attempts(conn, order).await
}

/// The attempts of these orders, the oldest of each order first.
pub async fn list_of_all(conn: &mut Conn<'_>, orders: &[Uuid]) -> Result<Vec<Attempt>, DbError> {
    if orders.is_empty() { Ok(Vec::new()) } else { store::list_attempts_of_all(conn, orders).await }
}

pub async fn find(conn: &mut Conn<'_>, attempt: Uuid) -> Result<Attempt, DbError> {
    store::find_attempt(conn, attempt).await?.ok_or(DbError::Inconsistent("an attempt is gone"))
}

/// Orders with attempts of erased accounts that are over and were made before a time, by id.
pub async fn list_of_erased(conn: &mut Conn<'_>, before: i64, limit: i64) -> Result<Vec<Uuid>, DbError> {
    store::list_orders_of_erased(conn, before, limit).await
}

/// Forgets which erased accounts have made attempts of an order, whose row the caller holds, with their networks and cards.
pub async fn forget_erased(conn: &mut Conn<'_>, order: Uuid, before: i64) -> Result<(), DbError> {
    store::forget_erased(conn, order, before).await
}

/// Erases the network and the card's fingerprint of an order's attempts, which only the limits of cards need.
pub async fn erase_payer(conn: &mut Conn<'_>, order: Uuid) -> Result<(), DbError> {
    store::erase_payer(conn, order).await
}

/// Deletes the attempts of an order that was never paid, before the order itself is deleted.
pub async fn forget(conn: &mut Conn<'_>, order: Uuid) -> Result<(), DbError> {
    store::delete_attempts(conn, order).await
}

//! Reading, merging and emptying carts.

use uuid::Uuid;

use super::model::{Cart, CartItem, CartLine, Change, check, merge};
use super::store;
use crate::app::App;
use crate::catalog::service::list_sellable;
use crate::db::{Conn, DbError};
use crate::ids::new_id;
use crate::transaction;

/// What a device sends.
#[derive(Debug)]
pub struct Sync {
    pub items: Vec<CartItem>,
    /// What the device was last told; nothing for a guest's cart.
    pub base: Option<Vec<CartItem>>,
    pub promo_code: Option<String>,
}

/// Lines with this moment's prices and stock, and what changed since the shopper saw them.
async fn describe(conn: &mut Conn<'_>, items: &[CartItem]) -> Result<(Vec<CartLine>, Vec<Change>), DbError> {
    let ids: Vec<Uuid> = items.iter().map(|item| item.id).collect();
    Ok(check(items, &list_sellable(conn, &ids).await?))
}

/// A user's cart; an empty one when there is none.
pub async fn find_cart(app: &App, user: Uuid) -> Result<Cart, DbError> {
    let mut reader = app.db.read().await?;
    let mut conn = reader.conn();
    let Some(row) = store::find_cart(&mut conn, user).await? else {
        return Ok(Cart { items: Vec::new(), updated_at: 0, promo_code: None, changes: Vec::new() });
    };
    let items = store::list_items(&mut conn, row.id).await?;
    let (items, changes) = describe(&mut conn, &items).await?;
    Ok(Cart { items, updated_at: row.updated_at, promo_code: row.promo_code, changes })
}

/// Merges what a device sends into the user's cart and answers with the result.
pub async fn sync(app: &App, user: Uuid, sync: &Sync) -> Result<Cart, DbError> {
    transaction!(app.db, conn => sync_in(conn, app, user, sync).await)
}

async fn sync_in(conn: &mut Conn<'_>, app: &App, user: Uuid, sync: &Sync) -> Result<Cart, DbError> {
    let clock = app.clock.as_ref();
    let row = store::lock_cart(conn, new_id(clock), user).await?;
    let before = store::list_items(conn, row.id).await?;
    let merged = merge(&before, &sync.items, sync.base.as_deref());
    let (items, changes) = describe(conn, &merged).await?;
    // A guest's code comes along; without one the kept code stays.
    let promo_code =
        if sync.base.is_some() { sync.promo_code.clone() } else { sync.promo_code.clone().or(row.promo_code.clone()) };
    let kept = |line: &CartLine| (line.id, line.qty, line.saved, line.price);
    let stored = before.iter().map(|item| (item.id, item.qty, item.saved, item.price.unwrap_or_default()));
    let mut updated_at = row.updated_at;
    if promo_code != row.promo_code || !stored.eq(items.iter().map(kept)) {
        updated_at = clock.now_ms().max(row.updated_at + 1);
        store::replace_items(conn, row.id, items.iter().map(kept)).await?;
        store::update_cart(conn, row.id, promo_code.as_deref(), updated_at).await?;
    }
    Ok(Cart { items, updated_at, promo_code, changes })
}

/// Part of the deletion of an account.
pub async fn erase(conn: &mut Conn<'_>, user: Uuid) -> Result<(), DbError> {
    store::delete_cart(conn, user).await
}

/// Takes what was bought out of the buyer's cart, within the transaction that placed the order.
pub async fn remove_bought(
    conn: &mut Conn<'_>,
    user: Uuid,
    bought: impl Iterator<Item = (Uuid, i64)>,
    now: i64,
) -> Result<(), DbError> {
    let Some(cart) = store::lock_existing(conn, user).await? else { return Ok(()) };
    for (variant, quantity) in bought {
        store::remove_bought(conn, user, variant, quantity).await?;
    }
    store::update_cart(conn, cart.id, None, now.max(cart.updated_at + 1)).await
}

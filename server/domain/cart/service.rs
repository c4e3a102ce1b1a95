//! Reading, merging and emptying carts. `held` are variants and quantities that an unfinished checkout of the same cart holds: what a shopper
//! is about to pay for is not sold out for them.

use shop_base::context::Context;
use shop_base::db::{Conn, DbError};
use shop_base::ids::new_id;
use shop_base::transaction;
use uuid::Uuid;

use super::model::{Cart, CartItem, CartLine, Change, ChangeKind, Contents, Edit, MAX_LINES, check, merge};
use super::store;
use super::store::CartRow;
use crate::catalog::service::list_sellable;

/// What a device sends on a sync.
#[derive(Debug)]
pub struct Sync {
    pub items: Vec<CartItem>,
    /// What the device was last sent; none for a guest's cart.
    pub base: Option<Vec<CartItem>>,
    pub promo_code: Option<String>,
    /// Without a code the stored one is kept, although there is a base.
    pub keeps_code: bool,
}

impl Sync {
    /// A device's code takes precedence; a guest cart without a code keeps the stored one.
    fn promo_code(&self, kept: Option<&str>) -> Option<String> {
        let kept = kept.filter(|_| self.base.is_none() || self.keeps_code);
        self.promo_code.as_deref().or(kept).map(str::to_owned)
    }
}

/// Lines with current prices and stock, and what has changed since the shopper saw them.
async fn describe(
    conn: &mut Conn<'_>,
    items: &[CartItem],
    held: &[(Uuid, i64)],
) -> Result<(Vec<CartLine>, Vec<Change>), DbError> {
    let ids: Vec<Uuid> = items.iter().map(|item| item.id).collect();
    Ok(check(items, &list_sellable(conn, &ids, held).await?))
}

/// The contents of a user's cart; empty if there is none.
pub async fn find_contents(conn: &mut Conn<'_>, user: Uuid) -> Result<Contents, DbError> {
    let Some(row) = store::find_cart(conn, user).await? else { return Ok(Contents::default()) };
    Ok(Contents { items: store::list_items(conn, row.id).await?, promo_code: row.promo_code })
}

/// The lines saved for later.
pub async fn list_saved(
    conn: &mut Conn<'_>,
    contents: &Contents,
    held: &[(Uuid, i64)],
) -> Result<Vec<CartLine>, DbError> {
    let saved: Vec<CartItem> = contents.items.iter().filter(|item| item.saved).cloned().collect();
    Ok(describe(conn, &saved, held).await?.0)
}

/// Edits a user's cart; returns what prevented parts of it.
pub async fn edit(cx: &Context, user: Uuid, edits: &[Edit], held: &[(Uuid, i64)]) -> Result<Vec<Change>, DbError> {
    transaction!(cx.db, conn => edit_in(conn, cx, user, edits, held).await)
}

async fn edit_in(
    conn: &mut Conn<'_>,
    cx: &Context,
    user: Uuid,
    edits: &[Edit],
    held: &[(Uuid, i64)],
) -> Result<Vec<Change>, DbError> {
    let row = store::lock_cart(conn, new_id(cx.clock.as_ref()), user).await?;
    let before = Contents { items: store::list_items(conn, row.id).await?, promo_code: row.promo_code.clone() };
    let (mut after, mut changes) = (before.clone(), Vec::new());
    for edit in edits {
        let (contents, stood_in_the_way) = edited(conn, &after, edit, held).await?;
        after = contents;
        changes.extend(stood_in_the_way);
    }
    replace(conn, cx, &row, &before, &after).await?;
    Ok(changes)
}

/// Stores the contents of a locked cart.
async fn replace(
    conn: &mut Conn<'_>,
    cx: &Context,
    row: &CartRow,
    before: &Contents,
    after: &Contents,
) -> Result<(), DbError> {
    if after != before {
        let lines = after.items.iter().map(|item| (item.id, item.qty, item.saved, item.price.unwrap_or_default()));
        store::replace_items(conn, row.id, lines).await?;
        let updated_at = cx.clock.now_ms().max(row.updated_at + 1);
        store::update_cart(conn, row.id, after.promo_code.as_deref(), updated_at).await?;
    }
    Ok(())
}

/// The contents after an edit, as far as the shop can sell its subject, and the differences from the requested edit. Prices and quantities
/// of other lines stay as the shopper saw them, so that the cart's page tells what has changed; those that are no longer sold are removed.
pub async fn edited(
    conn: &mut Conn<'_>,
    before: &Contents,
    edit: &Edit,
    held: &[(Uuid, i64)],
) -> Result<(Contents, Vec<Change>), DbError> {
    let mut wanted = before.clone();
    wanted.edit(edit);
    let Some(subject) = edit.subject() else { return Ok((wanted, Vec::new())) };
    let former = before.items.iter().find(|item| item.id == subject);
    let (lines, mut changes) = describe(conn, &wanted.items, held).await?;
    changes.retain(|change| match change.kind {
        ChangeKind::Unavailable => true,
        ChangeKind::PriceChanged => false,
        ChangeKind::NotEnoughStock | ChangeKind::SoldOut => change.id == subject,
    });
    if former.is_none() {
        for change in changes.iter_mut().filter(|change| change.id == subject && change.kind == ChangeKind::Unavailable)
        {
            change.message = "This item is no longer available.".to_owned();
        }
    }
    let items = &mut wanted.items;
    items.retain(|item| lines.iter().any(|line| line.id == item.id));
    if let Some(line) = lines.iter().find(|line| line.id == subject) {
        let is_new = former.is_none();
        let is_full = items.len() > MAX_LINES;
        // A line already in the cart stays visible when it sells out; a sold-out one is not added.
        if is_new && (is_full || line.max_quantity == 0) {
            items.retain(|item| item.id != subject);
        }
        if is_new && is_full && line.max_quantity > 0 {
            let message = format!("Your cart is full. Remove an item to add “{}”.", line.title);
            changes.push(Change { id: subject, kind: ChangeKind::Unavailable, message });
        }
        if let Some(item) = items.iter_mut().find(|item| item.id == subject) {
            // No more of a sold-out item can be ordered; it keeps its quantity until it is back.
            item.qty = former.filter(|_| line.max_quantity == 0).map_or(line.qty, |former| former.qty);
            item.price = Some(line.price);
        }
    }
    Ok((wanted, changes))
}

/// Joins a guest's cart to a user's at sign-in. Prices and quantities stay as the shopper saw them, so that the cart tells what has changed.
pub async fn join(cx: &Context, user: Uuid, brought: &Contents) -> Result<(), DbError> {
    transaction!(cx.db, conn => join_in(conn, cx, user, brought).await)
}

async fn join_in(conn: &mut Conn<'_>, cx: &Context, user: Uuid, brought: &Contents) -> Result<(), DbError> {
    let row = store::lock_cart(conn, new_id(cx.clock.as_ref()), user).await?;
    let before = Contents { items: store::list_items(conn, row.id).await?, promo_code: row.promo_code.clone() };
    let promo_code = brought.promo_code.clone().or_else(|| row.promo_code.clone());
    let mut after = Contents { items: merge(&before.items, &brought.items, None), promo_code };
    let (lines, _) = describe(conn, &after.items, &[]).await?;
    after.items.retain_mut(|item| {
        let line = lines.iter().find(|line| line.id == item.id);
        item.price = item.price.or(line.map(|line| line.price));
        line.is_some() || before.items.iter().any(|kept| kept.id == item.id)
    });
    replace(conn, cx, &row, &before, &after).await
}

/// Merges a browser's lines into the guest's cart that the server knows from the cookie. Without a known cart there is no base.
pub async fn sync_guest(
    cx: &Context,
    conn: &mut Conn<'_>,
    known: Option<Contents>,
    mut sync: Sync,
    held: &[(Uuid, i64)],
) -> Result<Cart, DbError> {
    if known.is_none() {
        sync.base = None;
    }
    let known = known.unwrap_or_default();
    let merged = merge(&known.items, &sync.items, sync.base.as_deref());
    let (items, changes) = describe(conn, &merged, held).await?;
    let promo_code = sync.promo_code(known.promo_code.as_deref());
    Ok(Cart { items, updated_at: cx.clock.now_ms(), promo_code, changes })
}

/// A user's cart; empty if there is none.
pub async fn find_cart(conn: &mut Conn<'_>, user: Uuid, held: &[(Uuid, i64)]) -> Result<Cart, DbError> {
    let Some(row) = store::find_cart(conn, user).await? else {
        return Ok(Cart { items: Vec::new(), updated_at: 0, promo_code: None, changes: Vec::new() });
    };
    let items = store::list_items(conn, row.id).await?;
    let (items, changes) = describe(conn, &items, held).await?;
    Ok(Cart { items, updated_at: row.updated_at, promo_code: row.promo_code, changes })
}

/// Merges what a device sends into the user's cart and returns the result. Pages send their carts whenever the shopper returns to them, mostly
/// without a change: that takes no write transaction.
pub async fn sync(cx: &Context, user: Uuid, sync: &Sync, held: &[(Uuid, i64)]) -> Result<Cart, DbError> {
    if let Some(cart) = unchanged(cx, user, sync, held).await? {
        return Ok(cart);
    }
    transaction!(cx.db, conn => sync_in(conn, cx, user, sync, held).await)
}

/// The user's cart if what a device sends changes nothing in it.
async fn unchanged(cx: &Context, user: Uuid, sync: &Sync, held: &[(Uuid, i64)]) -> Result<Option<Cart>, DbError> {
    let mut reader = cx.db.read().await?;
    let mut conn = reader.conn();
    let Some(row) = store::find_cart(&mut conn, user).await? else { return Ok(None) };
    let (cart, is_change) = merged(&mut conn, &row, sync, held).await?;
    Ok((!is_change).then_some(cart))
}

async fn sync_in(
    conn: &mut Conn<'_>,
    cx: &Context,
    user: Uuid,
    sync: &Sync,
    held: &[(Uuid, i64)],
) -> Result<Cart, DbError> {
    let clock = cx.clock.as_ref();
    let row = store::lock_cart(conn, new_id(clock), user).await?;
    let (mut cart, is_change) = merged(conn, &row, sync, held).await?;
    if is_change {
        cart.updated_at = clock.now_ms().max(row.updated_at + 1);
        store::replace_items(conn, row.id, cart.items.iter().map(kept)).await?;
        store::update_cart(conn, row.id, cart.promo_code.as_deref(), cart.updated_at).await?;
    }
    Ok(cart)
}

/// The user's cart with what a device sends, and whether that differs from what is stored.
async fn merged(
    conn: &mut Conn<'_>,
    row: &CartRow,
    sync: &Sync,
    held: &[(Uuid, i64)],
) -> Result<(Cart, bool), DbError> {
    let before = store::list_items(conn, row.id).await?;
    let lines = merge(&before, &sync.items, sync.base.as_deref());
    let (items, changes) = describe(conn, &lines, held).await?;
    let promo_code = sync.promo_code(row.promo_code.as_deref());
    let stored = before.iter().map(|item| (item.id, item.qty, item.saved, item.price.unwrap_or_default()));
    let is_change = promo_code != row.promo_code || !stored.eq(items.iter().map(kept));
    Ok((Cart { items, updated_at: row.updated_at, promo_code, changes }, is_change))
}

/// What is stored of a line.
fn kept(line: &CartLine) -> (Uuid, i64, bool, i64) {
    (line.id, line.qty, line.saved, line.price)
}

/// Part of the deletion of an account.
pub async fn erase(conn: &mut Conn<'_>, user: Uuid) -> Result<(), DbError> {
    store::delete_cart(conn, user).await
}

/// Removes what a guest has bought from the cart of the account that the guest has signed in to since.
pub async fn remove_guests_bought(cx: &Context, user: Uuid, bought: &[(Uuid, i64)]) -> Result<(), DbError> {
    transaction!(cx.db, conn => remove_bought(conn, user, bought.iter().copied(), cx.clock.now_ms()).await)
}

/// Removes bought goods from the buyer's cart, within the transaction that places the order.
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

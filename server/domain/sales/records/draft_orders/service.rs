//! Finding, exporting and deleting draft orders.

use serde_json::{Value, json};
use shop_base::context::Context;
use shop_base::db::{Conn, DbError};
use shop_platform::staff_search;
use shop_platform::staff_search::model::Kind;
use uuid::Uuid;

use super::model::PromisedLine;
use super::rows::Draft;
use super::store;
use crate::sales::links;

/// How long drafts that became no order are kept after they expire, in milliseconds.
pub const KEPT_FOR: i64 = 90 * 24 * 60 * 60 * 1000;

/// The draft that a link belongs to, in any state.
pub async fn find_by_token(conn: &mut Conn<'_>, token: &str) -> Result<Option<Draft>, DbError> {
    store::find_by_token(conn, &links::hash(token)).await
}

pub async fn find_by_number(conn: &mut Conn<'_>, number: &str) -> Result<Option<Draft>, DbError> {
    store::find_by_number(conn, number).await
}

pub async fn list_lines(conn: &mut Conn<'_>, draft: Uuid) -> Result<Vec<PromisedLine>, DbError> {
    store::list_lines(conn, draft).await
}

/// Numbers and lines of an account's draft orders.
pub async fn list_by_user(cx: &Context, user: Uuid) -> Result<Vec<Value>, DbError> {
    let mut reader = cx.db.read().await?;
    let mut conn = reader.conn();
    let mut drafts = Vec::new();
    for draft in store::list_by_user(&mut conn, user).await? {
        drafts.push(json!({
            "number": draft.number, "status": draft.status, "made_at": draft.created_at, "email": draft.email,
            "phone": draft.phone, "address": draft.address()?, "message": draft.message, "total": draft.total,
        }));
    }
    Ok(drafts)
}

/// Deletes an account's draft orders. Orders made from them stay.
pub async fn erase(conn: &mut Conn<'_>, user: Uuid) -> Result<(), DbError> {
    let drafts = store::list_by_user(conn, user).await?.into_iter().map(|draft| draft.id).collect();
    delete_all(conn, drafts).await
}

/// Deletes the drafts of which orders of an erased account were made; those made for another account are that one's.
pub async fn erase_of(conn: &mut Conn<'_>, orders: &[Uuid]) -> Result<(), DbError> {
    let mut drafts = Vec::new();
    for order in orders {
        drafts.extend(store::list_by_order(conn, *order).await?);
    }
    delete_all(conn, drafts).await
}

/// Deletes drafts that expired long ago without becoming an order, and those that were saved for an account while it was erased.
pub async fn purge(cx: &Context) -> Result<(), DbError> {
    let before = cx.clock.now_ms() - KEPT_FOR;
    loop {
        let drafts = list_deletable(&mut cx.db.read().await?.conn(), before).await?;
        if drafts.is_empty() {
            return Ok(());
        }
        let mut tx = cx.db.begin().await?;
        let mut conn = tx.conn();
        for draft in drafts {
            // Asked again with the lock, since staff may just have changed it.
            if store::lock_deletable(&mut conn, draft, before).await? {
                delete(&mut conn, draft).await?;
            }
        }
        tx.commit().await?;
    }
}

/// Drafts that expired before a time without becoming an order, and those of erased accounts, in the order in which they are locked.
async fn list_deletable(conn: &mut Conn<'_>, before: i64) -> Result<Vec<Uuid>, DbError> {
    const AT_ONCE: i64 = 50;
    let mut drafts = store::list_over(conn, before, AT_ONCE).await?;
    drafts.extend(store::list_of_erased(conn, AT_ONCE).await?);
    drafts.sort_unstable();
    Ok(drafts)
}

async fn delete_all(conn: &mut Conn<'_>, mut drafts: Vec<Uuid>) -> Result<(), DbError> {
    // The order in which they are locked.
    drafts.sort_unstable();
    for draft in drafts {
        delete(conn, draft).await?;
    }
    Ok(())
}

async fn delete(conn: &mut Conn<'_>, draft: Uuid) -> Result<(), DbError> {
    store::delete_draft(conn, draft).await?;
    // Once nobody can write them any more.
    staff_search::service::remove(conn, Kind::Draft, draft).await
}

/// Updates the search index entry of a draft: its number, and its customer's email address and name.
pub async fn index(conn: &mut Conn<'_>, id: Uuid) -> Result<(), DbError> {
    let Some(draft) = store::find_draft(conn, id).await? else { return Ok(()) };
    let address = draft.address()?;
    let texts = [draft.number.as_str(), &draft.email, &address.first_name, &address.last_name, &address.company];
    staff_search::service::put(conn, Kind::Draft, draft.id, &texts).await
}

//! A draft order's promise to the checkout that its link opens, and how the draft follows the outcome of that checkout.

use shop_base::clock::Clock;
use shop_base::db::{Conn, DbError};
use uuid::{Builder, Uuid, Version};

use super::model::{DraftState, Promise};
use super::store;

/// The promise of a checkout; none if it is an ordinary one. `now` is UTC milliseconds.
pub async fn find(conn: &mut Conn<'_>, checkout: Uuid, now: i64) -> Result<Option<Promise>, DbError> {
    let Some(draft) = store::find_by_checkout(conn, checkout).await? else { return Ok(replaced(checkout)) };
    let lines = store::list_lines(conn, draft.id).await?;
    Ok(Some(Promise { state: draft.state(now), user_id: draft.user_id, promo_code: draft.promo_code, lines }))
}

/// The promise of a checkout that no draft has. One that its draft has no longer promises no lines: a page that is still open on it has to be
/// reloaded, and cannot buy the goods as an ordinary cart.
pub fn replaced(checkout: Uuid) -> Option<Promise> {
    let nothing = Promise { state: DraftState::Open, user_id: None, promo_code: None, lines: Vec::new() };
    is_of_draft(checkout).then_some(nothing)
}

/// Locks the draft of a checkout until the transaction ends; false if there is none, and then there will be none: drafts get checkouts that
/// nobody knows yet. Lock order: the order's row first, then the draft.
pub async fn hold(conn: &mut Conn<'_>, checkout: Uuid) -> Result<bool, DbError> {
    store::lock_checkout(conn, checkout).await
}

/// Called when an order is placed: if its checkout belongs to a draft, links the draft to this order. Returns the draft's number and who
/// made it.
pub async fn placed(
    conn: &mut Conn<'_>,
    clock: &dyn Clock,
    checkout: Uuid,
    order: Uuid,
) -> Result<Option<(String, Uuid)>, DbError> {
    store::set_placed(conn, checkout, order, clock.now_ms()).await
}

/// Called when the order of a checkout has ended. If the checkout belongs to a draft that was never placed, the draft gets a new checkout.
pub async fn unpaid(conn: &mut Conn<'_>, checkout: Uuid) -> Result<(), DbError> {
    store::replace_checkout(conn, checkout, new_checkout()).await
}

/// Must not be guessable: the id allows paying and reading the outcome. Its version says that it is of a draft, also once the draft has
/// another one: ordinary checkouts have UUIDs of version 4 or 7.
pub fn new_checkout() -> Uuid {
    Builder::from_custom_bytes(rand::random()).into_uuid()
}

/// Whether the checkout is, or was, the one of a draft. Drafts made by a former release have ids like those of ordinary checkouts.
pub fn is_of_draft(checkout: Uuid) -> bool {
    checkout.get_version() == Some(Version::Custom)
}

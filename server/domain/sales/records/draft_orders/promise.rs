//! What a draft order promises to the checkout that its link opens, and what becomes of it there.

use shop_base::clock::Clock;
use shop_base::db::{Conn, DbError};
use uuid::{Builder, Uuid};

use super::model::Promise;
use super::store;

/// What is promised in a checkout; none when it is an ordinary one. `now` is UTC milliseconds.
pub async fn find(conn: &mut Conn<'_>, checkout: Uuid, now: i64) -> Result<Option<Promise>, DbError> {
    let Some(draft) = store::find_by_checkout(conn, checkout).await? else { return Ok(None) };
    let lines = store::list_lines(conn, draft.id).await?;
    Ok(Some(Promise { state: draft.state(now), user_id: draft.user_id, promo_code: draft.promo_code, lines }))
}

/// Keeps the draft of a checkout as it is until the transaction ends; false when there is none. Whoever holds an order's row may
/// ask for this, never the other way round.
pub async fn hold(conn: &mut Conn<'_>, checkout: Uuid) -> Result<bool, DbError> {
    store::lock_checkout(conn, checkout).await
}

/// An order is placed: if its checkout is that of a draft, the draft has become this order. Answers with its number and who made it.
pub async fn placed(
    conn: &mut Conn<'_>,
    clock: &dyn Clock,
    checkout: Uuid,
    order: Uuid,
) -> Result<Option<(String, Uuid)>, DbError> {
    store::set_placed(conn, checkout, order, clock.now_ms()).await
}

/// The order of a checkout has ended. If it is of a draft that was never placed, the link leads to a new checkout.
pub async fn unpaid(conn: &mut Conn<'_>, checkout: Uuid) -> Result<(), DbError> {
    store::replace_checkout(conn, checkout, new_checkout()).await
}

/// Not to be guessed: who knows it may pay, and learns what became of it.
pub fn new_checkout() -> Uuid {
    Builder::from_random_bytes(rand::random()).into_uuid()
}

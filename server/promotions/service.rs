//! Looking codes up and using them.

use uuid::Uuid;

use super::model::{Promo, PromoProblem, normalized};
use super::store;
use crate::db::{Conn, DbError};

/// A code for goods of this worth, or why it cannot be used. `email` is the buyer's, once it is known.
pub async fn check(
    conn: &mut Conn<'_>,
    code: &str,
    subtotal: i64,
    email: Option<&str>,
    order: Option<Uuid>,
    now: i64,
) -> Result<Result<Promo, PromoProblem>, DbError> {
    let Some(promo) = store::find_promo(conn, &normalized(code)).await? else {
        return Ok(Err(PromoProblem::Unknown));
    };
    if let Err(problem) = promo.check(subtotal, now) {
        return Ok(Err(problem));
    }
    if let (true, Some(email)) = (promo.once_per_customer, email)
        && store::is_redeemed(conn, promo.id, &email.to_lowercase(), order).await?
    {
        return Ok(Err(PromoProblem::UsedByCustomer));
    }
    Ok(Ok(promo))
}

/// Uses a code for an order, within its transaction.
pub async fn redeem(
    conn: &mut Conn<'_>,
    promo: &Promo,
    order: Uuid,
    email: &str,
) -> Result<Result<(), PromoProblem>, DbError> {
    let customer = if promo.once_per_customer { email.to_lowercase() } else { order.to_string() };
    if !store::insert_redemption(conn, order, promo.id, &customer).await? {
        return Ok(Err(PromoProblem::UsedByCustomer));
    }
    if !store::count_use(conn, promo.id).await? {
        return Ok(Err(PromoProblem::UsedUp));
    }
    Ok(Ok(()))
}

/// Gives an order's use of a code back.
pub async fn give_back(conn: &mut Conn<'_>, order: Uuid) -> Result<(), DbError> {
    store::delete_redemption(conn, order).await
}

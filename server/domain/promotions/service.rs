//! Looking up, redeeming and administering codes.

use serde_json::json;
use shop_base::clock::timestamp;
use shop_base::context::Context;
use shop_base::db::{Conn, DbError};
use shop_base::email::mailbox;
use shop_base::error::Error;
use shop_base::ids::new_id;
use shop_base::transaction;
use shop_platform::audit;
use shop_platform::audit::model::{Actor, Change, Subject};
use uuid::Uuid;

use super::model::{Grant, Promo, PromoInput, PromoProblem, normalized};
use super::{queries, store};

/// Creates a code. The same one, sent again, is the one that is there.
pub async fn create(cx: &Context, actor: &Actor, input: &PromoInput) -> Result<Uuid, Error> {
    let code = input.new_code()?;
    let grant = input.grant(0, cx.zone())?;
    let clock = cx.clock.as_ref();
    let id = new_id(clock);
    let mut tx = cx.db.begin().await?;
    let mut conn = tx.conn();
    if !store::insert_promo(&mut conn, id, &code, &grant, clock.now_ms()).await? {
        if let Some(known) = store::find_promo(&mut conn, &code).await?
            && let Some((_, _, _, terms)) = store::lock_promo(&mut conn, known.id).await?
            && terms == grant
        {
            return Ok(known.id);
        }
        return Err(Error::invalid("code", "This code already exists. Edit it, or choose another name."));
    }
    let after = serde_json::to_value(&grant).map_err(Error::internal)?;
    let change = Change::new("promo.create", Subject::new("setting", id, code), after);
    audit::service::record(&mut conn, clock, actor, &change).await?;
    tx.commit().await?;
    Ok(id)
}

/// Changes the terms of a code, but not what an open draft order promises. Existing orders are not affected. The same change, sent again
/// because an answer was lost, is what is there.
pub async fn change(cx: &Context, actor: &Actor, id: Uuid, input: &PromoInput) -> Result<(), Error> {
    transaction!(cx.db, conn => {
        let Some((code, used, version, before)) = store::lock_promo(conn, id).await? else {
            return Err(Error::NotFound);
        };
        let grant = input.grant(used, cx.zone());
        if input.version != Some(version) {
            let is_stored = grant.is_ok_and(|grant| grant == before);
            return if is_stored { Ok(()) } else { Err(Error::changed_meanwhile("this code")) };
        }
        let grant = grant?;
        let promised = |terms: &Grant| (terms.kind, terms.value, terms.min_subtotal);
        if promised(&before) != promised(&grant)
            && let Some(until) = queries::find_promised_until(conn, &code, cx.clock.now_ms()).await?
        {
            let last = timestamp(until - 1).to_zoned(cx.zone().clone()).strftime("%B %-d, %Y").to_string();
            let message = format!("Draft orders promise this discount until {last}. Create another code instead.");
            return Err(Error::conflict("promised", &message));
        }
        store::update_promo(conn, id, &grant).await?;
        let mut change = Change::of("promo.update", Subject::new("setting", id, code), &before, &grant);
        if before.value != grant.value {
            // It says what the value is: a percentage or an amount.
            (change.before["kind"], change.after["kind"]) = (json!(before.kind), json!(grant.kind));
        }
        audit::service::record(conn, cx.clock.as_ref(), actor, &change).await?;
        Ok(())
    })
}

/// The code if it can be used for this subtotal, or why not. `email` is the buyer's, once known.
pub async fn check(
    conn: &mut Conn<'_>,
    code: &str,
    subtotal: i64,
    email: Option<&str>,
    order: Option<Uuid>,
    now: i64,
) -> Result<Result<Promo, PromoProblem>, DbError> {
    let Some(mut promo) = store::find_promo(conn, &normalized(code)).await? else {
        return Ok(Err(PromoProblem::Unknown));
    };
    // The order's own redemption does not count against the limit.
    if let Some(order) = order
        && store::is_used_by(conn, promo.id, order).await?
    {
        promo.used -= 1;
    }
    if let Err(problem) = promo.check(subtotal, now) {
        return Ok(Err(problem));
    }
    if let (true, Some(email)) = (promo.once_per_customer, email) {
        let redeemed = store::list_redeemed(conn, promo.id, email, order).await?;
        if redeemed.contains(&true) {
            return Ok(Err(PromoProblem::UsedByCustomer));
        }
        if !redeemed.is_empty() {
            return Ok(Err(PromoProblem::HeldByCustomer));
        }
    }
    Ok(Ok(promo))
}

/// Locks the codes that an order uses or will use, before its stock is locked.
pub async fn hold(conn: &mut Conn<'_>, order: Uuid, wanted: Option<&Promo>) -> Result<(), DbError> {
    store::lock_of_orders(conn, &[order], wanted.map(|promo| promo.id)).await
}

/// Locks the codes that these orders use, at least one, before their stock is locked.
pub async fn hold_all(conn: &mut Conn<'_>, orders: &[Uuid]) -> Result<(), DbError> {
    store::lock_of_orders(conn, orders, None).await
}

/// Redeems a code for an order, within its transaction.
pub async fn redeem(
    conn: &mut Conn<'_>,
    promo: &Promo,
    order: Uuid,
    email: &str,
) -> Result<Result<(), PromoProblem>, DbError> {
    let customer = if promo.once_per_customer { mailbox(email) } else { order.to_string() };
    if !store::insert_redemption(conn, order, promo.id, &customer).await? {
        return Ok(Err(PromoProblem::UsedByCustomer));
    }
    if !store::count_use(conn, promo.id).await? {
        return Ok(Err(PromoProblem::UsedUp));
    }
    Ok(Ok(()))
}

/// Redeems an order's code again if it was given back after the order was priced with it. The price stays valid even if others have used up
/// the code meanwhile.
pub async fn keep(conn: &mut Conn<'_>, order: Uuid, email: &str) -> Result<(), DbError> {
    store::restore_redemption(conn, order, &mailbox(email)).await
}

/// Gives back an order's redemption.
pub async fn give_back(conn: &mut Conn<'_>, order: Uuid) -> Result<(), DbError> {
    store::delete_redemption(conn, order).await
}

/// Erases the customer from an order's redemption. A code limited to once per customer can then be used again, because the customer is no
/// longer known.
pub async fn forget_customer(conn: &mut Conn<'_>, order: Uuid) -> Result<(), DbError> {
    store::forget_customer(conn, order).await
}

//! Places the order of a pickup link that was emailed to a guest.

use shop_base::context::Context;
use shop_base::db::Conn;
use shop_base::error::Error;
use shop_base::ids::new_id;
use shop_base::money::Money;
use shop_base::transaction;

use super::parts::Payments;
use super::pay::{Outcome, Prepared, carry_out, place};
use crate::sales::records::orders;
use crate::sales::records::orders::rows::Order;
use crate::sales::records::payments::attempts;
use crate::sales::records::payments::provider::ProviderName;
use crate::sales::records::pickups::rows::Link as PickupLink;
use crate::sales::records::pickups::service as pickups;
use crate::sales::status::OrderStatus;

/// Places the order of a pickup link, once: using the link again has the same outcome.
pub async fn confirm(payments: &Payments, token: &str) -> Result<Outcome, Error> {
    let (prepared, email) = transaction!(payments.db, conn => prepare(conn, payments, token).await)?;
    carry_out(payments, prepared, String::new(), email).await
}

/// The first transaction: marks the link as used and stores an attempt that makes the order due.
async fn prepare(conn: &mut Conn<'_>, cx: &Context, token: &str) -> Result<(Prepared, String), Error> {
    let clock = cx.clock.as_ref();
    let unlocked = pickups::find_by_token(conn, token).await?.ok_or_else(over)?;
    let order = orders::service::lock(conn, unlocked.order_id).await?;
    // Read again: only the holder of the order's row uses or replaces its links.
    let link = pickups::find_by_token(conn, token).await?.ok_or_else(over)?;
    let email = order.email.clone();
    if has_placed(&link, &order) {
        return Ok((Prepared::Placed(order), email));
    }
    let before = attempts::list(conn, order.id).await?;
    if !link.is_good(clock.now_ms()) || order.status != OrderStatus::Draft {
        return Err(over());
    }
    if let Some(open) = before.iter().find(|attempt| attempt.status.is_open()) {
        return Ok((Prepared::Follow(open.clone()), email));
    }
    pickups::set_used(conn, clock, link.id).await?;
    if order.total == 0 {
        return Ok((Prepared::Placed(place(conn, cx, order.id).await?), email));
    }
    let new = attempts::New {
        order_id: order.id,
        number: i64::try_from(before.len()).unwrap_or(i64::MAX).saturating_add(1),
        click_id: new_id(clock),
        provider: ProviderName::Pickup,
        amount: Money { amount: order.total, currency: order.currency },
        network: link.network,
        user_id: order.user_id,
    };
    Ok((Prepared::Send(attempts::add(conn, cx, new).await?, order.number), email))
}

pub fn has_placed(link: &PickupLink, order: &Order) -> bool {
    link.has_placed() && order.placed_at.is_some()
}

/// Also said of a used link that was deleted since, or replaced: it may have placed the order.
fn over() -> Error {
    Error::conflict(
        "link_over",
        "This link is no longer valid. If you have confirmed your order, its number is in an email from us.",
    )
}

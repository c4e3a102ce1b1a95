//! Adding pickup orders, and the links that confirm them. Each function runs inside the caller's transaction, which holds the order's row.

use shop_base::clock::Clock;
use shop_base::context::Context;
use shop_base::db::{Conn, DbError};
use shop_base::email::mailbox;
use shop_base::error::Error;
use shop_base::ids::new_id;
use shop_platform::jobs;
use shop_platform::metrics::limit_hits;
use uuid::Uuid;

use super::jobs::SendPickupMail;
use super::model::{DAY, LINK_FOR, TooMany};
use super::rows::Link;
use super::store;
use super::store::OpenPickup;
use crate::identity;
use crate::sales::links::{self, PICKUPS};
use crate::stock::service::HELD_FOR;

/// An order that a shopper wants to pick up and pay for in the store, or that costs nothing, however it is delivered.
#[derive(Clone, Debug)]
pub struct NewPickup {
    pub order_id: Uuid,
    pub click_id: Uuid,
    pub email: String,
    pub user_id: Option<Uuid>,
    /// Truncated network address.
    pub network: String,
    /// Total quantity of its goods.
    pub units: i64,
}

impl Link {
    /// Whether it may place its order at `now`, UTC milliseconds; also a second time if the first use failed.
    pub fn is_good(&self, now: i64) -> bool {
        self.replaced_at.is_none() && now < self.expires_at
    }

    /// Whether its order was placed through this link. A replaced link does not reveal that.
    pub fn has_placed(&self) -> bool {
        self.used_at.is_some() && self.replaced_at.is_none()
    }
}

impl From<TooMany> for Error {
    fn from(why: TooMany) -> Self {
        Self::conflict(why.code(), &why.to_string())
    }
}

/// Whether an order with this email address must be confirmed by email: true unless the user is signed in and the provider has verified the
/// address.
pub async fn needs_email(conn: &mut Conn<'_>, user: Option<Uuid>, email: &str) -> Result<bool, DbError> {
    match user {
        Some(user) => Ok(!identity::accounts::has_verified(conn, user, email).await?),
        None => Ok(true),
    }
}

/// Lets others who order for the same person, or from the same network, wait until the transaction ends, so that all orders are counted.
pub async fn lock_buyer(conn: &mut Conn<'_>, new: &NewPickup) -> Result<(), DbError> {
    let mut keys = vec![format!("email {}", mailbox(&new.email)), format!("network {}", new.network)];
    keys.extend(new.user_id.map(|user| format!("user {user}")));
    // Sorted, to avoid deadlocks between transactions that lock the same keys.
    keys.sort();
    store::lock(conn, &keys).await
}

/// Counts an order among the open ones of its buyer and network, or rejects it; the caller has locked the buyer. Returns when its stock is
/// released unless it is placed, UTC milliseconds. Invalidates earlier links of the order.
pub async fn add(conn: &mut Conn<'_>, clock: &dyn Clock, new: &NewPickup, by_email: bool) -> Result<i64, Error> {
    let now = clock.now_ms();
    let held_until = now + if by_email { LINK_FOR } else { HELD_FOR };
    let open = OpenPickup {
        order_id: new.order_id,
        email: mailbox(&new.email),
        user_id: new.user_id,
        network: new.network.clone(),
        units: new.units,
        held_until,
    };
    store::count(conn, &open, now, now - DAY)
        .await?
        .admits(open.units, by_email)
        .inspect_err(|_| limit_hits::PICKUPS.add(1))?;
    store::replace_links(conn, open.order_id, now).await?;
    store::put(conn, &open, now).await?;
    Ok(held_until)
}

/// Adds an order that staff have made, or made open again, so that they are told when nobody picks it up. It counts for no limit.
pub async fn watch(conn: &mut Conn<'_>, clock: &dyn Clock, order: Uuid, units: i64) -> Result<(), DbError> {
    let open = OpenPickup {
        order_id: order,
        email: String::new(),
        user_id: None,
        network: String::new(),
        units,
        held_until: 0,
    };
    store::put(conn, &open, clock.now_ms()).await
}

/// The same for an order that may not be watched any more, and whose buyer still counts if it is: one that is open again after it was settled,
/// which is watched for a day only, or one that is ready after it was left to staff.
pub async fn watch_again(conn: &mut Conn<'_>, clock: &dyn Clock, order: Uuid, units: i64) -> Result<(), DbError> {
    if store::renew(conn, order).await? {
        return Ok(());
    }
    watch(conn, clock, order, units).await
}

/// Creates the link of an order that was just added, and queues the email.
pub async fn write(conn: &mut Conn<'_>, cx: &Context, new: &NewPickup, expires_at: i64) -> Result<(), Error> {
    let clock = cx.clock.as_ref();
    let id = new_id(clock);
    let token = PICKUPS.make(cx, id)?;
    let link = Link {
        id,
        order_id: new.order_id,
        click_id: new.click_id,
        token_sealed: token.sealed.clone(),
        email: mailbox(&new.email),
        network: new.network.clone(),
        expires_at,
        used_at: None,
        replaced_at: None,
    };
    store::insert_link(conn, &link, &token, clock.now_ms()).await?;
    jobs::service::add(conn, clock, &SendPickupMail { link: id }).await?;
    Ok(())
}

/// Used when the checkout is no longer a pickup order: invalidates its links and stops counting it as open.
pub async fn give_up(conn: &mut Conn<'_>, clock: &dyn Clock, order: Uuid) -> Result<(), DbError> {
    let now = clock.now_ms();
    store::replace_links(conn, order, now).await?;
    store::set_held_until(conn, order, now).await
}

/// Used when the goods of a draft are released. Its link ends at that time anyway, unless a clock that was ahead has stored both.
pub async fn end(conn: &mut Conn<'_>, clock: &dyn Clock, order: Uuid) -> Result<(), DbError> {
    store::end(conn, order, clock.now_ms()).await
}

/// The unused link of an order, expired or not.
pub async fn find_pending(conn: &mut Conn<'_>, order: Uuid) -> Result<Option<Link>, DbError> {
    store::find_pending_link(conn, order).await
}

pub async fn find_by_token(conn: &mut Conn<'_>, token: &str) -> Result<Option<Link>, DbError> {
    store::find_link_by_token(conn, &links::hash(token)).await
}

/// Marks the link as used by the order being placed.
pub async fn set_used(conn: &mut Conn<'_>, clock: &dyn Clock, link: Uuid) -> Result<(), DbError> {
    store::set_used(conn, link, clock.now_ms()).await
}

/// Removes the buyer of an order that is no longer open. One that is open still counts, whatever becomes of the account.
pub async fn erase_buyer(conn: &mut Conn<'_>, order: Uuid) -> Result<(), DbError> {
    store::erase_buyer(conn, order).await
}

/// Removes the links that were sent to the address of a deleted account.
pub async fn erase_links(conn: &mut Conn<'_>, email: &str) -> Result<(), DbError> {
    store::delete_links(conn, &mailbox(email)).await
}

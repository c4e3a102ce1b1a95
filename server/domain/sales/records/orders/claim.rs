//! Locking an order for a change.

use shop_base::db::Conn;
use shop_base::error::Error;

use super::rows::Order;
use super::store;

/// Locks an order for a change by staff, until the transaction ends. `version` is the one that they saw; it is a conflict if the order has
/// changed since.
pub async fn claim(conn: &mut Conn<'_>, number: &str, version: i64) -> Result<Order, Error> {
    let order = lock(conn, number).await?;
    if order.version != version {
        return Err(Error::changed_meanwhile("this order"));
    }
    store::count_change(conn, order.id).await?;
    Ok(order)
}

/// Locks an order without checking its version, for changes that do not depend on its current state.
pub async fn lock(conn: &mut Conn<'_>, number: &str) -> Result<Order, Error> {
    let order = store::lock_number(conn, number).await?;
    order.ok_or(Error::NotFound)
}

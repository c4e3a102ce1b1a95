//! Parcels and handovers of orders.

use std::collections::HashMap;

use shop_base::db::{Conn, DbError};
use uuid::Uuid;

use super::rows::{Fulfillment, Packed};
use super::store;

/// An order's parcels and handovers, the oldest first.
pub async fn list(conn: &mut Conn<'_>, order: Uuid) -> Result<Vec<(Fulfillment, Vec<Packed>)>, DbError> {
    let mut packed = store::list_lines(conn, order).await?;
    let parcels = store::list_fulfillments(conn, order).await?;
    Ok(parcels
        .into_iter()
        .map(|parcel| {
            let (own, others) = packed.drain(..).partition(|line| line.fulfillment_id == parcel.id);
            packed = others;
            (parcel, own)
        })
        .collect())
}

/// The parcels and handovers of many orders, the oldest first.
pub async fn list_of_all(conn: &mut Conn<'_>, orders: &[Uuid]) -> Result<HashMap<Uuid, Vec<Fulfillment>>, DbError> {
    let mut by_order: HashMap<Uuid, Vec<Fulfillment>> = HashMap::new();
    for fulfillment in store::list_fulfillments_of_all(conn, orders).await? {
        by_order.entry(fulfillment.order_id).or_default().push(fulfillment);
    }
    Ok(by_order)
}

//! Records the delivery of parcels.

use serde_json::json;
use shop_base::context::Context;
use shop_base::db::{Conn, DbError};
use shop_base::error::Error;
use shop_platform::audit;
use shop_platform::audit::model::{Actor, Change};
use uuid::Uuid;

use super::progress::derive_status;
use crate::sales::records::fulfillment::store;
use crate::sales::records::orders::claim::claim;
use crate::sales::records::orders::history::{Event, EventKind};
use crate::sales::records::orders::rows::Order;
use crate::sales::records::orders::service as orders;

/// Marks a parcel as delivered.
pub async fn deliver(cx: &Context, number: &str, actor: &Actor, version: i64, fulfillment: Uuid) -> Result<(), Error> {
    let mut tx = cx.db.begin().await?;
    let mut conn = tx.conn();
    let order = claim(&mut conn, number, version).await?;
    if !store::set_delivered(&mut conn, order.id, fulfillment, cx.clock.now_ms()).await? {
        return Err(Error::conflict("not_on_its_way", "This package has already been delivered, or it doesn’t exist."));
    }
    let change = arrived(cx, &mut conn, &order, actor, fulfillment).await?;
    audit::service::record(&mut conn, cx.clock.as_ref(), actor, &change).await?;
    tx.commit().await?;
    Ok(())
}

/// Marks all parcels of an order as delivered.
pub async fn deliver_all(cx: &Context, number: &str, actor: &Actor, version: i64) -> Result<(), Error> {
    let mut tx = cx.db.begin().await?;
    let mut conn = tx.conn();
    let order = claim(&mut conn, number, version).await?;
    let mut changes = Vec::new();
    for parcel in store::list_fulfillments(&mut conn, order.id).await? {
        if store::set_delivered(&mut conn, order.id, parcel.id, cx.clock.now_ms()).await? {
            changes.push(arrived(cx, &mut conn, &order, actor, parcel.id).await?);
        }
    }
    audit::service::record_all(&mut conn, cx.clock.as_ref(), actor, &changes).await?;
    tx.commit().await?;
    Ok(())
}

/// Records the delivery in the history, and returns the change for the audit log.
async fn arrived(
    cx: &Context,
    conn: &mut Conn<'_>,
    order: &Order,
    actor: &Actor,
    fulfillment: Uuid,
) -> Result<Change, DbError> {
    let clock = cx.clock.as_ref();
    let data = json!({ "fulfillment": fulfillment });
    orders::record(conn, clock, order.id, &Event::new(EventKind::Delivered, data.clone()).by(&actor.label())).await?;
    derive_status(conn, clock, order.id).await?;
    Ok(Change::new("order.deliver", order.subject(), data))
}

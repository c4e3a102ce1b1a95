//! Puts orders that are over out of the way of those that are not.

use serde_json::json;
use shop_base::context::Context;
use shop_base::error::Error;
use shop_platform::audit;
use shop_platform::audit::model::{Actor, Change};

use crate::sales::records::orders::claim::claim;
use crate::sales::records::orders::history::{Event, EventKind};
use crate::sales::records::orders::rows::Order;
use crate::sales::records::orders::{service as orders, store};
use crate::sales::status::{FulfillmentStatus, OrderStatus, PaymentStatus};

/// Puts an order that is over out of the way of those that are not.
pub async fn archive(cx: &Context, number: &str, actor: &Actor, version: i64) -> Result<(), Error> {
    let clock = cx.clock.as_ref();
    let mut tx = cx.db.begin().await?;
    let mut conn = tx.conn();
    let order = claim(&mut conn, number, version).await?;
    if !may_archive(&order) {
        return Err(Error::conflict("not_over", "Only orders that are paid and fulfilled can be archived."));
    }
    store::set_archived(&mut conn, order.id).await?;
    orders::record(&mut conn, clock, order.id, &Event::new(EventKind::Archived, json!({})).by(&actor.label())).await?;
    let change = Change::of(
        "order.archive",
        order.subject(),
        &json!({ "status": OrderStatus::Placed }),
        &json!({ "status": OrderStatus::Archived }),
    );
    audit::service::record(&mut conn, clock, actor, &change).await?;
    tx.commit().await?;
    Ok(())
}

/// Whether nothing is left to do for an order.
pub fn may_archive(order: &Order) -> bool {
    let is_paid = matches!(
        order.payment_status,
        PaymentStatus::Paid | PaymentStatus::PartiallyRefunded | PaymentStatus::Refunded
    );
    let has_left = matches!(order.fulfillment_status, FulfillmentStatus::Fulfilled | FulfillmentStatus::Delivered);
    order.status == OrderStatus::Placed && is_paid && has_left && order.attention.is_none()
}

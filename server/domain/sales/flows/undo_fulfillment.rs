//! Takes back what staff recorded by mistake about goods that leave: a delivery, a package, a handover.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use shop_base::context::Context;
use shop_base::db::{Conn, DbError};
use shop_base::error::Error;
use shop_platform::audit;
use shop_platform::audit::model::{Actor, Change};
use uuid::Uuid;

use super::allowed;
use super::pack::describe_lines;
use super::progress::{derive_status, progress};
use super::request_return::returnable;
use crate::compliance::deliveries;
use crate::sales::records::fulfillment::model::{FulfillmentKind, LineProgress};
use crate::sales::records::fulfillment::rows::{Fulfillment, Packed};
use crate::sales::records::fulfillment::{service, store};
use crate::sales::records::orders::claim::claim;
use crate::sales::records::orders::history::{Event, EventKind};
use crate::sales::records::orders::jobs::SendOrderMail;
use crate::sales::records::orders::model::OrderNews;
use crate::sales::records::orders::rows::Order;
use crate::sales::records::orders::service as orders;
use crate::sales::records::pickups;
use crate::sales::records::pickups::model::is_unpaid;

/// Takes back the last thing that was recorded about a package or handover: that it was delivered, or that it left. The history and the
/// audit log keep both entries.
pub async fn undo(cx: &Context, number: &str, actor: &Actor, version: i64, fulfillment: Uuid) -> Result<(), Error> {
    let clock = cx.clock.as_ref();
    let mut tx = cx.db.begin().await?;
    let mut conn = tx.conn();
    let order = claim(&mut conn, number, version).await?;
    let all = service::list(&mut conn, order.id).await?;
    let (found, packed) = all.into_iter().find(|(each, _)| each.id == fulfillment).ok_or(Error::NotFound)?;
    let returnable = returnable(&mut conn, order.id).await?;
    allowed::undo_fulfillment(&order, &found, &packed, &returnable)?;
    let data = described(&mut conn, &found, &packed).await?;
    let (kind, action) = match (found.delivered_at, found.kind) {
        (Some(_), _) => {
            store::set_undelivered(&mut conn, found.id).await?;
            (EventKind::DeliveryUndone, "order.undo_delivery")
        }
        (None, FulfillmentKind::Handover) => {
            undo_handover(&mut conn, cx, &order, &found).await?;
            (EventKind::HandoverUndone, "order.undo_handover")
        }
        (None, FulfillmentKind::Parcel) => {
            undo_shipment(&mut conn, cx, &order, &found).await?;
            (EventKind::ShipmentUndone, "order.undo_shipment")
        }
    };
    orders::record(&mut conn, clock, order.id, &Event::new(kind, data.clone()).by(&actor.label())).await?;
    derive_status(&mut conn, clock, order.id).await?;
    audit::service::record(&mut conn, clock, actor, &Change::new(action, order.subject(), data)).await?;
    tx.commit().await?;
    Ok(())
}

/// Staff are told when nobody picks up what costs nothing, as for an order that is not paid.
async fn undo_handover(conn: &mut Conn<'_>, cx: &Context, order: &Order, handover: &Fulfillment) -> Result<(), Error> {
    store::delete_fulfillment(conn, handover.id).await?;
    if is_unpaid(order.payment_status, order.total) {
        let units = progress(conn, order.id).await?.iter().map(LineProgress::open).sum();
        pickups::service::watch_again(conn, cx.clock.as_ref(), order.id, units).await?;
    }
    Ok(())
}

/// The states are told of no package that never left, and a buyer who was told that it did is told that it did not.
async fn undo_shipment(conn: &mut Conn<'_>, cx: &Context, order: &Order, parcel: &Fulfillment) -> Result<(), Error> {
    let clock = cx.clock.as_ref();
    store::delete_fulfillment(conn, parcel.id).await?;
    let zone = cx.zone();
    deliveries::take_back(conn, clock, zone, &order.number, &parcel.tracking_number, parcel.shipped_at).await?;
    let email = SendOrderMail { order: order.id, news: OrderNews::Parcel(parcel.id), again: None };
    let history = orders::list_history(conn, order.id).await?;
    let was_resent = orders::was_resent(&history, &email.news, None)?;
    if !orders::take_back(conn, &history, &email).await? || was_resent {
        orders::write(conn, clock, order.id, OrderNews::ShipmentUndone(parcel.id)).await?;
    }
    Ok(())
}

/// Whether a package is in a delivery report whose month is closed, so that its shipment is not undone; a delivery always is.
pub async fn is_in_closed_month(
    conn: &mut Conn<'_>,
    cx: &Context,
    order: &Order,
    parcel: &Fulfillment,
) -> Result<bool, DbError> {
    if parcel.kind != FulfillmentKind::Parcel || parcel.delivered_at.is_some() {
        return Ok(false);
    }
    let (clock, zone) = (cx.clock.as_ref(), cx.zone());
    let (number, tracking) = (&order.number, &parcel.tracking_number);
    Ok(deliveries::find_closed_month(conn, clock, zone, number, tracking, parcel.shipped_at).await?.is_some())
}

async fn described(conn: &mut Conn<'_>, found: &Fulfillment, packed: &[Packed]) -> Result<Value, Error> {
    let lines: BTreeMap<Uuid, i64> = packed.iter().map(|line| (line.line_id, line.quantity)).collect();
    let goods = describe_lines(&orders::list_lines(conn, found.order_id).await?, &lines);
    Ok(json!({
        "fulfillment": found.id, "carrier": found.carrier, "tracking_number": found.tracking_number, "goods": goods,
    }))
}

//! Outgoing webhooks for orders: ids, numbers and amounts, no personal data.

use serde_json::{Map, Value, json};
use shop_base::clock::Clock;
use shop_base::db::{Conn, DbError};
use shop_platform::webhooks::model::NotificationKind;
use shop_platform::webhooks::service::listeners;
use uuid::Uuid;

use super::history::EventKind;
use super::rows::{Line, Order};
use super::store;

/// The notification kind for a history event; none for most events.
pub(super) fn kind(event: EventKind) -> Option<NotificationKind> {
    Some(match event {
        EventKind::Placed => NotificationKind::OrderPlaced,
        EventKind::Shipped => NotificationKind::OrderShipped,
        EventKind::PickupReady => NotificationKind::OrderReadyForPickup,
        EventKind::HandedOver => NotificationKind::OrderHandedOver,
        EventKind::Delivered => NotificationKind::OrderDelivered,
        EventKind::GoodsCanceled => NotificationKind::OrderGoodsCanceled,
        EventKind::Canceled => NotificationKind::OrderCanceled,
        EventKind::Refunded | EventKind::RefundedElsewhere => NotificationKind::OrderRefunded,
        EventKind::ReturnRequested => NotificationKind::ReturnRequested,
        EventKind::ReturnApproved => NotificationKind::ReturnApproved,
        EventKind::ReturnRejected => NotificationKind::ReturnRejected,
        EventKind::ReturnReceived => NotificationKind::ReturnReceived,
        EventKind::ReturnRefunded => NotificationKind::ReturnRefunded,
        EventKind::MadeByStaff
        | EventKind::FromDraft
        | EventKind::Payment
        | EventKind::PaidInStore
        | EventKind::PaymentUndone
        | EventKind::ShipmentUndone
        | EventKind::HandoverUndone
        | EventKind::DeliveryUndone
        | EventKind::PickupReadyUndone
        | EventKind::PickupReminded
        | EventKind::RefundStarted
        | EventKind::RefundFailed
        | EventKind::Dispute
        | EventKind::ReturnClosed
        | EventKind::AddressChanged
        | EventKind::RulesConfirmed
        | EventKind::Attention
        | EventKind::AttentionCleared
        | EventKind::WrittenAgain
        | EventKind::EmailDropped
        | EventKind::Note
        | EventKind::Archived => return None,
    })
}

/// The event fields that are sent. Free text is excluded, since it may contain anything.
const ANNOUNCED: [&str; 9] =
    ["amount", "attempt", "carrier", "fulfillment", "goods", "reason", "refund", "return", "tracking_number"];

/// Notifies subscribers of an order's event, within the transaction of that event. Nothing is sent about an order that was never placed.
pub(super) async fn announce(
    conn: &mut Conn<'_>,
    clock: &dyn Clock,
    order: Uuid,
    kind: NotificationKind,
    data: &Value,
) -> Result<(), DbError> {
    let listeners = listeners(conn, kind).await?;
    if listeners.is_empty() {
        return Ok(());
    }
    let Some(order) = store::find_order(conn, order).await?.filter(|order| order.placed_at.is_some()) else {
        return Ok(());
    };
    let lines = store::list_lines(conn, order.id).await?;
    let mut payload: Map<String, Value> =
        ANNOUNCED.iter().filter_map(|name| Some(((*name).to_owned(), data.get(name)?.clone()))).collect();
    payload.insert("order".to_owned(), described(&order, &lines));
    listeners.announce(conn, clock, &order.number, &Value::Object(payload)).await
}

/// Amounts are minor units.
fn described(order: &Order, lines: &[Line]) -> Value {
    let lines: Vec<Value> = lines
        .iter()
        .map(|line| {
            json!({
                "id": line.id, "variant_id": line.variant_id, "sku": line.sku, "quantity": line.quantity,
                "canceled": line.canceled_in(order.status), "unit_price": line.unit_price, "discount": line.discount, "tax": line.tax,
                "total": line.total,
            })
        })
        .collect();
    json!({
        "id": order.id, "number": order.number, "currency": order.currency, "subtotal": order.subtotal,
        "discount_total": order.discount_total, "shipping_total": order.shipping_total, "tax_total": order.tax_total,
        "total": order.total, "shipping_method": order.shipping_method, "picked_up": order.picked_up, "lines": lines,
    })
}

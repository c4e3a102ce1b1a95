//! Cancels an order that nobody pays for or whose goods are sold out, without staff.

use serde_json::json;
use shop_base::context::Context;
use shop_base::db::{Conn, DbError};

use crate::sales::records::draft_orders;
use crate::sales::records::orders::history::{Event, EventKind};
use crate::sales::records::orders::model::{CancelReason, OrderNews};
use crate::sales::records::orders::rows::Order;
use crate::sales::records::orders::service::{record, write};
use crate::sales::records::orders::store;
use crate::sales::status::OrderStatus;
use crate::{promotions, stock};

/// Cancels an order: held stock is released, sold stock is returned to the shelf, and its promo code can be used again. An order that is
/// already canceled is left alone.
pub async fn cancel(conn: &mut Conn<'_>, cx: &Context, order: &Order, reason: CancelReason) -> Result<(), DbError> {
    let clock = cx.clock.as_ref();
    if !matches!(order.status, OrderStatus::Draft | OrderStatus::Placed) {
        return Ok(());
    }
    draft_orders::promise::hold(conn, order.checkout_id).await?;
    promotions::service::give_back(conn, order.id).await?;
    if order.status == OrderStatus::Draft {
        stock::service::release(conn, clock, &[order.id]).await?;
    } else {
        stock::service::restock(conn, clock, order.id).await?;
    }
    end(conn, cx, order, reason, None).await
}

/// Completes a cancellation after the promo code was given back, whatever happens to the stock, and notifies the buyer. `by` is who canceled
/// the order, as in its history; none if nobody did.
pub async fn end(
    conn: &mut Conn<'_>,
    cx: &Context,
    order: &Order,
    reason: CancelReason,
    by: Option<&str>,
) -> Result<(), DbError> {
    let clock = cx.clock.as_ref();
    store::set_canceled(conn, order.id, reason, clock.now_ms()).await?;
    draft_orders::promise::unpaid(conn, order.checkout_id).await?;
    let event = Event::new(EventKind::Canceled, json!({ "reason": reason.text() })).maybe_by(by);
    record(conn, clock, order.id, &event).await?;
    // A buyer who never paid gets no email.
    if reason == CancelReason::Abandoned { Ok(()) } else { write(conn, clock, order.id, OrderNews::Canceled).await }
}

//! Places a paid draft: its stock is sold, and its goods are removed from the buyer's cart.

use serde_json::json;
use shop_base::context::Context;
use shop_base::db::{Conn, DbError};
use shop_platform::metrics::{order_value_cents, orders_placed};
use uuid::Uuid;

use crate::sales::records::draft_orders;
use crate::sales::records::orders::history::{Event, EventKind};
use crate::sales::records::orders::model::OrderNews;
use crate::sales::records::orders::rows::Order;
use crate::sales::records::orders::service::{record, write};
use crate::sales::records::orders::store;
use crate::stock::rows::Reservation;
use crate::{cart, promotions, stock};

/// Places a paid draft: its stock is sold, and its goods are removed from the buyer's cart. False, with nothing changed, if the stock is
/// gone. Staff find it already by all that they search for: nothing of that changes.
pub async fn place(conn: &mut Conn<'_>, cx: &Context, order: &Order, attempt: Option<Uuid>) -> Result<bool, DbError> {
    let clock = cx.clock.as_ref();
    let is_of_draft = draft_orders::promise::hold(conn, order.checkout_id).await?;
    let reserved = stock::service::list_reservations(conn, order.id).await?;
    if reserved.iter().any(Reservation::is_released) {
        // If the goods are gone, the order ends and gives its code back. Codes are locked before stock.
        promotions::service::hold(conn, order.id, None).await?;
    }
    if order.promo_code.is_some() {
        // It was given back if the time to pay has ended.
        promotions::service::keep(conn, order.id, &order.email).await?;
    }
    if !stock::service::sell(conn, clock, order.id, &reserved).await? {
        return Ok(false);
    }
    store::set_placed(conn, order.id, attempt, clock.now_ms()).await?;
    record(conn, clock, order.id, &Event::new(EventKind::Placed, json!({ "total": order.total }))).await?;
    write(conn, clock, order.id, OrderNews::Placed).await?;
    if is_of_draft
        && let Some((number, made_by)) = draft_orders::promise::placed(conn, clock, order.checkout_id, order.id).await?
    {
        let event = Event::new(EventKind::FromDraft, json!({ "draft": number })).by(&format!("staff {made_by}"));
        record(conn, clock, order.id, &event).await?;
    }
    let placed = if order.picked_up { &orders_placed::PICKUP } else { &orders_placed::SHIPPING };
    conn.count_after_commit(placed, 1);
    conn.count_after_commit(&order_value_cents::USD, order.total.unsigned_abs());
    // The goods of a draft order were never in a cart.
    if let Some(user) = order.user_id.filter(|_| !is_of_draft) {
        let lines = store::list_lines(conn, order.id).await?;
        let bought = lines.iter().filter_map(|line| Some((line.variant_id?, line.quantity)));
        cart::service::remove_bought(conn, user, bought, clock.now_ms()).await?;
    }
    Ok(true)
}

//! Records that an order is ready for pickup, and emails its buyer.

use serde_json::json;
use shop_base::context::Context;
use shop_base::db::{Conn, DbError};
use shop_base::error::Error;
use shop_platform::audit::model::{Actor, Change};
use shop_platform::{audit, jobs};
use uuid::Uuid;

use super::allowed;
use super::check_rules::{check, open};
use super::progress::progress;
use super::refund::is_given_back;
use crate::sales::records::fulfillment::model::LineProgress;
use crate::sales::records::orders::claim::claim;
use crate::sales::records::orders::history::{Event, EventKind, last_done};
use crate::sales::records::orders::jobs::SendOrderMail;
use crate::sales::records::orders::model::OrderNews;
use crate::sales::records::orders::rows::HistoryEntry;
use crate::sales::records::orders::service as orders;
use crate::sales::records::pickups;
use crate::sales::records::pickups::model::is_unpaid;

/// Records that all of an order is ready for pickup, and emails the buyer.
pub async fn make_ready(cx: &Context, number: &str, actor: &Actor, version: i64) -> Result<(), Error> {
    let clock = cx.clock.as_ref();
    let mut tx = cx.db.begin().await?;
    let mut conn = tx.conn();
    let order = claim(&mut conn, number, version).await?;
    let progress = progress(&mut conn, order.id).await?;
    // Whoever came for what may not be handed over would have come in vain.
    let is_given_back = is_given_back(&mut conn, &order).await?;
    allowed::make_ready(&order, &progress, is_ready(&mut conn, order.id).await?, is_given_back)?;
    let lines = orders::list_lines(&mut conn, order.id).await?;
    check(cx, &mut conn, &order, &open(&lines, &progress)).await?.admit(None)?;
    // An order that was left to staff before is not watched any more.
    if is_unpaid(order.payment_status, order.total) {
        let units = progress.iter().map(LineProgress::open).sum();
        pickups::service::watch_again(&mut conn, clock, order.id, units).await?;
    }
    orders::record(&mut conn, clock, order.id, &Event::new(EventKind::PickupReady, json!({})).by(&actor.label()))
        .await?;
    let history = orders::list_history(&mut conn, order.id).await?;
    jobs::service::add(&mut conn, clock, &email(order.id, &history)).await?;
    let change = Change::new("order.make_ready", order.subject(), json!({}));
    audit::service::record(&mut conn, clock, actor, &change).await?;
    tx.commit().await?;
    Ok(())
}

/// The email about the last time that an order was marked as ready. After an undo it is another email, not a retry of the first.
pub fn email(order: Uuid, history: &[HistoryEntry]) -> SendOrderMail {
    let marks = history.iter().filter(|entry| entry.kind() == Some(EventKind::PickupReady));
    SendOrderMail { order, news: OrderNews::PickupReady, again: marks.skip(1).last().map(|mark| mark.id) }
}

/// Whether an order is marked as ready for pickup, or was until it was picked up.
pub async fn is_ready(conn: &mut Conn<'_>, order: Uuid) -> Result<bool, DbError> {
    Ok(ready_at(&orders::list_history(conn, order).await?).is_some())
}

/// When an order was marked as ready for pickup, unless that was undone, UTC milliseconds.
pub fn ready_at(history: &[HistoryEntry]) -> Option<i64> {
    last_done(history, EventKind::PickupReady, EventKind::PickupReadyUndone)
}

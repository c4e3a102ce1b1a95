//! Takes back that an order is ready for pickup, which staff recorded by mistake.

use serde_json::json;
use shop_base::context::Context;
use shop_base::error::Error;
use shop_base::ids::new_id;
use shop_platform::audit;
use shop_platform::audit::model::{Actor, Change};

use super::allowed;
use super::make_ready::{email, ready_at};
use super::progress::progress;
use super::remind_pickups::reminder;
use crate::sales::records::orders::claim::claim;
use crate::sales::records::orders::history::{Event, EventKind};
use crate::sales::records::orders::model::OrderNews;
use crate::sales::records::orders::service as orders;
use crate::sales::records::pickups;

/// Takes back that an order is ready for pickup; a buyer who was told so is told that it is not. Reminder and release count anew from when
/// it is marked as ready again.
pub async fn undo(cx: &Context, number: &str, actor: &Actor, version: i64) -> Result<(), Error> {
    let clock = cx.clock.as_ref();
    let mut tx = cx.db.begin().await?;
    let mut conn = tx.conn();
    let order = claim(&mut conn, number, version).await?;
    let progress = progress(&mut conn, order.id).await?;
    let history = orders::list_history(&mut conn, order.id).await?;
    allowed::undo_ready(&order, &progress, ready_at(&history).is_some())?;
    let last = history.iter().rposition(|entry| entry.kind() == Some(EventKind::PickupReady));
    let since = &history[last.unwrap_or_default()..];
    let was_reminded = since.iter().any(|entry| entry.kind() == Some(EventKind::PickupReminded));
    let was_resent = orders::was_resent(since, &OrderNews::PickupReady, None)?;
    let has_not_left = orders::take_back(&mut conn, &history, &email(order.id, &history)).await?;
    let is_reminded = was_reminded && !orders::take_back(&mut conn, &history, &reminder(order.id, &history)).await?;
    if is_reminded || was_resent || !has_not_left {
        orders::write(&mut conn, clock, order.id, OrderNews::PickupReadyUndone(new_id(clock))).await?;
    }
    pickups::store::set_reminded(&mut conn, order.id, None).await?;
    let event = Event::new(EventKind::PickupReadyUndone, json!({})).by(&actor.label());
    orders::record(&mut conn, clock, order.id, &event).await?;
    let change = Change::new("order.undo_ready", order.subject(), json!({}));
    audit::service::record(&mut conn, clock, actor, &change).await?;
    tx.commit().await?;
    Ok(())
}

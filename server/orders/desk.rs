//! What staff do at an order's desk: take it up as they saw it, note, clear, archive, write again.

use serde_json::json;

use super::claim::{claim, lock};
use super::jobs::SendOrderMail;
use super::model::{FulfillmentStatus, OrderNews, OrderStatus, PaymentStatus, typed_text};
use super::rows::Order;
use super::service::{self, Event};
use super::store;
use crate::audit::model::{Actor, Change, Subject};
use crate::context::Context;
use crate::error::Error;
use crate::ids::new_id;
use crate::{audit, jobs};

/// Characters of a note or a reason.
fn subject(order: &Order) -> Subject {
    Subject::new("order", order.id, &order.number)
}

/// Writes a note that only staff read.
pub async fn note(cx: &Context, number: &str, actor: &Actor, text: &str) -> Result<(), Error> {
    let text = typed_text("text", text)?;
    let clock = cx.clock.as_ref();
    let mut tx = cx.db.begin().await?;
    let mut conn = tx.conn();
    let order = lock(&mut conn, number).await?;
    let event = Event::internal("note", json!({ "text": text })).by(&actor.label());
    service::record(&mut conn, clock, order.id, &event).await?;
    // What staff write may name somebody: the log says only that they wrote.
    let change = Change::new("order.note", subject(&order), json!({ "characters": text.chars().count() }));
    audit::service::record(&mut conn, clock, actor, &change).await?;
    tx.commit().await?;
    Ok(())
}

/// Takes an order away from the eyes of staff, with a word on what was done.
pub async fn clear_attention(cx: &Context, number: &str, actor: &Actor, version: i64, text: &str) -> Result<(), Error> {
    let text = typed_text("note", text)?;
    let clock = cx.clock.as_ref();
    let mut tx = cx.db.begin().await?;
    let mut conn = tx.conn();
    let order = claim(&mut conn, number, version).await?;
    let Some(why) = &order.attention else {
        return Err(Error::conflict("no_attention", "This order doesn’t need attention."));
    };
    store::set_attention(&mut conn, order.id, None, clock.now_ms()).await?;
    let event = Event::internal("attention_cleared", json!({ "why": why, "text": text })).by(&actor.label());
    service::record(&mut conn, clock, order.id, &event).await?;
    let change = Change::new("order.clear_attention", subject(&order), json!({ "why": why }));
    audit::service::record(&mut conn, clock, actor, &change).await?;
    tx.commit().await?;
    Ok(())
}

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
    service::record(&mut conn, clock, order.id, &Event::internal("archived", json!({})).by(&actor.label())).await?;
    let change = Change::of(
        "order.archive",
        subject(&order),
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

/// Writes once more what the buyer was written before.
pub async fn write_again(cx: &Context, number: &str, actor: &Actor, news: OrderNews) -> Result<(), Error> {
    let clock = cx.clock.as_ref();
    let mut tx = cx.db.begin().await?;
    let mut conn = tx.conn();
    let order = lock(&mut conn, number).await?;
    if !super::mail::was_written(&mut conn, &order, &news).await? {
        return Err(Error::conflict("not_written", "That email hasn’t been sent yet."));
    }
    let data = json!({ "mail": news.name() });
    let again = Some(new_id(clock));
    let event = Event::internal(service::WRITTEN_AGAIN, data.clone()).by(&actor.label());
    service::record(&mut conn, clock, order.id, &event).await?;
    jobs::service::add(&mut conn, clock, &SendOrderMail { order: order.id, news, again }).await?;
    let change = Change::new("order.write_again", subject(&order), data);
    audit::service::record(&mut conn, clock, actor, &change).await?;
    tx.commit().await?;
    Ok(())
}

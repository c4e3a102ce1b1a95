//! Orders waiting for pickup: once they are ready, buyers are reminded once, then the goods go back on the shelf. Run by a recurring job.

use serde_json::json;
use shop_base::clock::CLOCK_SKEW;
use shop_base::context::Context;
use shop_base::db::{Conn, DbError};
use shop_platform::jobs;
use uuid::Uuid;

use super::auto_cancel;
use super::check_rules::{check, open};
use super::make_ready::{email, ready_at};
use super::progress::progress;
use super::settle::give_all_back;
use crate::sales::records::orders::history::{Event, EventKind};
use crate::sales::records::orders::jobs::SendOrderMail;
use crate::sales::records::orders::model::{CancelReason, OrderNews};
use crate::sales::records::orders::rows::{HistoryEntry, Order};
use crate::sales::records::orders::service as orders;
use crate::sales::records::pickups::model::{AFTER_REMINDER, RELEASE_AFTER, REMIND_AFTER, is_unpaid};
use crate::sales::records::pickups::store;
use crate::sales::status::{FulfillmentStatus, OrderStatus};

/// Maximum number of orders per run; the next run handles the rest.
const AT_ONCE: i64 = 100;
const LEFT_TO_STAFF: &str = "This order hasn’t been picked up or paid for in a week. Decide what to do with it.";
const NEVER_TOLD: &str = "The customer was never told that this order is ready: the emails about it failed, or email is off. Decide what to do with it.";
const NEVER_READY: &str =
    "This order was placed a week ago and hasn’t been marked as ready for pickup. Mark it as ready, or cancel it.";

/// Sends reminders and releases the goods of overdue orders. A failure for one order does not block the others.
pub async fn remind_and_release(cx: &Context) -> Result<(), DbError> {
    let now = cx.clock.now_ms();
    let mut reader = cx.db.read().await?;
    let (remind, release, reminded) = (now - REMIND_AFTER, now - RELEASE_AFTER, now - AFTER_REMINDER);
    let due = store::list_due(&mut reader.conn(), remind, release, reminded, now + CLOCK_SKEW, AT_ONCE).await?;
    drop(reader);
    let mut failed = None;
    for order in &due {
        if let Err(error) = see_to(cx, *order, now).await {
            tracing::error!(%order, %error, "an order that waits to be picked up could not be handled");
            failed = Some(error);
        }
    }
    failed.map_or(Ok(()), Err)
}

async fn see_to(cx: &Context, order: Uuid, now: i64) -> Result<(), DbError> {
    let mut tx = cx.db.begin().await?;
    let mut conn = tx.conn();
    let order = orders::lock(&mut conn, order).await?;
    // Read again after locking: it may have been paid for or picked up meanwhile.
    let Some(reminded_at) = store::find_reminded_at(&mut conn, order.id).await? else { return Ok(()) };
    let waits = order.status == OrderStatus::Placed && order.fulfillment_status != FulfillmentStatus::Fulfilled;
    if !waits || !is_unpaid(order.payment_status, order.total) {
        return Ok(());
    }
    let history = orders::list_history(&mut conn, order.id).await?;
    let is_with_staff = is_with_staff(&order, &history);
    let Some(ready_at) = ready_at(&history) else {
        // It may have been listed because it was ready, which was undone meanwhile.
        if order.placed_at.is_none_or(|placed_at| placed_at + RELEASE_AFTER > now) {
            return Ok(());
        }
        if is_with_staff {
            leave_to_staff(&mut conn, cx, order.id, LEFT_TO_STAFF).await?;
        } else if reminded_at.is_none() {
            // Its goods count toward the limits of its buyer until staff have decided.
            store::set_reminded(&mut conn, order.id, Some(now)).await?;
            orders::flag_for_review(&mut conn, cx.clock.as_ref(), order.id, NEVER_READY).await?;
        }
        return tx.commit().await;
    };
    // The buyer was reminded by a clock that was ahead, and may have been told a day that is far off: staff decide then.
    let is_ahead = reminded_at.is_some_and(|reminded_at| reminded_at > now + CLOCK_SKEW);
    // Another run may just have reminded the buyer.
    let is_due = match reminded_at {
        None => ready_at + REMIND_AFTER <= now,
        Some(reminded_at) => (is_ahead || reminded_at + AFTER_REMINDER <= now) && ready_at + RELEASE_AFTER <= now,
    };
    if !is_due {
        return Ok(());
    }
    match (reminded_at, is_with_staff || is_ahead) {
        (None, _) => {
            store::set_reminded(&mut conn, order.id, Some(now)).await?;
            if !is_with_staff {
                let until = (ready_at + RELEASE_AFTER).max(now + AFTER_REMINDER);
                remind(&mut conn, cx, &order, until).await?;
            }
        }
        (Some(_), true) => leave_to_staff(&mut conn, cx, order.id, LEFT_TO_STAFF).await?,
        (Some(_), false) => {
            if !was_told(&mut conn, cx, order.id, &history).await? {
                leave_to_staff(&mut conn, cx, order.id, NEVER_TOLD).await?;
                return tx.commit().await;
            }
            store::delete(&mut conn, order.id).await?;
            auto_cancel::cancel(&mut conn, cx, &order, CancelReason::NotPickedUp).await?;
            give_all_back(&mut conn, cx, &order, None, None).await?;
        }
    }
    tx.commit().await
}

/// Reminds the buyer that the order is held until a time, UTC milliseconds. Whoever came for what may not be handed over would have come in
/// vain: then staff are told instead.
async fn remind(conn: &mut Conn<'_>, cx: &Context, order: &Order, until: i64) -> Result<(), DbError> {
    let clock = cx.clock.as_ref();
    let lines = orders::list_lines(conn, order.id).await?;
    let open = open(&lines, &progress(conn, order.id).await?);
    if let Some(refusal) = check(cx, conn, order, &open).await?.refusal() {
        return orders::flag_for_review(conn, clock, order.id, &refusal).await;
    }
    if cx.config.mail.is_none() {
        return Ok(());
    }
    let event = Event::new(EventKind::PickupReminded, json!({ "until": until }));
    orders::record(conn, clock, order.id, &event).await?;
    let history = orders::list_history(conn, order.id).await?;
    jobs::service::add(conn, clock, &reminder(order.id, &history)).await
}

/// The last reminder. If the buyer was reminded before it turned out not to be ready, it is another email, not a retry of that one.
pub fn reminder(order: Uuid, history: &[HistoryEntry]) -> SendOrderMail {
    let reminders = history.iter().filter(|entry| entry.kind() == Some(EventKind::PickupReminded));
    SendOrderMail { order, news: OrderNews::PickupReminder, again: reminders.skip(1).last().map(|entry| entry.id) }
}

/// Whether one of the emails that call the buyer has left, or may have: one that waits, was given up or was dropped has not.
async fn was_told(conn: &mut Conn<'_>, cx: &Context, order: Uuid, history: &[HistoryEntry]) -> Result<bool, DbError> {
    if cx.config.mail.is_none() {
        return Ok(false);
    }
    let last = history.iter().rposition(|entry| entry.kind() == Some(EventKind::PickupReady));
    let since = &history[last.unwrap_or_default()..];
    let mut emails = orders::list_resending(order, since, &OrderNews::PickupReady)?;
    // Resending takes back the first one, if it waits.
    if emails.is_empty() {
        emails.push(email(order, history));
    }
    if since.iter().any(|entry| entry.kind() == Some(EventKind::PickupReminded)) {
        emails.push(reminder(order, history));
    }
    for email in &emails {
        if !jobs::service::is_undone(conn, email).await? && !orders::was_dropped(history, email)? {
            return Ok(true);
        }
    }
    Ok(false)
}

async fn leave_to_staff(conn: &mut Conn<'_>, cx: &Context, order: Uuid, why: &str) -> Result<(), DbError> {
    store::delete(conn, order).await?;
    orders::flag_for_review(conn, cx.clock.as_ref(), order, why).await
}

/// Whether staff have changed, commented, flagged or partly handed over the order: then they decide what happens to it.
fn is_with_staff(order: &Order, history: &[HistoryEntry]) -> bool {
    // Marking it as ready, undoing that, or resending or discarding an email does not count.
    let is_email = |kind: Option<EventKind>| matches!(kind, Some(EventKind::WrittenAgain | EventKind::EmailDropped));
    let (ready, other): (Vec<_>, Vec<_>) = history
        .iter()
        .filter(|entry| entry.actor.starts_with("staff ") && !is_email(entry.kind()))
        .partition(|entry| matches!(entry.kind(), Some(EventKind::PickupReady | EventKind::PickupReadyUndone)));
    order.version > i64::try_from(ready.len()).unwrap_or(i64::MAX)
        || order.attention.is_some()
        || order.fulfillment_status != FulfillmentStatus::Unfulfilled
        || !other.is_empty()
}

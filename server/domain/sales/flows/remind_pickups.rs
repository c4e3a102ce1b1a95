//! Orders waiting for pickup: buyers are reminded once, then the goods go back on the shelf. Run by a recurring job.

use serde_json::json;
use shop_base::context::Context;
use shop_base::db::{Conn, DbError};
use uuid::Uuid;

use super::auto_cancel;
use super::settle::give_all_back;
use crate::sales::records::orders::history::{Event, EventKind};
use crate::sales::records::orders::model::{CancelReason, OrderNews};
use crate::sales::records::orders::rows::Order;
use crate::sales::records::orders::service as orders;
use crate::sales::records::pickups::model::{AFTER_REMINDER, RELEASE_AFTER, REMIND_AFTER};
use crate::sales::records::pickups::store;
use crate::sales::status::{FulfillmentStatus, OrderStatus, PaymentStatus};

/// Maximum number of orders per run; the next run handles the rest.
const AT_ONCE: i64 = 100;
const LEFT_TO_STAFF: &str = "This order hasn’t been picked up or paid for in a week. Decide what to do with it.";

/// Sends reminders and releases the goods of overdue orders. A failure for one order does not block the others.
pub async fn remind_and_release(cx: &Context) -> Result<(), DbError> {
    let now = cx.clock.now_ms();
    let mut reader = cx.db.read().await?;
    let (remind, release, reminded) = (now - REMIND_AFTER, now - RELEASE_AFTER, now - AFTER_REMINDER);
    let due = store::list_due(&mut reader.conn(), remind, release, reminded, AT_ONCE).await?;
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
    // Read again after locking: it may have been paid for meanwhile.
    let Some(reminded_at) = store::find_reminded_at(&mut conn, order.id).await? else { return Ok(()) };
    if order.status != OrderStatus::Placed || order.payment_status != PaymentStatus::NotPaid {
        return Ok(());
    }
    // Another run may just have reminded the buyer.
    let is_over = |reminded_at: i64| {
        reminded_at + AFTER_REMINDER <= now && order.placed_at.is_some_and(|at| at + RELEASE_AFTER <= now)
    };
    if !reminded_at.is_none_or(is_over) {
        return Ok(());
    }
    match (reminded_at, is_with_staff(&mut conn, &order).await?) {
        (None, is_with_staff) => {
            store::set_reminded(&mut conn, order.id, now).await?;
            if !is_with_staff {
                let until = order.placed_at.map_or(now, |placed_at| placed_at + RELEASE_AFTER);
                let data = json!({ "until": until.max(now + AFTER_REMINDER) });
                orders::record(&mut conn, cx.clock.as_ref(), order.id, &Event::new(EventKind::PickupReminded, data))
                    .await?;
                orders::write(&mut conn, cx.clock.as_ref(), order.id, OrderNews::PickupReminder).await?;
            }
        }
        (Some(_), true) => {
            store::delete(&mut conn, order.id).await?;
            if order.attention.is_none() {
                orders::flag_for_review(&mut conn, cx.clock.as_ref(), order.id, LEFT_TO_STAFF).await?;
            }
        }
        (Some(_), false) => {
            store::delete(&mut conn, order.id).await?;
            auto_cancel::cancel(&mut conn, cx, &order, CancelReason::NotPickedUp).await?;
            give_all_back(&mut conn, cx, &order, None).await?;
        }
    }
    tx.commit().await
}

/// Whether staff have changed, commented, flagged or partly handed over the order: then they decide what happens to it.
async fn is_with_staff(conn: &mut Conn<'_>, order: &Order) -> Result<bool, DbError> {
    let history = orders::list_history(conn, order.id).await?;
    // Marking it as ready or resending an email does not count.
    let (ready, other): (Vec<_>, Vec<_>) = history
        .iter()
        .filter(|entry| entry.actor.starts_with("staff ") && entry.kind() != Some(EventKind::WrittenAgain))
        .partition(|entry| entry.kind() == Some(EventKind::PickupReady));
    Ok(order.version > i64::try_from(ready.len()).unwrap_or(i64::MAX)
        || order.attention.is_some()
        || order.fulfillment_status != FulfillmentStatus::Unfulfilled
        || !other.is_empty())
}

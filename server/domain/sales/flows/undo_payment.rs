//! Takes back a payment in the store that staff recorded by mistake.

use serde_json::json;
use shop_base::context::Context;
use shop_base::error::Error;
use shop_base::ids::new_id;
use shop_base::money::Money;
use shop_platform::audit;
use shop_platform::audit::model::{Actor, Change};

use super::allowed;
use super::payment_status::derive_payment_status;
use super::progress::progress;
use super::settle::count;
use crate::sales::records::fulfillment::model::LineProgress;
use crate::sales::records::orders::claim::claim;
use crate::sales::records::orders::history::{Event, EventKind};
use crate::sales::records::orders::{service as orders, store as order_store};
use crate::sales::records::payments::attempts::New;
use crate::sales::records::payments::model::AttemptStatus;
use crate::sales::records::payments::provider::ProviderName;
use crate::sales::records::payments::{attempts, store};
use crate::sales::records::pickups;

/// Takes back a payment in the store: the attempt is void, and a new one is due.
pub async fn undo(cx: &Context, number: &str, actor: &Actor, version: i64) -> Result<(), Error> {
    let clock = cx.clock.as_ref();
    let mut tx = cx.db.begin().await?;
    let mut conn = tx.conn();
    let order = claim(&mut conn, number, version).await?;
    let all = store::list_attempts(&mut conn, order.id).await?;
    let progress = progress(&mut conn, order.id).await?;
    let mut taken = allowed::undo_payment(&order, &all, &progress)?.clone();
    if !store::list_refunds(&mut conn, taken.id).await?.is_empty() {
        return Err(Error::conflict("refunded", "Some of this payment was refunded. Refund the rest instead."));
    }
    // No report can say so: captured is final for every provider but the staff themselves.
    taken.status = AttemptStatus::Voided;
    store::update_attempt(&mut conn, &taken, clock.now_ms()).await?;
    count(&mut conn, taken.status);
    let new = New {
        order_id: order.id,
        number: all.iter().map(|each| each.number).max().unwrap_or_default() + 1,
        click_id: new_id(clock),
        provider: ProviderName::Pickup,
        amount: Money { amount: taken.amount, currency: taken.currency.clone() },
        // It counts for no limit of the buyer's.
        network: String::new(),
        user_id: None,
    };
    let mut due = attempts::add(&mut conn, cx, new).await?;
    due.status = AttemptStatus::Due;
    due.provider_payment_id = Some(due.id.to_string());
    store::update_attempt(&mut conn, &due, clock.now_ms()).await?;
    count(&mut conn, due.status);
    order_store::set_attempt(&mut conn, order.id, due.id).await?;
    derive_payment_status(&mut conn, cx, order.id).await?;
    let units = progress.iter().map(LineProgress::open).sum();
    pickups::service::watch_again(&mut conn, clock, order.id, units).await?;
    let data = json!({ "amount": taken.amount, "tender": taken.tender });
    orders::record(&mut conn, clock, order.id, &Event::new(EventKind::PaymentUndone, data.clone()).by(&actor.label()))
        .await?;
    let change = Change::new("order.undo_payment", order.subject(), data);
    audit::service::record(&mut conn, clock, actor, &change).await?;
    tx.commit().await?;
    Ok(())
}

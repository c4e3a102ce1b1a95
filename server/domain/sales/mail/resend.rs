//! Resends an email about an order.

use serde_json::json;
use shop_base::context::Context;
use shop_base::error::Error;
use shop_base::ids::new_id;
use shop_platform::audit::model::{Actor, Change};
use shop_platform::{audit, jobs};
use uuid::Uuid;

use super::order::was_written;
use crate::sales::flows::allowed;
use crate::sales::flows::check_rules::{check, open};
use crate::sales::flows::make_ready;
use crate::sales::flows::progress::progress;
use crate::sales::flows::refund::is_given_back;
use crate::sales::records::orders::claim::lock;
use crate::sales::records::orders::history::{Event, EventKind};
use crate::sales::records::orders::jobs::SendOrderMail;
use crate::sales::records::orders::model::OrderNews;
use crate::sales::records::orders::rows::HistoryEntry;
use crate::sales::records::orders::service as orders;

const DAY: i64 = 24 * 60 * 60 * 1000;

/// How often an email is resent within a day: enough for a buyer who does not find it, and too little to fill mailboxes.
const MOST_RESENT: usize = 3;

/// Refuses an email that was resent too often by now, and each while email is off.
pub fn may_resend(cx: &Context, history: &[HistoryEntry], news: &OrderNews) -> Result<(), Error> {
    if cx.config.mail.is_none() {
        return Err(Error::conflict("mail_off", "Email is off. Tell the customer yourself."));
    }
    if orders::count_resent(history, news, cx.clock.now_ms() - DAY)? >= MOST_RESENT {
        return Err(Error::conflict(
            "resent_often",
            &format!("That email was sent again {MOST_RESENT} times within a day. Try again tomorrow."),
        ));
    }
    Ok(())
}

/// Resends an email that the buyer was sent before. The same request, sent again, sends no other email.
pub async fn resend(
    cx: &Context,
    number: &str,
    actor: &Actor,
    news: OrderNews,
    request: Option<Uuid>,
) -> Result<(), Error> {
    let clock = cx.clock.as_ref();
    let mut tx = cx.db.begin().await?;
    let mut conn = tx.conn();
    let order = lock(&mut conn, number).await?;
    let again = request.unwrap_or_else(|| new_id(clock));
    let history = orders::list_history(&mut conn, order.id).await?;
    if orders::was_resent(&history, &news, Some(again))? {
        return Ok(());
    }
    if order.email.is_empty() {
        return Err(Error::conflict(
            "no_address",
            "The customer’s account was deleted, and their email address with it.",
        ));
    }
    if !was_written(&mut conn, &order, &news).await? {
        return Err(Error::conflict("not_written", "That email hasn’t been sent yet."));
    }
    if matches!(news, OrderNews::PickupReady) {
        // Whoever came for what may not be handed over would have come in vain.
        allowed::call_for_pickup(&order, is_given_back(&mut conn, &order).await?)?;
        let lines = orders::list_lines(&mut conn, order.id).await?;
        let open = open(&lines, &progress(&mut conn, order.id).await?);
        check(cx, &mut conn, &order, &open).await?.admit(None)?;
        // It may have been held back, and wait: the buyer is called once.
        jobs::service::take_back(&mut conn, &make_ready::email(order.id, &history)).await?;
    }
    may_resend(cx, &history, &news)?;
    let mail = news.name();
    let event = Event::new(EventKind::WrittenAgain, json!({ "mail": mail, "again": again })).by(&actor.label());
    orders::record(&mut conn, clock, order.id, &event).await?;
    let job = SendOrderMail { order: order.id, news, again: Some(again) };
    jobs::service::add(&mut conn, clock, &job).await?;
    let change = Change::new("order.write_again", order.subject(), json!({ "mail": mail }));
    audit::service::record(&mut conn, clock, actor, &change).await?;
    tx.commit().await?;
    Ok(())
}

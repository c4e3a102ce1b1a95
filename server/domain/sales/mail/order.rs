//! Emails to an order's buyer.

use serde_json::{Value, json};
use shop_base::address::Address;
use shop_base::clock;
use shop_base::context::Context;
use shop_base::db::{Conn, DbError, decoded};
use shop_base::money::Money;
use shop_platform::jobs;
use shop_platform::jobs::model::JobError;
use shop_platform::mail::mailer::MailError;
use shop_platform::mail::model::{
    CancelReason as Why, CanceledMail, GoodsCanceledMail, Mail, MailAmount, MailLine, MailTotals, OrderMail,
    PickupReadyMail, PickupReadyUndoneMail, PickupReminderMail, RefundedMail, ReturnApprovedMail, ReturnRejectedMail,
    ShipmentUndoneMail, ShippedMail,
};
use shop_platform::mail::service::MailService;
use uuid::Uuid;

use crate::sales::flows::check_rules::{check, list_hazardous, open};
use crate::sales::flows::progress::progress;
use crate::sales::flows::refund::{find_captured_attempt, is_given_back};
use crate::sales::flows::refundable::refundable;
use crate::sales::flows::{allowed, make_ready};
use crate::sales::records::fulfillment::model::{FulfillmentKind, LineProgress};
use crate::sales::records::fulfillment::rows::{Fulfillment, Packed};
use crate::sales::records::orders::history::EventKind;
use crate::sales::records::orders::jobs::SendOrderMail;
use crate::sales::records::orders::model::{CancelReason, OrderNews};
use crate::sales::records::orders::rows::{HistoryEntry, Order};
use crate::sales::records::orders::service as orders;
use crate::sales::records::orders::store;
use crate::sales::records::payments::refunds;
use crate::sales::records::payments::refunds::RefundWithLines;
use crate::sales::records::payments::summary::paid_with;
use crate::sales::records::pickups::model::{DAY, RELEASE_AFTER, is_unpaid};
use crate::sales::records::returns::rows::ReturnLine;
use crate::sales::records::{fulfillment, returns};
use crate::sales::status::{FulfillmentStatus, OrderStatus, PaymentStatus};
use crate::sales::view::{OrderLineView, OrderView, view};

/// Why an order needs attention whose buyer is not called, since nothing is paid for it or all of that is going back.
const NOT_PAID: &str = "The email that this order is ready for pickup was held back: the order wasn’t paid, or all of its money was being refunded. It’s sent if that ends within a day. Otherwise cancel the order, or undo that it’s ready.";

/// Why an email about an order could not be sent.
#[derive(Debug, thiserror::Error)]
pub enum OrderMailError {
    #[error(transparent)]
    Db(#[from] DbError),
    #[error(transparent)]
    Mail(#[from] MailError),
    #[error("the buyer is not told that the order is ready: its money is refunded, or the rules forbid its pickup")]
    InVain,
}

impl From<OrderMailError> for JobError {
    fn from(error: OrderMailError) -> Self {
        match error {
            OrderMailError::Db(error) => error.into(),
            OrderMailError::Mail(error) => error.into(),
            // Rules can be corrected, and a bank can reject a refund.
            OrderMailError::InVain => Self::Failed(error.into()),
        }
    }
}

/// Emails an order's buyer with the order's current state. Retries of the same news are the same email; `again` identifies an additional
/// sending.
pub async fn send(
    mails: &MailService,
    order: Uuid,
    news: &OrderNews,
    again: Option<Uuid>,
) -> Result<(), OrderMailError> {
    let cx = &mails.cx;
    let mut reader = cx.db.read().await?;
    let mut conn = reader.conn();
    let Some(order) = store::find_order(&mut conn, order).await? else { return Ok(()) };
    if order.email.is_empty() {
        // The buyer's account was erased.
        return Ok(());
    }
    let (id, to) = (order.id, order.email.clone());
    // Once the order is canceled, its confirmation would come after the email that says so. Staff may still send it on purpose.
    if *news == OrderNews::Placed && again.is_none() && order.status == OrderStatus::Canceled {
        return Ok(());
    }
    let Some(mail) = compose(cx, &mut conn, &order, news).await? else {
        drop(reader);
        if *news == OrderNews::PickupReminder {
            drop_reminder(cx, &SendOrderMail { order: id, news: news.clone(), again }).await?;
        }
        return Ok(());
    };
    if calls(news) && find_obstacle(cx, &mut conn, &order).await?.is_some() {
        drop(reader);
        let is_left = leave_to_staff(cx, id).await?;
        if !is_left || *news != OrderNews::PickupReminder {
            return Err(OrderMailError::InVain);
        }
        // The date in a reminder is soon over.
        drop_reminder(cx, &SendOrderMail { order: id, news: news.clone(), again }).await?;
        return Ok(());
    }
    drop(reader);
    let again = again.map(|again| format!("-{again}")).unwrap_or_default();
    mails.deliver(&to, &mail, &format!("{id}-{}{again}", news.name())).await?;
    Ok(())
}

/// The email for the news; none if the news no longer applies.
async fn compose(cx: &Context, conn: &mut Conn<'_>, order: &Order, news: &OrderNews) -> Result<Option<Mail>, DbError> {
    let (id, attempt) = (order.id, order.attempt_id);
    let reason = order.cancel_reason.as_deref().and_then(|reason| reason.parse().ok());
    let shown = view(conn, cx, order.clone()).await?;
    Ok(Some(match news {
        OrderNews::Placed => Mail::OrderConfirmation(confirmation(shown)),
        OrderNews::Canceled => {
            let reclaimed = match attempt {
                Some(attempt) => refunds::reclaimed(conn, attempt).await?,
                None => 0,
            };
            Mail::OrderCanceled(canceled(shown, reason, reclaimed))
        }
        OrderNews::Shipped | OrderNews::Parcel(_) => {
            let Some((parcel, packed)) = parcel(conn, id, news).await? else { return Ok(None) };
            Mail::OrderShipped(shipped(shown, parcel, &packed))
        }
        OrderNews::ShipmentUndone(fulfillment) => {
            let Some(undone) = undone_shipment(conn, (id, shown.status), *fulfillment).await? else { return Ok(None) };
            Mail::OrderShipmentUndone(shipment_undone(shown, &undone))
        }
        OrderNews::GoodsCanceled(cancellation) => {
            let Some(canceled) = canceled_goods(conn, id, *cancellation).await? else { return Ok(None) };
            let given_back = canceled["given_back"].as_i64().filter(|amount| *amount > 0);
            Mail::OrderGoodsCanceled(GoodsCanceledMail {
                lines: described(&shown, &canceled),
                refund: given_back.map(usd),
                // A former release wrote this email only if some of the money was refunded before, and did not record that.
                refunded_before: canceled["refunded_before"].as_bool().unwrap_or(true),
                order_path: shown.href,
                number: shown.number,
            })
        }
        OrderNews::Refunded(refund) => {
            let Some(refund) = refunds::find(conn, *refund).await? else { return Ok(None) };
            let paid_with = paid_with(conn, refund.attempt_id).await?;
            Mail::OrderRefunded(refunded(shown, &refund, paid_with))
        }
        OrderNews::ReturnApproved(found) => {
            let Some(mail) = return_approved(cx, conn, order, shown, *found).await? else { return Ok(None) };
            Mail::OrderReturnApproved(mail)
        }
        OrderNews::ReturnRejected(found) => {
            let Some((found, lines)) = returns::service::find_refused(conn, id, *found).await? else {
                return Ok(None);
            };
            Mail::OrderReturnRejected(ReturnRejectedMail {
                lines: returned(&shown, &lines),
                message: found.message,
                order_path: shown.href,
                number: shown.number,
            })
        }
        OrderNews::PickupReminder => {
            let until = reminded_until(conn, id).await?;
            // It may have been paid for, picked up or canceled since, or turned out not to be ready.
            let still_waits = is_unpaid(shown.payment_status, shown.total)
                && waits(shown.status, shown.fulfillment_status)
                && shown.ready_at.is_some();
            // It may leave so late that the day is over.
            let until = until.filter(|until| still_waits && *until - DAY > cx.clock.now_ms());
            let Some(until) = until else { return Ok(None) };
            Mail::OrderPickupReminder(PickupReminderMail {
                lines: lines(&shown),
                total: usd(shown.total),
                last_day: last_day(cx, until),
                order_path: shown.href,
                number: shown.number,
            })
        }
        OrderNews::PickupReady => {
            // It may have been picked up, or canceled, since.
            let waits = waits(shown.status, shown.fulfillment_status);
            let Some(ready_at) = shown.ready_at.filter(|_| waits) else { return Ok(None) };
            let until = ready_at + RELEASE_AFTER;
            // Sent again for an order that staff keep for longer, it names no day in the past.
            let names_day = is_unpaid(shown.payment_status, shown.total) && until - DAY > cx.clock.now_ms();
            Mail::OrderPickupReady(PickupReadyMail {
                lines: open_lines(conn, id, &shown).await?,
                to_pay: (shown.payment_status == PaymentStatus::NotPaid).then(|| usd(shown.total)),
                last_day: names_day.then(|| last_day(cx, until)),
                order_path: shown.href,
                number: shown.number,
            })
        }
        OrderNews::PickupReadyUndone(_) => {
            // It may have been marked as ready again, or canceled, since.
            if shown.ready_at.is_some() || !waits(shown.status, shown.fulfillment_status) {
                return Ok(None);
            }
            Mail::OrderPickupReadyUndone(PickupReadyUndoneMail {
                lines: open_lines(conn, id, &shown).await?,
                order_path: shown.href,
                number: shown.number,
            })
        }
    }))
}

/// Whether the email makes its buyer come to the store.
fn calls(news: &OrderNews) -> bool {
    matches!(news, OrderNews::PickupReady | OrderNews::PickupReminder)
}

/// Why the buyer would come in vain: since staff marked the order as ready, its money may have gone back, or rules forbid to hand it over.
async fn find_obstacle(cx: &Context, conn: &mut Conn<'_>, order: &Order) -> Result<Option<String>, DbError> {
    if allowed::call_for_pickup(order, is_given_back(conn, order).await?).is_err() {
        return Ok(Some(NOT_PAID.to_owned()));
    }
    let lines = store::list_lines(conn, order.id).await?;
    let open = open(&lines, &progress(conn, order.id).await?);
    Ok(check(cx, conn, order, &open).await?.refusal())
}

/// Flags an order whose buyer is not called: once for each reason since it was marked as ready, since its email is tried often. False if the
/// reason has just gone.
async fn leave_to_staff(cx: &Context, order: Uuid) -> Result<bool, DbError> {
    let mut tx = cx.db.begin().await?;
    let mut conn = tx.conn();
    let order = orders::lock(&mut conn, order).await?;
    // Looked for again after locking: it may be gone, or the order may just have been canceled.
    if !waits(order.status, order.fulfillment_status) {
        return Ok(true);
    }
    let Some(why) = find_obstacle(cx, &mut conn, &order).await? else { return Ok(false) };
    let history = store::list_history(&mut conn, order.id).await?;
    let mut since = history.iter().rev().take_while(|entry| entry.kind() != Some(EventKind::PickupReady));
    let told = json!({ "why": why }).to_string();
    if !since.any(|entry| entry.kind() == Some(EventKind::Attention) && entry.data == told) {
        orders::flag_for_review(&mut conn, cx.clock.as_ref(), order.id, &why).await?;
    }
    tx.commit().await?;
    Ok(true)
}

/// Records that a reminder is not sent, so that nobody takes its buyer for told, unless nothing is left to pick up, or an earlier try may have
/// sent it.
async fn drop_reminder(cx: &Context, email: &SendOrderMail) -> Result<(), DbError> {
    let mut tx = cx.db.begin().await?;
    let mut conn = tx.conn();
    let order = orders::lock(&mut conn, email.order).await?;
    if waits(order.status, order.fulfillment_status) && jobs::service::is_undone(&mut conn, email).await? {
        orders::drop_email(&mut conn, cx.clock.as_ref(), email, None).await?;
    }
    tx.commit().await
}

/// What has not been picked up.
async fn open_lines(conn: &mut Conn<'_>, order: Uuid, shown: &OrderView) -> Result<Vec<MailLine>, DbError> {
    let progress = progress(conn, order).await?;
    let open = progress.iter().filter(|line| line.open() > 0).filter_map(|open| {
        let line = shown.lines.iter().find(|line| line.id == open.line_id)?;
        Some(some_of(line, open.open(), line.unit_price * open.open()))
    });
    Ok(open.collect())
}

/// The last day that is the buyer's to its end, if the goods are kept until this time, UTC milliseconds.
fn last_day(cx: &Context, until: i64) -> String {
    clock::local_day(until - DAY, cx.zone())
}

/// The date until which the goods are kept according to the reminder, UTC milliseconds.
async fn reminded_until(conn: &mut Conn<'_>, order: Uuid) -> Result<Option<i64>, DbError> {
    let history = store::list_history(conn, order).await?;
    let Some(entry) = history.into_iter().rev().find(|entry| entry.kind() == Some(EventKind::PickupReminded)) else {
        return Ok(None);
    };
    let data: Value = decoded("history", serde_json::from_str(&entry.data))?;
    Ok(data["until"].as_i64())
}

/// Whether there is still something to pick up.
pub fn waits(status: OrderStatus, fulfillment: FulfillmentStatus) -> bool {
    status == OrderStatus::Placed && fulfillment != FulfillmentStatus::Fulfilled
}

/// Whether the event that this email reports happened to the order, and still matters.
pub async fn was_written(conn: &mut Conn<'_>, order: &Order, news: &OrderNews) -> Result<bool, DbError> {
    Ok(match news {
        OrderNews::Placed => order.placed_at.is_some(),
        OrderNews::Canceled => {
            order.status == OrderStatus::Canceled
                && order.cancel_reason.as_deref() != Some(CancelReason::Abandoned.text())
        }
        OrderNews::Shipped | OrderNews::Parcel(_) => parcel(conn, order.id, news).await?.is_some(),
        OrderNews::ShipmentUndone(fulfillment) => {
            undone_shipment(conn, (order.id, order.status), *fulfillment).await?.is_some()
        }
        OrderNews::GoodsCanceled(cancellation) => {
            let history = store::list_history(conn, order.id).await?;
            cancellations_told(&history)?.iter().any(|(id, _)| id == cancellation)
        }
        OrderNews::Refunded(refund) => {
            refunds::list(conn, order.id).await?.iter().any(|given| given.id == *refund && given.is_settled())
        }
        OrderNews::PickupReminder => reminded_until(conn, order.id).await?.is_some(),
        OrderNews::PickupReady => {
            waits(order.status, order.fulfillment_status) && make_ready::is_ready(conn, order.id).await?
        }
        OrderNews::PickupReadyUndone(_) => {
            let history = store::list_history(conn, order.id).await?;
            history.iter().any(|entry| entry.kind() == Some(EventKind::PickupReadyUndone))
                && make_ready::ready_at(&history).is_none()
                && waits(order.status, order.fulfillment_status)
        }
        OrderNews::ReturnApproved(id) => returns::service::find_approved(conn, order.id, *id).await?.is_some(),
        OrderNews::ReturnRejected(id) => returns::service::find_refused(conn, order.id, *id).await?.is_some(),
    })
}

async fn parcel(
    conn: &mut Conn<'_>,
    order: Uuid,
    news: &OrderNews,
) -> Result<Option<(Fulfillment, Vec<Packed>)>, DbError> {
    let mut parcels = fulfillment::service::list(conn, order).await?.into_iter();
    Ok(match news {
        OrderNews::Parcel(id) => parcels.find(|(parcel, _)| parcel.id == *id),
        _ => parcels.next(),
    }
    .filter(|(parcel, _)| parcel.kind == FulfillmentKind::Parcel))
}

/// What the history says about a shipment that was undone, with those of its goods that are still to be shipped; none if all have been
/// shipped again, or canceled, since.
async fn undone_shipment(
    conn: &mut Conn<'_>,
    (order, status): (Uuid, OrderStatus),
    fulfillment: Uuid,
) -> Result<Option<Value>, DbError> {
    if status != OrderStatus::Placed {
        return Ok(None);
    }
    let recorded = recorded(conn, order, EventKind::ShipmentUndone, ("fulfillment", fulfillment)).await?;
    let Some(mut undone) = recorded else { return Ok(None) };
    let (lines, progress) = (store::list_lines(conn, order).await?, progress(conn, order).await?);
    let open = |sku: &Value| {
        let line = lines.iter().find(|line| *sku == line.sku)?;
        progress.iter().find(|each| each.line_id == line.id).map(LineProgress::open)
    };
    let goods = undone["goods"].as_array().into_iter().flatten().filter_map(|goods| {
        let quantity = goods["quantity"].as_i64()?.min(open(&goods["sku"])?);
        (quantity > 0).then(|| json!({ "sku": goods["sku"], "quantity": quantity }))
    });
    let goods: Vec<Value> = goods.collect();
    if goods.is_empty() {
        return Ok(None);
    }
    undone["goods"] = json!(goods);
    Ok(Some(undone))
}

/// What the history says about goods that were canceled.
async fn canceled_goods(conn: &mut Conn<'_>, order: Uuid, cancellation: Uuid) -> Result<Option<Value>, DbError> {
    recorded(conn, order, EventKind::GoodsCanceled, ("cancellation", cancellation)).await
}

/// The cancellations of goods of which an email of their own tells: their ids, and what the history says about them.
pub fn cancellations_told(history: &[HistoryEntry]) -> Result<Vec<(Uuid, Value)>, DbError> {
    let mut told = Vec::new();
    for entry in history.iter().filter(|entry| entry.kind() == Some(EventKind::GoodsCanceled)) {
        let data: Value = decoded("history", serde_json::from_str(&entry.data))?;
        let id: Option<Uuid> = data["cancellation"].as_str().and_then(|id| id.parse().ok());
        // A former release gave each cancellation an id, with an email of its own or not.
        if let Some(id) = id.filter(|_| data["given_back"].is_i64()) {
            told.push((id, data));
        }
    }
    Ok(told)
}

/// The data of the event that has this id under this name.
async fn recorded(
    conn: &mut Conn<'_>,
    order: Uuid,
    kind: EventKind,
    (name, id): (&str, Uuid),
) -> Result<Option<Value>, DbError> {
    for entry in store::list_history(conn, order).await? {
        if entry.kind() == Some(kind) {
            let data: Value = decoded("history", serde_json::from_str(&entry.data))?;
            if data[name] == id.to_string() {
                return Ok(Some(data));
            }
        }
    }
    Ok(None)
}

fn usd(amount: i64) -> Money {
    Money::usd(amount)
}

fn lines(order: &OrderView) -> Vec<MailLine> {
    order.lines.iter().map(|line| some_of(line, line.quantity, line.unit_price * line.quantity)).collect()
}

/// A quantity of a line with its amount.
fn some_of(line: &OrderLineView, quantity: i64, amount: i64) -> MailLine {
    MailLine { title: line.title.clone(), variant: line.variant.clone(), quantity, amount: usd(amount) }
}

/// Lines of the delivery address; none for a pickup order.
fn address(order: &OrderView) -> Vec<String> {
    order.address.as_ref().map(Address::lines).unwrap_or_default()
}

fn shipped(order: OrderView, parcel: Fulfillment, packed: &[Packed]) -> ShippedMail {
    let in_it = packed.iter().filter_map(|packed| {
        let line = order.lines.iter().find(|line| line.id == packed.line_id)?;
        Some(some_of(line, packed.quantity, line.unit_price * packed.quantity))
    });
    ShippedMail {
        lines: in_it.collect(),
        tracking_url: parcel.tracking_link(),
        carrier: parcel.carrier,
        tracking_number: parcel.tracking_number,
        address: address(&order),
        adult_signature: parcel.adult_signature,
        order_path: order.href,
        number: order.number,
    }
}

/// The goods in an event's data.
fn described(order: &OrderView, data: &Value) -> Vec<MailLine> {
    let goods = data["goods"].as_array().into_iter().flatten().filter_map(|goods| {
        let line = order.lines.iter().find(|line| goods["sku"] == line.sku)?;
        let quantity = goods["quantity"].as_i64()?;
        Some(some_of(line, quantity, line.unit_price * quantity))
    });
    goods.collect()
}

fn shipment_undone(order: OrderView, undone: &Value) -> ShipmentUndoneMail {
    ShipmentUndoneMail {
        lines: described(&order, undone),
        carrier: undone["carrier"].as_str().unwrap_or_default().to_owned(),
        tracking_number: undone["tracking_number"].as_str().unwrap_or_default().to_owned(),
        order_path: order.href,
        number: order.number,
    }
}

fn confirmation(order: OrderView) -> OrderMail {
    let named = |label: Option<String>, amount: i64| match label {
        Some(label) if amount != 0 => vec![MailAmount { label, amount: usd(amount) }],
        _ => Vec::new(),
    };
    let code = order.promo_code.as_ref().map(|code| format!("Promo code {code}"));
    OrderMail {
        placed_on: order.placed_on.clone().unwrap_or_default(),
        lines: lines(&order),
        address: address(&order),
        totals: MailTotals {
            subtotal: usd(order.subtotal),
            discounts: named(code, -order.discount),
            shipping: usd(order.shipping),
            taxes: order
                .taxes
                .iter()
                .map(|tax| MailAmount { label: tax.name.clone(), amount: usd(tax.amount) })
                .collect(),
            total: usd(order.total),
        },
        shipping_method: order.shipping_name,
        payment: order.paid_with.unwrap_or_else(|| "Nothing to pay".to_owned()),
        is_open: matches!(
            (order.status, order.fulfillment_status),
            (OrderStatus::Placed, FulfillmentStatus::Unfulfilled | FulfillmentStatus::PartiallyFulfilled)
        ),
        is_canceled: order.status == OrderStatus::Canceled,
        adult_signature: order.adult_signature,
        order_path: order.href,
        number: order.number,
    }
}

/// `reclaimed` is what the buyer's bank has taken back, minor units.
fn canceled(order: OrderView, reason: Option<CancelReason>, reclaimed: i64) -> CanceledMail {
    let was_paid = matches!(
        order.payment_status,
        PaymentStatus::Paid | PaymentStatus::PartiallyRefunded | PaymentStatus::Refunded
    );
    // All of it is given back, with what was refunded before; the provider may not have settled that yet.
    let paid = if was_paid { order.total } else { 0 };
    let refund = (paid - reclaimed).max(order.refunded.min(paid));
    let some = |amount: i64| (amount > 0).then(|| usd(amount));
    CanceledMail {
        reason: match reason {
            Some(CancelReason::StockLost) => Why::OutOfStock,
            Some(CancelReason::PaymentLost) => Why::PaymentFailed,
            Some(CancelReason::Abandoned | CancelReason::NotPickedUp) => Why::Expired,
            Some(CancelReason::Shopper) => Why::Customer,
            Some(CancelReason::Staff) | None => Why::Shop,
        },
        lines: lines(&order),
        refund: some(refund),
        reclaimed: some(paid - refund),
        in_store: order.paid_in_store,
        order_path: order.placed_at.map(|_| order.href),
        number: order.number,
    }
}

/// `paid_with` is how the refunded money was paid, which may be another attempt than the one that placed the order.
fn refunded(order: OrderView, given: &RefundWithLines, paid_with: Option<String>) -> RefundedMail {
    let lines = given.lines.iter().filter_map(|given| {
        let line = order.lines.iter().find(|line| line.id == given.line_id)?;
        Some(some_of(line, given.quantity, given.amount))
    });
    RefundedMail {
        amount: usd(given.amount),
        lines: lines.collect(),
        payment: match given.given_as {
            Some(tender) => format!("In our store, {}", tender.words()),
            None => paid_with.unwrap_or_default(),
        },
        in_store: given.given_as.is_some(),
        reason: String::new(),
        order_path: order.placed_at.map(|_| order.href),
        number: order.number,
    }
}

/// Goods that are hazardous in transport stay with the buyer. None if the return is not approved any more.
async fn return_approved(
    cx: &Context,
    conn: &mut Conn<'_>,
    order: &Order,
    shown: OrderView,
    found: Uuid,
) -> Result<Option<ReturnApprovedMail>, DbError> {
    let Some(lines) = returns::service::find_approved(conn, order.id, found).await? else { return Ok(None) };
    let sold = store::list_lines(conn, order.id).await?;
    let hazardous = list_hazardous(cx, conn, order, &sold).await?;
    let (stays, sent): (Vec<_>, Vec<_>) = lines.into_iter().partition(|line| hazardous.contains(&line.line_id));
    Ok(Some(ReturnApprovedMail {
        lines: returned(&shown, &sent),
        stays: returned(&shown, &stays),
        refund: due_for(conn, order, &sent).await?,
        in_store: shown.paid_in_store,
        order_path: shown.href,
        number: shown.number,
    }))
}

/// The most that is refunded for goods of a return; none if nothing is: they cost nothing, or the money has gone back before.
async fn due_for(conn: &mut Conn<'_>, order: &Order, returned: &[ReturnLine]) -> Result<Option<Money>, DbError> {
    let Some(attempt) = find_captured_attempt(conn, order).await? else { return Ok(None) };
    let refundable = refundable(conn, order).await?;
    let amounts = returned.iter().filter_map(|returned| {
        let line = refundable.lines.get(&returned.line_id)?;
        Some(line.share(returned.quantity.min(line.remaining())).amount)
    });
    let worth: i64 = amounts.sum();
    let amount = worth.min(refunds::remaining(conn, &attempt).await?);
    Ok((amount > 0).then(|| usd(amount)))
}

/// The lines of a return, at the price at which they were sold, less their part of the discount.
fn returned(order: &OrderView, returned: &[ReturnLine]) -> Vec<MailLine> {
    let lines = returned.iter().filter_map(|returned| {
        let line = order.lines.iter().find(|line| line.id == returned.line_id)?;
        let discount = line.discount * returned.quantity / line.quantity.max(1);
        Some(some_of(line, returned.quantity, line.unit_price * returned.quantity - discount))
    });
    lines.collect()
}

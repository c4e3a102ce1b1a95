//! Stores a refund and the job that carries it out.

use std::collections::BTreeMap;

use serde_json::json;
use shop_base::context::Context;
use shop_base::db::{Conn, DbError};
use shop_base::ids::new_id;
use shop_platform::audit::model::Change;
use shop_platform::jobs;
use uuid::Uuid;

use super::payment_status::derive_payment_status;
use super::refundable::{refundable, shipped_pieces};
use crate::sales::records::orders::history::{Event, EventKind};
use crate::sales::records::orders::model::OrderNews;
use crate::sales::records::orders::rows::Order;
use crate::sales::records::orders::service as orders;
use crate::sales::records::payments::jobs::SendRefund;
use crate::sales::records::payments::model::{RefundStatus, Tender};
use crate::sales::records::payments::proration::Share;
use crate::sales::records::payments::rows::{Attempt, Refund, RefundLine};
use crate::sales::records::payments::{refunds, store};

/// Stores a refund of everything that has not been refunded yet. Runs inside the transaction that holds the order's row. `by` is who gives it
/// back, as in the history; none if nobody does. Returns the change for the audit log.
pub async fn add_rest(
    conn: &mut Conn<'_>,
    cx: &Context,
    order: &Order,
    attempt: &mut Attempt,
    reason: &str,
    by: Option<&str>,
    given_as: Option<Tender>,
) -> Result<Option<Change>, DbError> {
    let amount = refunds::remaining(conn, attempt).await?;
    if amount <= 0 {
        return Ok(None);
    }
    // A second payment paid for no goods.
    let of_goods = match order.attempt_id == Some(attempt.id) {
        true => refundable(conn, order).await?.rest(),
        false => Parts::default(),
    };
    let parts = if of_goods.amount() == amount {
        of_goods
    } else {
        // Some was refunded that belongs to no goods: without tax, unless it was all that was left then. So all tax of the goods that were
        // not refunded is in what is left.
        Parts { extra: amount, tax: of_goods.tax.min(amount), ..Parts::default() }
    };
    let parts = Parts { reason: reason.to_owned(), by: by.map(str::to_owned), given_as, ..parts };
    let refund = add(conn, cx, attempt, &parts).await?;
    Ok(Some(parts.change(order, refund)))
}

/// The parts of a refund. Amounts are minor units, taxes included.
#[derive(Debug, Default)]
pub struct Parts {
    pub lines: Vec<(Uuid, Share)>,
    pub shipping: i64,
    pub extra: i64,
    pub tax: i64,
    pub reason: String,
    /// Who refunds, as in the history; none if nobody does.
    pub by: Option<String>,
    pub request_id: Option<Uuid>,
    /// The lines' pieces have just been canceled, so none of them was shipped.
    pub of_canceled: bool,
    /// Set if the money is handed back in the store; otherwise the provider refunds it.
    pub given_as: Option<Tender>,
}

impl Parts {
    pub fn amount(&self) -> i64 {
        self.lines.iter().map(|(_, share)| share.amount).sum::<i64>() + self.shipping + self.extra
    }

    /// The refund of these parts, for the audit log.
    pub fn change(&self, order: &Order, refund: Uuid) -> Change {
        let lines = self
            .lines
            .iter()
            .map(|(id, share)| json!({ "line": id, "quantity": share.quantity, "amount": share.amount }));
        let data = json!({
            "refund": refund, "amount": self.amount(), "shipping": self.shipping, "extra": self.extra, "tax": self.tax,
            "lines": lines.collect::<Vec<_>>(), "given_as": self.given_as,
        });
        Change::new("order.refund", order.subject(), data)
    }
}

/// Stores a refund of an attempt and the job that sends it. A refund paid out by hand is settled immediately.
pub async fn add(conn: &mut Conn<'_>, cx: &Context, attempt: &mut Attempt, parts: &Parts) -> Result<Uuid, DbError> {
    let clock = cx.clock.as_ref();
    let id = new_id(clock);
    let refund = Refund {
        id,
        order_id: attempt.order_id,
        attempt_id: attempt.id,
        // No other refund ever has it, not even one that a restored backup lacks: the provider would answer with that one and make none.
        idempotency_key: id.simple().to_string(),
        request_id: parts.request_id,
        amount: parts.amount(),
        shipping: parts.shipping,
        extra: parts.extra,
        tax: parts.tax,
        reason: parts.reason.clone(),
        status: if parts.given_as.is_some() { RefundStatus::Settled } else { RefundStatus::Pending },
        provider_refund_id: None,
        given_as: parts.given_as.map(|tender| tender.text().to_owned()),
        sent_at: None,
        attention_at: None,
        created_at: clock.now_ms(),
        updated_at: clock.now_ms(),
    };
    let shipped = if parts.of_canceled { BTreeMap::new() } else { shipped_pieces(conn, attempt.order_id).await? };
    store::insert_refund(conn, &refund).await?;
    for (line_id, share) in &parts.lines {
        let Share { quantity, amount, tax } = *share;
        let of_shipped = Some(shipped.get(line_id).map_or(0, |line| line.count(quantity)));
        let line = RefundLine { refund_id: refund.id, line_id: *line_id, quantity, amount, tax, of_shipped };
        store::insert_refund_line(conn, &line).await?;
    }
    if parts.given_as.is_some() {
        settled(conn, cx, attempt, &refund, parts.by.as_deref()).await?;
    } else {
        let event =
            Event::new(EventKind::RefundStarted, json!({ "amount": refund.amount })).maybe_by(parts.by.as_deref());
        orders::record(conn, clock, attempt.order_id, &event).await?;
        jobs::service::add(conn, clock, &SendRefund { refund: refund.id }).await?;
    }
    Ok(refund.id)
}

/// Updates the attempt, history and payment status after a refund has settled, and emails the buyer. `by` is who paid it out, as in the
/// history; none if it was the provider.
pub async fn settled(
    conn: &mut Conn<'_>,
    cx: &Context,
    attempt: &mut Attempt,
    refund: &Refund,
    by: Option<&str>,
) -> Result<(), DbError> {
    let clock = cx.clock.as_ref();
    if refunds::is_uncounted(attempt, refund) {
        // It is in addition to what the provider has reported, which may have been refunded in its dashboard.
        attempt.refunded = (attempt.refunded + refund.amount).min(attempt.amount);
    }
    attempt.refunded = attempt.refunded.max(refunds::settled(conn, attempt.id).await?);
    store::update_attempt(conn, attempt, clock.now_ms()).await?;
    let data = json!({ "refund": refund.id, "amount": refund.amount });
    let event = Event::new(EventKind::Refunded, data).maybe_by(by);
    orders::record(conn, clock, attempt.order_id, &event).await?;
    orders::write(conn, clock, attempt.order_id, OrderNews::Refunded(refund.id)).await?;
    derive_payment_status(conn, cx, attempt.order_id).await
}

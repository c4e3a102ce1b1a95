//! Refunds that staff decide on: for lines, for shipping, or freely.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::json;
use shop_base::context::Context;
use shop_base::db::{Conn, DbError};
use shop_base::error::Error;
use shop_base::money::Money;
use shop_base::transaction;
use shop_platform::audit;
use shop_platform::audit::model::{Actor, Change};
use utoipa::ToSchema;
use uuid::Uuid;

use super::add_refund;
use super::add_refund::Parts;
use crate::sales::records::fulfillment::model::{LineQuantity, checked};
use crate::sales::records::orders::claim::{claim, lock};
use crate::sales::records::orders::rows::Order;
use crate::sales::records::orders::service as orders;
use crate::sales::records::payments::model::{AttemptStatus, RefundStatus, Tender};
use crate::sales::records::payments::proration::{LineMoney, Share, tax_within};
use crate::sales::records::payments::provider::ProviderName;
use crate::sales::records::payments::refunds::RefundWithLines;
use crate::sales::records::payments::rows::Attempt;
use crate::sales::records::payments::{refunds, store};

/// Characters of a reason, which the provider shows beside the refund.
const MAX_REASON: usize = 150;

/// What is to be given back. Amounts are minor units, taxes included.
#[derive(Clone, Debug, Deserialize, ToSchema)]
pub struct NewRefund {
    /// Of the order, as the caller saw it.
    pub version: i64,
    /// The browser's name for this click: however often it is sent, it is one refund.
    pub request_id: Uuid,
    #[serde(default)]
    pub lines: Vec<LineQuantity>,
    #[serde(default)]
    pub shipping: i64,
    /// Beyond lines and shipping; it needs a reason.
    #[serde(default)]
    pub extra: i64,
    #[serde(default)]
    pub reason: String,
    /// What all of it comes to, as the caller saw it.
    pub expected_amount: i64,
    /// How it is given, for money that was taken in the store.
    #[serde(default)]
    pub given_as: Option<Tender>,
}

/// Gives money back. The same click again gives the refund that it made.
pub async fn refund(cx: &Context, number: &str, actor: &Actor, wanted: &NewRefund) -> Result<Uuid, Error> {
    let refund = transaction!(cx.db, conn => {
        let order = match claim_for_refund(conn, number, wanted).await? {
            ForRefund::Refunded(refund) => return Ok(refund),
            ForRefund::Open(order) => order,
        };
        let (refund, change) = refund_in(conn, cx, &order, wanted).await?;
        audit::service::record(conn, cx.clock.as_ref(), actor, &change).await?;
        Ok::<_, Error>(refund)
    })?;
    Ok(refund)
}

/// An order that a refund is for.
#[derive(Debug)]
pub enum ForRefund {
    /// The click has made this refund already.
    Refunded(Uuid),
    Open(Box<Order>),
}

/// Takes the order up for a refund, unless the click is known.
pub async fn claim_for_refund(conn: &mut Conn<'_>, number: &str, wanted: &NewRefund) -> Result<ForRefund, Error> {
    let order = lock(conn, number).await?;
    match store::find_refund_by_request(conn, wanted.request_id).await? {
        Some(refund) if refund.order_id == order.id => Ok(ForRefund::Refunded(refund.id)),
        Some(_) => Err(Error::invalid("request_id", "This request belongs to another order.")),
        None => Ok(ForRefund::Open(Box::new(claim(conn, number, wanted.version).await?))),
    }
}

/// Gives back what is wanted, in the caller's transaction, which holds the order's row; answers with the refund and what has to be in the
/// audit log of it.
pub async fn refund_in(
    conn: &mut Conn<'_>,
    cx: &Context,
    order: &Order,
    wanted: &NewRefund,
) -> Result<(Uuid, Change), Error> {
    let reason = wanted.reason.trim();
    if reason.chars().count() > MAX_REASON || reason.chars().any(char::is_control) {
        return Err(Error::invalid("reason", "Use at most 150 characters on one line."));
    }
    if wanted.extra < 0 || wanted.extra > 0 && reason.is_empty() {
        return Err(Error::invalid("extra", "Enter an amount, and a reason for it."));
    }
    let Some(mut attempt) = find_captured_attempt(conn, order).await? else {
        return Err(Error::conflict("not_taken", "This order has no payment to refund."));
    };
    match (attempt.provider, wanted.given_as) {
        (ProviderName::Pickup, None) => {
            return Err(Error::invalid("given_as", "It was paid in store. Choose a refund method."));
        }
        (ProviderName::Square, Some(_)) => {
            return Err(Error::invalid("given_as", "It was paid by card online, so the refund goes to that card."));
        }
        _ => {}
    }
    // Beyond what was taken no sum need be worked out: it might exceed what a number holds.
    if wanted.extra > attempt.amount {
        let message = format!("Only {} was paid.", Money::usd(attempt.amount).dollars());
        return Err(Error::conflict("above_paid", &message));
    }
    let mut parts = priced(conn, order, wanted).await?;
    parts.reason = reason.to_owned();
    let (amount, left) = (parts.amount(), refunds::remaining(conn, &attempt).await?);
    if amount == 0 {
        return Err(Error::invalid("lines", "Choose what to refund."));
    }
    if amount > left {
        let message = format!("At most {} of this order can still be refunded.", Money::usd(left).dollars());
        return Err(Error::conflict("above_paid", &message));
    }
    if amount != wanted.expected_amount {
        let message = format!("This now comes to {}. Please review it.", Money::usd(amount).dollars());
        return Err(Error::conflict("amount_changed", &message));
    }
    let refund = add_refund::add(conn, cx, &mut attempt, &parts).await?;
    let data = json!({
        "refund": refund, "amount": amount, "shipping": parts.shipping, "extra": parts.extra, "tax": parts.tax,
        "lines": parts.lines.iter().map(|(id, share)| json!({ "line": id, "quantity": share.quantity, "amount": share.amount }))
            .collect::<Vec<_>>(),
        "given_as": wanted.given_as,
    });
    Ok((refund, Change::new("order.refund", order.subject(), data)))
}

/// The attempt that placed the order.
pub async fn find_placing_attempt(conn: &mut Conn<'_>, order: &Order) -> Result<Option<Attempt>, DbError> {
    match order.attempt_id {
        Some(attempt) => store::find_attempt(conn, attempt).await,
        None => Ok(None),
    }
}

/// The same, once its money was taken.
pub async fn find_captured_attempt(conn: &mut Conn<'_>, order: &Order) -> Result<Option<Attempt>, DbError> {
    Ok(find_placing_attempt(conn, order).await?.filter(|attempt| attempt.status == AttemptStatus::Captured))
}

/// What is wanted, with its worth.
async fn priced(conn: &mut Conn<'_>, order: &Order, wanted: &NewRefund) -> Result<Parts, Error> {
    let refundable = refundable(conn, order).await?;
    let mut parts = Parts {
        shipping: wanted.shipping,
        extra: wanted.extra,
        request_id: Some(wanted.request_id),
        given_as: wanted.given_as,
        ..Parts::default()
    };
    if wanted.lines.iter().any(|line| line.quantity != 0) {
        let chosen = checked(&wanted.lines, |id| refundable.lines.get(&id).map(LineMoney::remaining))
            .map_err(|problem| Error::invalid("lines", &problem.to_string()))?;
        for (id, quantity) in chosen {
            let share = refundable.lines.get(&id).map(|line| line.share(quantity)).unwrap_or_default();
            parts.tax += share.tax;
            parts.lines.push((id, share));
        }
    }
    let Shipping { gross, tax, given } = refundable.shipping;
    if !(0..=gross - given).contains(&wanted.shipping) {
        let message = format!("At most {} of shipping can still be refunded.", Money::usd(gross - given).dollars());
        return Err(Error::invalid("shipping", &message));
    }
    parts.tax += tax_within(wanted.shipping, given, gross, tax);
    Ok(parts)
}

/// What an order's parts are worth, and what of that was given back or promised.
#[derive(Debug)]
pub struct Refundable {
    pub lines: BTreeMap<Uuid, LineMoney>,
    pub shipping: Shipping,
}

#[derive(Clone, Copy, Debug)]
pub struct Shipping {
    /// What the buyer paid for it, tax included.
    pub gross: i64,
    pub tax: i64,
    pub given: i64,
}

pub async fn refundable(conn: &mut Conn<'_>, order: &Order) -> Result<Refundable, DbError> {
    let given: Vec<RefundWithLines> = refunds::list(conn, order.id).await?;
    let given: Vec<&RefundWithLines> = given.iter().filter(|given| given.status != RefundStatus::Failed).collect();
    let mut shares: BTreeMap<Uuid, Share> = BTreeMap::new();
    for line in given.iter().flat_map(|given| &given.lines) {
        let share = shares.entry(line.line_id).or_default();
        share.quantity += line.quantity;
        share.amount += line.amount;
        share.tax += line.tax;
    }
    let lines = orders::list_lines(conn, order.id).await?.into_iter().map(|line| {
        let given = shares.get(&line.id).copied().unwrap_or_default();
        (line.id, LineMoney { quantity: line.quantity, total: line.total, tax: line.tax, given })
    });
    let lines = lines.collect();
    let (gross, tax) = orders::shipping_price(conn, order).await?;
    let given = given.iter().map(|given| given.shipping).sum();
    Ok(Refundable { lines, shipping: Shipping { gross, tax, given } })
}

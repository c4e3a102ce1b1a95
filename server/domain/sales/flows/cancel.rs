//! Cancels goods that have not been shipped: a whole order or part of it.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::json;
use shop_base::context::Context;
use shop_base::db::Conn;
use shop_base::error::Error;
use shop_base::ids::new_id;
use shop_base::transaction;
use shop_platform::audit;
use shop_platform::audit::model::{Actor, Change};
use utoipa::ToSchema;
use uuid::Uuid;

use super::make_ready::is_ready;
use super::pack::describe_lines;
use super::progress::{derive_status, progress};
use super::refund::NewRefund;
use super::refundable::{refundable, refunded_unsent, shipped_pieces};
use super::settle::give_all_back;
use super::{allowed, auto_cancel, refund};
use crate::sales::records::fulfillment::model::{LineProgress, LineQuantity, checked};
use crate::sales::records::orders::claim::claim;
use crate::sales::records::orders::history::{Event, EventKind};
use crate::sales::records::orders::model::{CancelReason, OrderNews};
use crate::sales::records::orders::rows::{Line, Order};
use crate::sales::records::orders::{service as orders, store};
use crate::sales::records::payments::model::Tender;
use crate::sales::records::payments::refunds;
use crate::sales::records::payments::rows::Attempt;
use crate::{promotions, stock};

/// What to cancel.
#[derive(Debug, Deserialize, ToSchema)]
pub struct Cancellation {
    /// The order version that the caller saw.
    pub version: i64,
    /// If empty: everything that has not been shipped.
    #[serde(default)]
    pub lines: Vec<LineQuantity>,
    /// Whether the goods go back on the shelf.
    pub restock: bool,
    /// Whether the buyer asked for it, not the shop.
    pub by_shopper: bool,
    /// Whether it was ready for pickup and nobody came for it; then nobody has asked for it.
    #[serde(default)]
    pub not_picked_up: bool,
    /// How money that was taken in the store is refunded.
    #[serde(default)]
    pub given_as: Option<Tender>,
}

/// Cancels goods that have not been shipped and refunds what was paid for them. When nothing was shipped and nothing remains, the whole
/// order is canceled, including its shipping.
pub async fn cancel(cx: &Context, number: &str, actor: &Actor, cancellation: &Cancellation) -> Result<(), Error> {
    transaction!(cx.db, conn => cancel_in(conn, cx, number, actor, cancellation).await)
}

async fn cancel_in(
    conn: &mut Conn<'_>,
    cx: &Context,
    number: &str,
    actor: &Actor,
    cancellation: &Cancellation,
) -> Result<(), Error> {
    let clock = cx.clock.as_ref();
    let order = claim(conn, number, cancellation.version).await?;
    let progress = progress(conn, order.id).await?;
    allowed::cancel(&order, &progress)?;
    if cancellation.not_picked_up && !is_ready(conn, order.id).await? {
        return Err(Error::conflict("not_ready", "This order isn’t marked as ready for pickup."));
    }
    let lines = orders::list_lines(conn, order.id).await?;
    let open: BTreeMap<Uuid, i64> =
        progress.iter().map(|line| (line.line_id, line.open())).filter(|(_, open)| *open > 0).collect();
    let chosen = if cancellation.lines.is_empty() {
        open.clone()
    } else {
        let most = |id| lines.iter().any(|line| line.id == id).then(|| open.get(&id).copied().unwrap_or(0));
        checked(&cancellation.lines, most).map_err(|problem| Error::invalid("lines", &problem.to_string()))?
    };
    let is_shipped = progress.iter().any(|line| line.shipped > 0);
    let is_whole = !is_shipped && chosen == open;
    let attempt = refund::find_captured_attempt(conn, &order).await?;
    if let Some(attempt) = &attempt {
        refund::check_method(attempt.provider, cancellation.given_as)?;
    }
    for (line, quantity) in &chosen {
        store::cancel_line(conn, *line, *quantity).await?;
    }
    if is_whole {
        promotions::service::give_back(conn, order.id).await?;
    }
    if cancellation.restock {
        restock(conn, cx, &order, &lines, &chosen).await?;
    }
    let goods = describe_lines(&lines, &chosen);
    let mut changes = Vec::new();
    let reason = match (cancellation.not_picked_up, cancellation.by_shopper) {
        (true, _) => CancelReason::NotPickedUp,
        (false, true) => CancelReason::Shopper,
        (false, false) => CancelReason::Staff,
    };
    if is_whole {
        let by = actor.label();
        auto_cancel::end(conn, cx, &order, reason, Some(&by)).await?;
        changes.extend(give_all_back(conn, cx, &order, Some(&by), cancellation.given_as).await?);
    } else {
        if attempt.is_none() && order.total > 0 {
            return Err(Error::conflict(
                "not_paid",
                "You can cancel part of an order once it’s paid. Cancel the whole order, or wait for the payment.",
            ));
        }
        let refund = match &attempt {
            Some(attempt) => refund_of(conn, cx, &order, attempt, &progress, &chosen, cancellation).await?,
            None => None,
        };
        let id = new_id(clock);
        let given_back = refund.as_ref().map_or(0, |refund| refund.expected_amount);
        let refunded_before = !refund.as_ref().is_some_and(|refund| is_of(refund, &chosen));
        let data = json!({
            "goods": goods, "cancellation": id, "given_back": given_back, "refunded_before": refunded_before,
        });
        let event = Event::new(EventKind::GoodsCanceled, data).by(&actor.label());
        orders::record(conn, clock, order.id, &event).await?;
        orders::write(conn, clock, order.id, OrderNews::GoodsCanceled(id)).await?;
        if let Some(wanted) = &refund {
            changes.push(refund::refund_in(conn, cx, &order, actor, wanted).await?.1);
        }
        derive_status(conn, clock, order.id).await?;
    }
    let data = json!({ "goods": goods, "whole": is_whole, "restock": cancellation.restock, "reason": reason });
    changes.push(Change::new("order.cancel", order.subject(), data));
    audit::service::record_all(conn, clock, actor, &changes).await?;
    Ok(())
}

/// Whether a refund is of all these goods, and of no others.
fn is_of(refund: &NewRefund, goods: &BTreeMap<Uuid, i64>) -> bool {
    refund.lines.iter().map(|line| (&line.line_id, &line.quantity)).eq(goods)
}

async fn restock(
    conn: &mut Conn<'_>,
    cx: &Context,
    order: &Order,
    lines: &[Line],
    chosen: &BTreeMap<Uuid, i64>,
) -> Result<(), Error> {
    // In the fixed order in which stock rows are always locked.
    let mut goods: BTreeMap<Uuid, i64> = BTreeMap::new();
    for line in lines {
        let Some(quantity) = chosen.get(&line.id) else { continue };
        let Some(variant) = line.variant_id else {
            let message = format!("“{}” no longer exists. Cancel it without restocking.", line.title);
            return Err(Error::invalid("lines", &message));
        };
        *goods.entry(variant).or_default() += quantity;
    }
    for (variant, quantity) in goods {
        if !stock::service::put_back(conn, cx.clock.as_ref(), order.id, variant, quantity, "cancellation").await? {
            let message = "There’s no stock record of this sale. Cancel without restocking.";
            return Err(Error::conflict("not_sold", message));
        }
    }
    Ok(())
}

/// The refund of what was paid for the canceled goods, less what was refunded before; none if nothing is left. `progress` is that before the
/// cancellation.
async fn refund_of(
    conn: &mut Conn<'_>,
    cx: &Context,
    order: &Order,
    attempt: &Attempt,
    progress: &[LineProgress],
    chosen: &BTreeMap<Uuid, i64>,
    cancellation: &Cancellation,
) -> Result<Option<NewRefund>, Error> {
    let refundable = refundable(conn, order).await?;
    let shipped = shipped_pieces(conn, order.id).await?;
    let mut lines = Vec::new();
    let (mut amount, mut tax) = (0, 0);
    for (line_id, quantity) in chosen {
        let Some(money) = refundable.lines.get(line_id) else { continue };
        // Refunded pieces, except shipped ones and those that were canceled before, are some of those that are canceled now.
        let canceled = progress.iter().find(|line| line.line_id == *line_id).map_or(0, |line| line.canceled);
        let refunded = refunded_unsent(money.given.quantity, canceled, shipped.get(line_id));
        let share = money.share((quantity - refunded).clamp(0, money.remaining()));
        if share.quantity == 0 {
            continue;
        }
        amount += share.amount;
        tax += share.tax;
        lines.push(LineQuantity { line_id: *line_id, quantity: share.quantity });
    }
    let left = refunds::remaining(conn, attempt).await?;
    if amount.min(left) <= 0 {
        return Ok(None);
    }
    // Staff, or the provider's dashboard, have refunded an amount that belongs to no goods.
    let extra = if amount > left { left } else { 0 };
    if extra > 0 {
        lines.clear();
    }
    Ok(Some(NewRefund {
        version: order.version,
        request_id: new_id(cx.clock.as_ref()),
        lines,
        shipping: 0,
        extra,
        reason: "Canceled before shipping".to_owned(),
        expected_amount: amount.min(left),
        given_as: cancellation.given_as,
        of_canceled: true,
        extra_tax: tax.min(extra),
    }))
}

//! Taking goods back, step by step. Staff record what a buyer has written to them.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;
use serde_json::{Value, json};
use utoipa::ToSchema;
use uuid::Uuid;

use super::model::{Arrival, ReturnStatus, Step};
use super::rows::{Return, ReturnLine};
use super::store;
use crate::audit::model::{Actor, Change, Subject};
use crate::context::Context;
use crate::db::{Conn, DbError};
use crate::error::Error;
use crate::fulfillment::model::{LineQuantity, checked};
use crate::fulfillment::service::{progress, told};
use crate::ids::new_id;
use crate::orders::claim::claim;
use crate::orders::model::{OrderNews, OrderStatus, typed_text};
use crate::orders::rows::Order;
use crate::orders::service::{self as orders, Event};
use crate::payments::giving::{NewRefund, Taken, give, take_up};
use crate::{audit, stock, transaction};

/// What a buyer wants to send back.
#[derive(Debug, Deserialize, ToSchema)]
pub struct NewReturn {
    /// Of the order, as the caller saw it.
    pub version: i64,
    pub lines: Vec<LineQuantity>,
    pub reason: String,
}

/// Records that a buyer wants to send something back.
pub async fn request(cx: &Context, number: &str, actor: &Actor, wanted: &NewReturn) -> Result<Uuid, Error> {
    let reason = typed_text("reason", &wanted.reason)?;
    let clock = cx.clock.as_ref();
    let mut tx = cx.db.begin().await?;
    let mut conn = tx.conn();
    let order = claim(&mut conn, number, wanted.version).await?;
    if !matches!(order.status, OrderStatus::Placed | OrderStatus::Archived) {
        return Err(Error::conflict("not_placed", "Nothing in this order can be returned."));
    }
    let open = returnable(&mut conn, order.id).await?;
    let chosen = checked(&wanted.lines, |id| open.get(&id).copied())
        .map_err(|problem| Error::invalid("lines", &problem.to_string()))?;
    let (id, created_at) = (new_id(clock), clock.now_ms());
    let (status, message) = (ReturnStatus::Requested, String::new());
    let new = Return { id, order_id: order.id, status, reason, message, refund_id: None, created_at };
    store::insert_return(&mut conn, &new).await?;
    for (line_id, quantity) in &chosen {
        let (line_id, quantity) = (*line_id, *quantity);
        store::insert_line(&mut conn, &ReturnLine { return_id: id, line_id, quantity, restocked: 0, written_off: 0 })
            .await?;
    }
    let goods = told(&orders::list_lines(&mut conn, order.id).await?, &chosen);
    let event = Event::internal("return_requested", json!({ "return": id, "goods": goods, "text": new.reason }));
    record(cx, &mut conn, &order, actor, event, "return.request", json!({ "return": id, "goods": goods })).await?;
    tx.commit().await?;
    Ok(id)
}

/// How many of each line could be announced: what has left, less what was announced before and counts.
pub async fn returnable(conn: &mut Conn<'_>, order: Uuid) -> Result<BTreeMap<Uuid, i64>, DbError> {
    let mut open: BTreeMap<Uuid, i64> =
        progress(conn, order).await?.iter().map(|line| (line.line_id, line.left)).collect();
    for (found, lines) in list(conn, order).await? {
        for line in lines.iter().filter(|_| found.status.counts()) {
            // What was announced and did not come stays with the buyer.
            let came = matches!(found.status, ReturnStatus::Received | ReturnStatus::Refunded);
            let gone = if came { line.restocked + line.written_off } else { line.quantity };
            *open.entry(line.line_id).or_default() -= gone;
        }
    }
    Ok(open)
}

/// That a return is approved.
#[derive(Debug, Deserialize, ToSchema)]
#[schema(as = ReturnApproval)]
pub struct Approval {
    /// Of the order, as the caller saw it.
    pub version: i64,
    /// Kept for staff.
    #[serde(default)]
    pub note: String,
}

/// Lets the buyer send it.
pub async fn approve(cx: &Context, number: &str, actor: &Actor, id: Uuid, approval: &Approval) -> Result<(), Error> {
    let mut tx = cx.db.begin().await?;
    let mut conn = tx.conn();
    let order = claim(&mut conn, number, approval.version).await?;
    step(cx, &mut conn, &order, id, Step::Approve, None).await?;
    let event = Event::public("return_approved", json!({ "return": id, "text": approval.note.trim() }));
    orders::write(&mut conn, cx.clock.as_ref(), order.id, OrderNews::ReturnApproved(id)).await?;
    record(cx, &mut conn, &order, actor, event, "return.approve", json!({ "return": id })).await?;
    tx.commit().await?;
    Ok(())
}

/// That a return is not taken.
#[derive(Debug, Deserialize, ToSchema)]
#[schema(as = ReturnRejection)]
pub struct Rejection {
    /// Of the order, as the caller saw it.
    pub version: i64,
    /// Why; kept for staff.
    pub note: String,
    /// What the buyer is written; nothing when empty.
    #[serde(default)]
    pub message: String,
}

/// Refuses it, or gives up waiting for it.
pub async fn reject(cx: &Context, number: &str, actor: &Actor, id: Uuid, rejection: &Rejection) -> Result<(), Error> {
    let text = typed_text("note", &rejection.note)?;
    let message = match rejection.message.trim() {
        "" => String::new(),
        message => typed_text("message", message)?,
    };
    let mut tx = cx.db.begin().await?;
    let mut conn = tx.conn();
    let order = claim(&mut conn, number, rejection.version).await?;
    step(cx, &mut conn, &order, id, Step::Reject, None).await?;
    let event = Event::internal("return_rejected", json!({ "return": id, "text": text }));
    if !message.is_empty() {
        store::set_message(&mut conn, id, &message).await?;
        orders::write(&mut conn, cx.clock.as_ref(), order.id, OrderNews::ReturnRejected(id)).await?;
    }
    record(cx, &mut conn, &order, actor, event, "return.reject", json!({ "return": id })).await?;
    tx.commit().await?;
    Ok(())
}

/// What has come back.
#[derive(Debug, Deserialize, ToSchema)]
pub struct Receipt {
    /// Of the order, as the caller saw it.
    pub version: i64,
    pub lines: Vec<ReceivedLine>,
}

#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
pub struct ReceivedLine {
    pub line_id: Uuid,
    /// Back on the shelf.
    pub restocked: i64,
    /// Not to be sold again.
    pub written_off: i64,
}

/// Records what has come back, and puts on the shelf what can be sold again.
pub async fn receive(cx: &Context, number: &str, actor: &Actor, id: Uuid, receipt: &Receipt) -> Result<(), Error> {
    let clock = cx.clock.as_ref();
    let mut tx = cx.db.begin().await?;
    let mut conn = tx.conn();
    let order = claim(&mut conn, number, receipt.version).await?;
    let announced = step(cx, &mut conn, &order, id, Step::Receive, None).await?;
    let lines = orders::list_lines(&mut conn, order.id).await?;
    let mut shelf: BTreeMap<Uuid, i64> = BTreeMap::new();
    let (mut arrived, mut seen) = (0, BTreeSet::new());
    for received in &receipt.lines {
        let line = announced.iter().find(|line| line.line_id == received.line_id);
        let Some(line) = line.filter(|line| seen.insert(line.line_id)) else {
            return Err(Error::invalid("lines", "List each item in this return once."));
        };
        let arrival =
            Arrival { announced: line.quantity, restocked: received.restocked, written_off: received.written_off };
        if !arrival.is_sound() {
            return Err(Error::invalid("lines", "That’s more than was requested."));
        }
        let came = ReturnLine { restocked: received.restocked, written_off: received.written_off, ..line.clone() };
        store::set_arrived(&mut conn, &came).await?;
        arrived += arrival.arrived();
        if received.restocked > 0 {
            let variant = lines.iter().find(|line| line.id == received.line_id).and_then(|line| line.variant_id);
            let Some(variant) = variant else {
                return Err(Error::invalid("lines", "This product no longer exists. Write it off."));
            };
            *shelf.entry(variant).or_default() += received.restocked;
        }
    }
    if arrived == 0 {
        return Err(Error::invalid("lines", "Enter what was received, or reject the return."));
    }
    for (variant, quantity) in shelf {
        if !stock::service::put_back(&mut conn, clock, order.id, variant, quantity, "return").await? {
            return Err(Error::conflict("not_sold", "There’s no stock record of this sale. Write these off."));
        }
    }
    let goods: Value = receipt
        .lines
        .iter()
        .filter_map(|line| {
            let sku = &lines.iter().find(|each| each.id == line.line_id)?.sku;
            Some(json!({ "sku": sku, "restocked": line.restocked, "written_off": line.written_off }))
        })
        .collect();
    let data = json!({ "return": id, "goods": goods });
    let event = Event::public("return_received", data.clone());
    record(cx, &mut conn, &order, actor, event, "return.receive", data).await?;
    tx.commit().await?;
    Ok(())
}

/// Gives back the money for what has come back; `wanted` may be for less, and for shipping.
pub async fn refund(cx: &Context, number: &str, actor: &Actor, id: Uuid, wanted: &NewRefund) -> Result<Uuid, Error> {
    let refund = transaction!(cx.db, conn => {
        let order = match take_up(conn, number, wanted).await? {
            Taken::Before(refund) => return Ok(refund),
            Taken::Now(order) => order,
        };
        let (refund, change) = give(conn, cx, &order, wanted).await?;
        let came = step(cx, conn, &order, id, Step::Refund, Some(refund)).await?;
        let most = |id: Uuid| came.iter().find(|line| line.line_id == id).map(|line| line.restocked + line.written_off);
        if !wanted.lines.is_empty() {
            checked(&wanted.lines, most).map_err(|problem| Error::invalid("lines", &problem.to_string()))?;
        }
        let data = json!({ "return": id, "refund": refund });
        let event = Event::internal("return_refunded", data.clone()).by(&actor.label());
        orders::record(conn, cx.clock.as_ref(), order.id, &event).await?;
        let changes = [change, Change::new("return.refund", Subject::new("order", order.id, &order.number), data)];
        audit::service::record_all(conn, cx.clock.as_ref(), actor, &changes).await?;
        Ok::<_, Error>(refund)
    })?;
    Ok(refund)
}

/// Takes a step; answers with what the return is about.
async fn step(
    cx: &Context,
    conn: &mut Conn<'_>,
    order: &Order,
    id: Uuid,
    step: Step,
    refund: Option<Uuid>,
) -> Result<Vec<ReturnLine>, Error> {
    let found = list(conn, order.id).await?.into_iter().find(|(found, _)| found.id == id);
    let Some((found, lines)) = found else {
        return Err(Error::NoRoute { path: format!("/api/admin/orders/{}/returns/{id}", order.number) });
    };
    let Some(after) = found.status.after(step) else {
        let message = format!("This return is {}, so that isn’t possible now.", found.status.text());
        return Err(Error::conflict("not_now", &message));
    };
    store::set_status(conn, id, after, refund, cx.clock.now_ms()).await?;
    Ok(lines)
}

async fn record(
    cx: &Context,
    conn: &mut Conn<'_>,
    order: &Order,
    actor: &Actor,
    event: Event,
    action: &'static str,
    data: Value,
) -> Result<(), DbError> {
    let clock = cx.clock.as_ref();
    orders::record(conn, clock, order.id, &event.by(&actor.label())).await?;
    let change = Change::new(action, Subject::new("order", order.id, &order.number), data);
    audit::service::record(conn, clock, actor, &change).await
}

/// An order's returns with what they are about, the first first.
pub async fn list(conn: &mut Conn<'_>, order: Uuid) -> Result<Vec<(Return, Vec<ReturnLine>)>, DbError> {
    let lines = store::list_lines(conn, order).await?;
    let of = |found: &Return| lines.iter().filter(|line| line.return_id == found.id).cloned().collect();
    let returns = store::list_returns(conn, order).await?;
    Ok(returns
        .into_iter()
        .map(|found| {
            let own = of(&found);
            (found, own)
        })
        .collect())
}

/// One of an order's returns whose buyer was told that it is approved.
pub async fn find_approved(conn: &mut Conn<'_>, order: Uuid, id: Uuid) -> Result<Option<Vec<ReturnLine>>, DbError> {
    let found = find(conn, order, id).await?;
    Ok(found.filter(|(found, _)| found.status.is_approved()).map(|(_, lines)| lines))
}

/// One of an order's returns whose buyer was told why it is rejected.
pub async fn find_refused(
    conn: &mut Conn<'_>,
    order: Uuid,
    id: Uuid,
) -> Result<Option<(Return, Vec<ReturnLine>)>, DbError> {
    Ok(find(conn, order, id).await?.filter(|(found, _)| !found.message.is_empty()))
}

async fn find(conn: &mut Conn<'_>, order: Uuid, id: Uuid) -> Result<Option<(Return, Vec<ReturnLine>)>, DbError> {
    Ok(list(conn, order).await?.into_iter().find(|(found, _)| found.id == id))
}

/// Forgets what buyer and staff have typed about an order's returns.
pub async fn erase_texts(conn: &mut Conn<'_>, order: Uuid) -> Result<(), DbError> {
    store::erase_texts(conn, order).await
}

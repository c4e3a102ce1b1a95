//! Records a buyer's request to return goods.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::json;
use shop_base::context::Context;
use shop_base::db::{Conn, DbError};
use shop_base::error::Error;
use shop_base::ids::new_id;
use shop_platform::audit::model::Actor;
use utoipa::ToSchema;
use uuid::Uuid;

use super::allowed;
use super::pack::describe_lines;
use super::progress::progress;
use super::return_step::record;
use crate::sales::records::fulfillment::model::{LineProgress, LineQuantity, checked};
use crate::sales::records::orders::claim::claim;
use crate::sales::records::orders::history::{Event, EventKind};
use crate::sales::records::orders::model::typed_text;
use crate::sales::records::orders::service as orders;
use crate::sales::records::returns::model::ReturnStatus;
use crate::sales::records::returns::rows::{Return, ReturnLine};
use crate::sales::records::returns::service::list;
use crate::sales::records::returns::store;

/// A buyer's request to return goods.
#[derive(Debug, Deserialize, ToSchema)]
pub struct NewReturn {
    /// The order version that the caller saw.
    pub version: i64,
    pub lines: Vec<LineQuantity>,
    pub reason: String,
}

/// Records a buyer's request to return goods.
pub async fn request(cx: &Context, number: &str, actor: &Actor, wanted: &NewReturn) -> Result<Uuid, Error> {
    let reason = typed_text("reason", &wanted.reason)?;
    let clock = cx.clock.as_ref();
    let mut tx = cx.db.begin().await?;
    let mut conn = tx.conn();
    let order = claim(&mut conn, number, wanted.version).await?;
    allowed::request_return(&order)?;
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
    let goods = describe_lines(&orders::list_lines(&mut conn, order.id).await?, &chosen);
    let event = Event::new(EventKind::ReturnRequested, json!({ "return": id, "goods": goods, "text": new.reason }));
    record(cx, &mut conn, &order, actor, event, "return.request", json!({ "return": id, "goods": goods })).await?;
    tx.commit().await?;
    Ok(id)
}

/// How many of each line could be returned: what was shipped, less what earlier returns that count have announced.
pub async fn returnable(conn: &mut Conn<'_>, order: Uuid) -> Result<BTreeMap<Uuid, i64>, DbError> {
    let progress = progress(conn, order).await?;
    Ok(returnable_of(&progress, &list(conn, order).await?))
}

/// The same, by the progress of the order's lines and its returns.
pub fn returnable_of(progress: &[LineProgress], returns: &[(Return, Vec<ReturnLine>)]) -> BTreeMap<Uuid, i64> {
    let mut open: BTreeMap<Uuid, i64> = progress.iter().map(|line| (line.line_id, line.shipped)).collect();
    for (found, lines) in returns {
        for line in lines.iter().filter(|_| found.status.counts()) {
            // Goods that were announced but did not arrive stay with the buyer.
            let came = matches!(found.status, ReturnStatus::Received | ReturnStatus::Refunded);
            let gone = if came { line.restocked + line.written_off } else { line.quantity };
            *open.entry(line.line_id).or_default() -= gone;
        }
    }
    open
}

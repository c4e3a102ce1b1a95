//! Refunds returned goods.

use serde_json::json;
use shop_base::context::Context;
use shop_base::error::Error;
use shop_base::transaction;
use shop_platform::audit;
use shop_platform::audit::model::{Actor, Change};
use uuid::Uuid;

use super::refund::{ForRefund, NewRefund, claim_for_refund, refund_in};
use super::return_step::step;
use crate::sales::records::fulfillment::model::checked;
use crate::sales::records::orders::history::{Event, EventKind};
use crate::sales::records::orders::service as orders;
use crate::sales::records::returns::model::Step;

/// Refunds returned goods; `wanted` may ask for less, and for shipping.
pub async fn refund(cx: &Context, number: &str, actor: &Actor, id: Uuid, wanted: &NewRefund) -> Result<Uuid, Error> {
    let refund = transaction!(cx.db, conn => {
        let order = match claim_for_refund(conn, number, wanted).await? {
            ForRefund::Refunded(refund) => return Ok(refund),
            ForRefund::Open(order) => order,
        };
        let (refund, change) = refund_in(conn, cx, &order, actor, wanted).await?;
        let came = step(cx, conn, &order, id, Step::Refund, Some(refund)).await?;
        let most = |id: Uuid| came.iter().find(|line| line.line_id == id).map(|line| line.restocked + line.written_off);
        if !wanted.lines.is_empty() {
            checked(&wanted.lines, most).map_err(|problem| Error::invalid("lines", &problem.to_string()))?;
        }
        let data = json!({ "return": id, "refund": refund });
        let event = Event::new(EventKind::ReturnRefunded, data.clone()).by(&actor.label());
        orders::record(conn, cx.clock.as_ref(), order.id, &event).await?;
        let changes = [change, Change::new("return.refund", order.subject(), data)];
        audit::service::record_all(conn, cx.clock.as_ref(), actor, &changes).await?;
        Ok::<_, Error>(refund)
    })?;
    Ok(refund)
}

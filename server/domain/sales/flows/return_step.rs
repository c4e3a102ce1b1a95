//! Shared by all steps of a return: state transition, history and audit log.

use serde_json::Value;
use shop_base::context::Context;
use shop_base::db::{Conn, DbError};
use shop_base::error::Error;
use shop_platform::audit;
use shop_platform::audit::model::{Actor, Change};
use uuid::Uuid;

use crate::sales::records::orders::history::Event;
use crate::sales::records::orders::rows::Order;
use crate::sales::records::orders::service as orders;
use crate::sales::records::returns::model::Step;
use crate::sales::records::returns::rows::ReturnLine;
use crate::sales::records::returns::service::list;
use crate::sales::records::returns::store;

/// Applies a step to a return, and returns the lines of that return.
pub async fn step(
    cx: &Context,
    conn: &mut Conn<'_>,
    order: &Order,
    id: Uuid,
    step: Step,
    refund: Option<Uuid>,
) -> Result<Vec<ReturnLine>, Error> {
    let found = list(conn, order.id).await?.into_iter().find(|(found, _)| found.id == id);
    let Some((found, lines)) = found else {
        return Err(Error::NotFound);
    };
    let Some(after) = found.status.after(step) else {
        let message = format!("This return is {}, so that isn’t possible now.", found.status.text());
        return Err(Error::conflict("not_now", &message));
    };
    store::set_status(conn, id, after, refund, cx.clock.now_ms()).await?;
    Ok(lines)
}

pub async fn record(
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
    let change = Change::new(action, order.subject(), data);
    audit::service::record(conn, clock, actor, &change).await
}

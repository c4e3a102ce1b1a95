//! Closes a return that has arrived and for which no money is due: it was refunded before, cost nothing, or is not to be refunded.

use serde::Deserialize;
use serde_json::json;
use shop_base::context::Context;
use shop_base::error::Error;
use shop_platform::audit::model::Actor;
use utoipa::ToSchema;
use uuid::Uuid;

use super::return_step::{record, step};
use crate::sales::records::orders::claim::claim;
use crate::sales::records::orders::history::{Event, EventKind};
use crate::sales::records::orders::model::typed_text;
use crate::sales::records::returns::model::Step;

/// Closure of a return.
#[derive(Debug, Deserialize, ToSchema)]
#[schema(as = ReturnClosure)]
pub struct Closure {
    /// The order version that the caller saw.
    pub version: i64,
    /// The reason; visible to staff only.
    pub note: String,
}

/// Closes a received return without a refund. The buyer is not emailed.
pub async fn close(cx: &Context, number: &str, actor: &Actor, id: Uuid, closure: &Closure) -> Result<(), Error> {
    let text = typed_text("note", &closure.note)?;
    let mut tx = cx.db.begin().await?;
    let mut conn = tx.conn();
    let order = claim(&mut conn, number, closure.version).await?;
    step(cx, &mut conn, &order, id, Step::Close, None).await?;
    let event = Event::new(EventKind::ReturnClosed, json!({ "return": id, "text": text }));
    record(cx, &mut conn, &order, actor, event, "return.close", json!({ "return": id })).await?;
    tx.commit().await?;
    Ok(())
}

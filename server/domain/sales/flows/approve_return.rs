//! Approves a return.

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
use crate::sales::records::orders::model::{OrderNews, optional_text};
use crate::sales::records::orders::service as orders;
use crate::sales::records::returns::model::Step;

/// Approval of a return.
#[derive(Debug, Deserialize, ToSchema)]
#[schema(as = ReturnApproval)]
pub struct Approval {
    /// The order version that the caller saw.
    pub version: i64,
    /// Visible to staff only.
    #[serde(default)]
    pub note: String,
}

/// Approves a requested return.
pub async fn approve(cx: &Context, number: &str, actor: &Actor, id: Uuid, approval: &Approval) -> Result<(), Error> {
    let text = optional_text("note", &approval.note)?;
    let mut tx = cx.db.begin().await?;
    let mut conn = tx.conn();
    let order = claim(&mut conn, number, approval.version).await?;
    step(cx, &mut conn, &order, id, Step::Approve, None).await?;
    let event = Event::new(EventKind::ReturnApproved, json!({ "return": id, "text": text }));
    orders::write(&mut conn, cx.clock.as_ref(), order.id, OrderNews::ReturnApproved(id)).await?;
    record(cx, &mut conn, &order, actor, event, "return.approve", json!({ "return": id })).await?;
    tx.commit().await?;
    Ok(())
}

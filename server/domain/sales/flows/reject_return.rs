//! Rejects a return, also one that was approved and never arrived.

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
use crate::sales::records::orders::model::{OrderNews, optional_text, typed_text};
use crate::sales::records::orders::service as orders;
use crate::sales::records::returns::model::Step;
use crate::sales::records::returns::store;

/// Rejection of a return.
#[derive(Debug, Deserialize, ToSchema)]
#[schema(as = ReturnRejection)]
pub struct Rejection {
    /// The order version that the caller saw.
    pub version: i64,
    /// The reason; visible to staff only.
    pub note: String,
    /// Text of the email to the buyer; no email if empty.
    #[serde(default)]
    pub message: String,
}

/// Rejects a return, also one that was approved and never arrived.
pub async fn reject(cx: &Context, number: &str, actor: &Actor, id: Uuid, rejection: &Rejection) -> Result<(), Error> {
    let text = typed_text("note", &rejection.note)?;
    let message = optional_text("message", &rejection.message)?;
    let mut tx = cx.db.begin().await?;
    let mut conn = tx.conn();
    let order = claim(&mut conn, number, rejection.version).await?;
    step(cx, &mut conn, &order, id, Step::Reject, None).await?;
    let data = json!({ "return": id, "text": text, "emailed": !message.is_empty() });
    let event = Event::new(EventKind::ReturnRejected, data);
    if !message.is_empty() {
        store::set_message(&mut conn, id, &message).await?;
        orders::write(&mut conn, cx.clock.as_ref(), order.id, OrderNews::ReturnRejected(id)).await?;
    }
    record(cx, &mut conn, &order, actor, event, "return.reject", json!({ "return": id })).await?;
    tx.commit().await?;
    Ok(())
}

//! Refuses a return, or gives up waiting for it.

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
use crate::sales::records::orders::model::{OrderNews, typed_text};
use crate::sales::records::orders::service as orders;
use crate::sales::records::returns::model::Step;
use crate::sales::records::returns::store;

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
    let event = Event::new(EventKind::ReturnRejected, json!({ "return": id, "text": text }));
    if !message.is_empty() {
        store::set_message(&mut conn, id, &message).await?;
        orders::write(&mut conn, cx.clock.as_ref(), order.id, OrderNews::ReturnRejected(id)).await?;
    }
    record(cx, &mut conn, &order, actor, event, "return.reject", json!({ "return": id })).await?;
    tx.commit().await?;
    Ok(())
}

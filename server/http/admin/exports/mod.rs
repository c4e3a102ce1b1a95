//! Downloads of lists and of what is stored about a user: each is an entry of the audit log.

pub mod api;

use serde_json::json;
use shop_base::context::Context;
use shop_base::error::Error;
use shop_platform::audit;
use shop_platform::audit::model::{Actor, Change, Subject};

/// Records who downloads what: all of a kind that match a query, or a single one.
pub async fn record(cx: &Context, actor: &Actor, action: &'static str, subject: Subject) -> Result<(), Error> {
    Ok(audit::service::record_now(cx, actor, &Change::new(action, subject, json!({}))).await?)
}

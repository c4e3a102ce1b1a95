//! Withdraws a draft order.

use serde_json::json;
use shop_base::context::Context;
use shop_base::error::Error;
use shop_platform::audit;
use shop_platform::audit::model::{Actor, Change};

use super::draft_step::{claim, free_try, lock_try, not_being_paid};
use crate::sales::records::draft_orders::model::DraftStatus;
use crate::sales::records::draft_orders::store;

/// Withdraws the draft, which makes its link invalid and frees what an unpaid try to pay it holds.
pub async fn withdraw(cx: &Context, actor: &Actor, number: &str, version: i64) -> Result<(), Error> {
    let clock = cx.clock.as_ref();
    let mut tx = cx.db.begin().await?;
    let mut conn = tx.conn();
    let tried = lock_try(&mut conn, number).await?;
    let draft = claim(&mut conn, number, version).await?;
    not_being_paid(&mut conn, &draft).await?;
    store::set_withdrawn(&mut conn, draft.id, clock.now_ms()).await?;
    free_try(&mut conn, cx, &draft, tried).await?;
    let (before, after) = (json!({ "status": draft.status }), json!({ "status": DraftStatus::Withdrawn }));
    let change = Change::of("draft_order.withdraw", draft.subject(), &before, &after);
    audit::service::record(&mut conn, clock, actor, &change).await?;
    tx.commit().await?;
    Ok(())
}

//! Emails the link of a draft order.

use shop_base::context::Context;
use shop_base::error::Error;
use shop_platform::audit;
use shop_platform::audit::model::Actor;

use super::draft_step::{claim, mail, mailed, own_request};
use super::quote::quote;
use crate::sales::links::DRAFTS;
use crate::sales::records::draft_orders::model::DraftState;
use crate::sales::records::draft_orders::store;

/// How soon a request at a former version is taken for the one that has mailed the link, whose answer was lost, in milliseconds.
const SENT_AGAIN_MS: i64 = 60 * 1000;

/// Sends the link for the first time or again. This does not extend the validity of the prices.
pub async fn send(cx: &Context, actor: &Actor, number: &str, version: i64) -> Result<(), Error> {
    let clock = cx.clock.as_ref();
    let mut tx = cx.db.begin().await?;
    let mut conn = tx.conn();
    let found = store::lock_number(&mut conn, number).await?;
    if found.is_some_and(|draft| draft.was_mailed(version, clock.now_ms() - SENT_AGAIN_MS)) {
        return Ok(());
    }
    let draft = claim(&mut conn, number, version).await?;
    if draft.state(clock.now_ms()) == DraftState::Expired {
        return Err(Error::conflict("expired", "Its prices have expired. Edit it to make the link valid again."));
    }
    let request = own_request(&mut conn, &draft).await?;
    if let Some(problem) = quote(cx, &mut conn, &request).await?.view.problems.first() {
        return Err(Error::conflict("not_payable", &format!("It can’t be paid as is: {}", problem.message)));
    }
    if DRAFTS.path(cx, draft.id, &draft.token_sealed).is_none() {
        store::set_link(&mut conn, draft.id, &DRAFTS.make(cx, draft.id)?).await?;
    }
    mail(&mut conn, cx, &draft).await?;
    audit::service::record(&mut conn, clock, actor, &mailed(&draft)).await?;
    tx.commit().await?;
    Ok(())
}

//! Changes a draft order: its prices are fixed again, and the validity of its link starts over.

use serde_json::{Value, json};
use shop_base::context::Context;
use shop_base::error::Error;
use shop_platform::audit;
use shop_platform::audit::model::{Actor, Change};

use super::draft_step::{
    DraftOutcome, agreed, claim, free_try, good_until, known, lines, lock_try, mail, mailed, not_being_paid, personal,
    price, promisable, request,
};
use crate::sales::links::DRAFTS;
use crate::sales::records::draft_orders::model::{DraftInput, PromisedLine, recorded};
use crate::sales::records::draft_orders::rows::Draft;
use crate::sales::records::draft_orders::service::index;
use crate::sales::records::draft_orders::{promise, store};

/// Prices a changed draft, and stores the change once the caller has seen the total.
pub async fn change(
    cx: &Context,
    actor: &Actor,
    number: &str,
    version: i64,
    wanted: &DraftInput,
) -> Result<DraftOutcome, Error> {
    let Some(terms) = agreed(wanted)? else {
        let draft = store::find_by_number(&mut cx.db.read().await?.conn(), number).await?;
        return price(cx, wanted, draft.map(|draft| draft.checkout_id)).await;
    };
    let clock = cx.clock.as_ref();
    let mut request = request(cx, &terms).await?;
    let mut tx = cx.db.begin().await?;
    let mut conn = tx.conn();
    let tried = lock_try(&mut conn, number).await?;
    let before = claim(&mut conn, number, version).await?;
    not_being_paid(&mut conn, &before).await?;
    request.held_by = Some(before.checkout_id);
    let quoted = promisable(cx, &mut conn, &terms, &request).await?;
    let (lines_before, lines) = (store::list_lines(&mut conn, before.id).await?, lines(&quoted));
    let draft = Draft {
        user_id: known(&mut conn, terms.user_id).await?,
        email: terms.email.clone(),
        phone: terms.phone.clone(),
        address: serde_json::to_string(&terms.address).map_err(Error::internal)?,
        shipping_method: terms.shipping_method.clone(),
        promo_code: quoted.promo.as_ref().map(|promo| promo.code.clone()),
        message: terms.message.clone(),
        total: quoted.price.total,
        expires_at: good_until(cx),
        ..before.clone()
    };
    store::update_draft(&mut conn, &draft, clock.now_ms()).await?;
    store::replace_lines(&mut conn, draft.id, &lines).await?;
    if before.email != draft.email || DRAFTS.path(cx, before.id, &before.token_sealed).is_none() {
        // The previous recipient must no longer be able to use the link, nor the checkout that it opened.
        store::set_link(&mut conn, draft.id, &DRAFTS.make(cx, draft.id)?).await?;
        store::replace_checkout(&mut conn, draft.checkout_id, promise::new_checkout()).await?;
        // For who gets the new link.
        free_try(&mut conn, cx, &draft, tried).await?;
    }
    index(&mut conn, draft.id).await?;
    let snapshot = |draft: &Draft, lines: &[PromisedLine], personal: &[&str]| {
        let mut data = recorded(lines, &draft.shipping_method, draft.promo_code.as_deref(), draft.total);
        data["expires_at"] = json!(draft.expires_at);
        data["changed"] = json!(personal);
        data
    };
    let mut changes = vec![Change::of::<Value>(
        "draft_order.update",
        draft.subject(),
        &snapshot(&before, &lines_before, &[]),
        &snapshot(&draft, &lines, &personal(&before, &draft)),
    )];
    if terms.mail {
        mail(&mut conn, cx, &draft).await?;
        changes.push(mailed(&draft));
    }
    audit::service::record_all(&mut conn, clock, actor, &changes).await?;
    tx.commit().await?;
    Ok(DraftOutcome { quote: quoted.view, number: Some(draft.number) })
}

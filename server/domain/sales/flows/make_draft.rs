//! Makes a draft order.

use shop_base::context::Context;
use shop_base::db::{Conn, DbError};
use shop_base::error::Error;
use shop_platform::audit;
use shop_platform::audit::model::{Actor, Change};
use uuid::Uuid;

use super::draft_step::{
    DraftOutcome, agreed, good_until, known, lines, mail, mailed, personal, price, promisable, request,
};
use crate::sales::links::DRAFTS;
use crate::sales::records::draft_orders::model::{DraftInput, DraftStatus, PromisedLine, recorded};
use crate::sales::records::draft_orders::rows::Draft;
use crate::sales::records::draft_orders::service::index;
use crate::sales::records::draft_orders::{promise, store};
use crate::sales::records::orders::model::new_number;

/// Prices a draft, and stores it once the caller has seen the total. Sending the same id again returns the same draft, and is a conflict if
/// the terms are others.
pub async fn make(cx: &Context, actor: &Actor, id: Uuid, wanted: &DraftInput) -> Result<DraftOutcome, Error> {
    let Some(terms) = agreed(wanted)? else { return price(cx, wanted, None).await };
    let clock = cx.clock.as_ref();
    let link = DRAFTS.make(cx, id)?;
    let request = request(cx, &terms).await?;
    let mut tx = cx.db.begin().await?;
    let mut conn = tx.conn();
    let quoted = promisable(cx, &mut conn, &terms, &request).await?;
    let (lines, user_id, now) = (lines(&quoted), known(&mut conn, terms.user_id).await?, clock.now_ms());
    let draft = Draft {
        id,
        number: format!("D-{}", new_number(&mut rand::rng())),
        status: DraftStatus::Open,
        token_sealed: link.sealed.clone(),
        checkout_id: promise::new_checkout(),
        order_id: None,
        user_id,
        email: terms.email.clone(),
        phone: terms.phone.clone(),
        address: serde_json::to_string(&terms.address).map_err(Error::internal)?,
        shipping_method: terms.shipping_method.clone(),
        promo_code: quoted.promo.as_ref().map(|promo| promo.code.clone()),
        message: terms.message.clone(),
        total: quoted.price.total,
        made_by: actor.user_id,
        version: 0,
        created_at: now,
        updated_at: now,
        expires_at: good_until(cx),
        mailed_at: None,
    };
    if !store::insert_draft(&mut conn, &draft, &link).await? {
        let made = store::find_draft(&mut conn, id).await?.filter(|draft| draft.made_by == actor.user_id);
        let made = made.ok_or_else(|| Error::conflict("not_yours", "Reload the page and try again."))?;
        // The first answer was lost, and the form was changed since.
        if !has_terms(&mut conn, &made, &draft, &lines).await? {
            let message = format!("This form has already created draft order {}. Open it to change it.", made.number);
            return Err(Error::conflict("made_already", &message));
        }
        return Ok(DraftOutcome { quote: quoted.view, number: Some(made.number) });
    }
    store::replace_lines(&mut conn, draft.id, &lines).await?;
    index(&mut conn, draft.id).await?;
    let after = recorded(&lines, &draft.shipping_method, draft.promo_code.as_deref(), draft.total);
    let mut changes = vec![Change::new("draft_order.create", draft.subject(), after)];
    if terms.mail {
        mail(&mut conn, cx, &draft).await?;
        changes.push(mailed(&draft));
    }
    audit::service::record_all(&mut conn, clock, actor, &changes).await?;
    tx.commit().await?;
    Ok(DraftOutcome { quote: quoted.view, number: Some(draft.number) })
}

/// Whether a stored draft has the terms of another.
async fn has_terms(conn: &mut Conn<'_>, made: &Draft, wanted: &Draft, lines: &[PromisedLine]) -> Result<bool, DbError> {
    let terms = |draft: &Draft, lines: &[PromisedLine]| {
        recorded(lines, &draft.shipping_method, draft.promo_code.as_deref(), draft.total)
    };
    let stored = store::list_lines(conn, made.id).await?;
    Ok(personal(made, wanted).is_empty() && terms(made, &stored) == terms(wanted, lines))
}

//! Making draft orders, changing them, sending their links, and what happens to them in a checkout.

use serde::Serialize;
use serde_json::{Value, json};
use shop_base::clock;
use shop_base::clock::{Clock, day_starts};
use shop_base::context::Context;
use shop_base::db::{Conn, DbError};
use shop_base::error::Error;
use shop_base::ids::new_id;
use shop_platform::audit::model::{Actor, Change};
use shop_platform::{audit, jobs};
use utoipa::ToSchema;
use uuid::Uuid;

use super::counter_sale::items;
use super::pay::agree;
use super::quote::{Quote, QuoteRequest, Quoted, quote};
use crate::sales::records::draft_orders::jobs::SendDraftMail;
use crate::sales::records::draft_orders::model::{
    DraftInput, DraftState, DraftStatus, GOOD_FOR_DAYS, PromisedLine, recorded,
};
use crate::sales::records::draft_orders::rows::Draft;
use crate::sales::records::draft_orders::service::index;
use crate::sales::records::draft_orders::{link, promise, store};
use crate::sales::records::orders::model::new_number;
use crate::sales::records::orders::service as orders;
use crate::sales::records::payments::attempts;
use crate::sales::records::payments::provider::ProviderName;

/// What a draft comes to, and its number once it is stored.
#[derive(Debug, Serialize, ToSchema)]
pub struct DraftOutcome {
    pub quote: Quote,
    pub number: Option<String>,
}

/// Says what a draft would come to; makes it when the caller has seen that. The same id sent again is the same draft.
pub async fn make(cx: &Context, actor: &Actor, id: Uuid, wanted: &DraftInput) -> Result<DraftOutcome, Error> {
    let Some(terms) = agreed(wanted)? else { return price(cx, wanted).await };
    let clock = cx.clock.as_ref();
    let link = link::make(cx, id)?;
    let request = request(cx, &terms).await?;
    let mut tx = cx.db.begin().await?;
    let mut conn = tx.conn();
    let quoted = promisable(cx, &mut conn, &terms, &request).await?;
    let (lines, user_id) = (lines(&quoted), known(&mut conn, terms.user_id).await?);
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
        created_at: clock.now_ms(),
        expires_at: good_until(cx),
        mailed_at: None,
    };
    if !store::insert_draft(&mut conn, &draft, &link).await? {
        let made = store::find_draft(&mut conn, id).await?.filter(|draft| draft.made_by == actor.user_id);
        let made = made.ok_or_else(|| Error::conflict("not_yours", "Reload the page and try again."))?;
        return Ok(DraftOutcome { quote: quoted.view, number: Some(made.number) });
    }
    store::replace_lines(&mut conn, draft.id, &lines).await?;
    index(&mut conn, draft.id).await?;
    let after = recorded(&lines, &draft.shipping_method, draft.promo_code.as_deref(), draft.total);
    let mut changes = vec![Change::new("draft_order.create", draft.subject(), after)];
    if terms.mail {
        mail(&mut conn, clock, &draft).await?;
        changes.push(mailed(&draft));
    }
    audit::service::record_all(&mut conn, clock, actor, &changes).await?;
    tx.commit().await?;
    Ok(DraftOutcome { quote: quoted.view, number: Some(draft.number) })
}

/// Likewise, of one that is there. Prices are promised anew, and the link is good for as long again.
pub async fn change(
    cx: &Context,
    actor: &Actor,
    number: &str,
    version: i64,
    wanted: &DraftInput,
) -> Result<DraftOutcome, Error> {
    let Some(terms) = agreed(wanted)? else { return price(cx, wanted).await };
    let clock = cx.clock.as_ref();
    let request = request(cx, &terms).await?;
    let mut tx = cx.db.begin().await?;
    let mut conn = tx.conn();
    let before = claim(&mut conn, number, version).await?;
    not_being_paid(&mut conn, &before).await?;
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
    if before.email != draft.email || link::path(cx, &before).is_none() {
        // Who was written to before has no business with it any more.
        store::set_link(&mut conn, draft.id, &link::make(cx, draft.id)?).await?;
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
        mail(&mut conn, clock, &draft).await?;
        changes.push(mailed(&draft));
    }
    audit::service::record_all(&mut conn, clock, actor, &changes).await?;
    tx.commit().await?;
    Ok(DraftOutcome { quote: quoted.view, number: Some(draft.number) })
}

/// Mails the link, for the first time or again. Its prices hold no longer for that.
pub async fn send(cx: &Context, actor: &Actor, number: &str, version: i64) -> Result<(), Error> {
    let clock = cx.clock.as_ref();
    let mut tx = cx.db.begin().await?;
    let mut conn = tx.conn();
    let draft = claim(&mut conn, number, version).await?;
    if draft.state(clock.now_ms()) == DraftState::Expired {
        return Err(Error::conflict("expired", "Its prices have expired. Edit it to make the link valid again."));
    }
    let request = own_request(&mut conn, &draft).await?;
    if let Some(problem) = quote(cx, &mut conn, &request).await?.view.problems.first() {
        return Err(Error::conflict("not_payable", &format!("It can’t be paid as is: {}", problem.message)));
    }
    if link::path(cx, &draft).is_none() {
        store::set_link(&mut conn, draft.id, &link::make(cx, draft.id)?).await?;
    }
    mail(&mut conn, clock, &draft).await?;
    audit::service::record(&mut conn, clock, actor, &mailed(&draft)).await?;
    tx.commit().await?;
    Ok(())
}

/// Makes the link worthless.
pub async fn withdraw(cx: &Context, actor: &Actor, number: &str, version: i64) -> Result<(), Error> {
    let clock = cx.clock.as_ref();
    let mut tx = cx.db.begin().await?;
    let mut conn = tx.conn();
    let draft = claim(&mut conn, number, version).await?;
    not_being_paid(&mut conn, &draft).await?;
    store::set_withdrawn(&mut conn, draft.id, clock.now_ms()).await?;
    let (before, after) = (json!({ "status": draft.status }), json!({ "status": DraftStatus::Withdrawn }));
    let change = Change::of("draft_order.withdraw", draft.subject(), &before, &after);
    audit::service::record(&mut conn, clock, actor, &change).await?;
    tx.commit().await?;
    Ok(())
}

/// What the quote of a draft's own checkout is asked with.
pub async fn own_request(conn: &mut Conn<'_>, draft: &Draft) -> Result<QuoteRequest, DbError> {
    let promise = promise::find(conn, draft.checkout_id, draft.created_at).await?;
    let address = draft.address()?;
    Ok(QuoteRequest {
        checkout_id: Some(draft.checkout_id),
        items: promise.map(|promise| promise.items()).unwrap_or_default(),
        promo_code: None,
        email: Some(draft.email.clone()),
        state: Some(address.state),
        postal_code: Some(address.postal_code),
        shipping_method: Some(draft.shipping_method.clone()),
    })
}

/// The terms, checked, once the caller has seen what they come to.
fn agreed(wanted: &DraftInput) -> Result<Option<DraftInput>, Error> {
    wanted.expected_total.map(|_| wanted.checked()).transpose()
}

/// What it would come to, with nothing stored.
async fn price(cx: &Context, wanted: &DraftInput) -> Result<DraftOutcome, Error> {
    let request = request(cx, wanted).await?;
    let mut reader = cx.db.read().await?;
    let quoted = quote(cx, &mut reader.conn(), &request).await?;
    Ok(DraftOutcome { quote: quoted.view, number: None })
}

/// Asked outside of a draft's checkout, so that the prices are those of this moment.
async fn request(cx: &Context, terms: &DraftInput) -> Result<QuoteRequest, Error> {
    let filled = |text: &str| Some(text.trim().to_owned()).filter(|text| !text.is_empty());
    Ok(QuoteRequest {
        checkout_id: None,
        items: items(cx, &terms.lines).await?,
        promo_code: terms.promo_code.clone(),
        email: filled(&terms.email),
        state: filled(&terms.address.state),
        postal_code: filled(&terms.address.postal_code),
        shipping_method: filled(&terms.shipping_method),
    })
}

/// A quote that a buyer could accept and pay by card: staff get past no rule of the checkout.
async fn promisable(
    cx: &Context,
    conn: &mut Conn<'_>,
    terms: &DraftInput,
    request: &QuoteRequest,
) -> Result<Quoted, Error> {
    let quoted = quote(cx, conn, request).await?;
    if quoted.option.is_some() && !quoted.view.payment_methods.contains(&ProviderName::Square) {
        return Err(Error::conflict(
            "not_online",
            "These items can’t be paid for online. Create a store order to be paid at pickup.",
        ));
    }
    agree(&quoted, &terms.address, ProviderName::Square, terms.expected_total.unwrap_or_default())?;
    Ok(quoted)
}

fn lines(quoted: &Quoted) -> Vec<PromisedLine> {
    let line = |(variant, quantity): &(crate::catalog::model::Sellable, i64)| PromisedLine {
        variant_id: variant.id,
        quantity: *quantity,
        unit_price: variant.price,
    };
    quoted.goods.iter().map(line).collect()
}

/// Taken up for a change by staff, who saw this version.
async fn claim(conn: &mut Conn<'_>, number: &str, version: i64) -> Result<Draft, Error> {
    let draft = store::lock_number(conn, number).await?.ok_or(Error::NotFound)?;
    if draft.version != version {
        return Err(Error::changed_meanwhile("this order"));
    }
    match draft.status {
        DraftStatus::Open => Ok(draft),
        DraftStatus::Placed => Err(Error::conflict("placed", "It has become an order. Edit the order instead.")),
        DraftStatus::Withdrawn => Err(Error::conflict("withdrawn", "It was withdrawn. Create a new one.")),
    }
}

/// The draft's row is held, so no payment of it begins meanwhile.
async fn not_being_paid(conn: &mut Conn<'_>, draft: &Draft) -> Result<(), Error> {
    let Some(order) = orders::find_by_checkout(conn, draft.checkout_id).await? else { return Ok(()) };
    if attempts::list(conn, order.id).await?.iter().any(|attempt| attempt.status.is_open()) {
        return Err(Error::conflict("being_paid", "It’s being paid right now. Check again in a minute."));
    }
    Ok(())
}

/// The account that a draft is for must be there.
async fn known(conn: &mut Conn<'_>, user: Option<Uuid>) -> Result<Option<Uuid>, Error> {
    let Some(user) = user else { return Ok(None) };
    if crate::identity::accounts::is_there(conn, user).await? {
        return Ok(Some(user));
    }
    Err(Error::invalid("user_id", "This account no longer exists. Choose the customer again."))
}

fn mailed(draft: &Draft) -> Change {
    Change::new("draft_order.mail", draft.subject(), Value::Null)
}

async fn mail(conn: &mut Conn<'_>, clock: &dyn Clock, draft: &Draft) -> Result<(), DbError> {
    store::set_mailed(conn, draft.id, clock.now_ms()).await?;
    jobs::service::add(conn, clock, &SendDraftMail { draft: draft.id, sending: new_id(clock) }).await
}

/// Names of the personal fields that differ.
fn personal(before: &Draft, after: &Draft) -> Vec<&'static str> {
    let fields = [
        ("customer", before.user_id != after.user_id),
        ("email", before.email != after.email),
        ("phone", before.phone != after.phone),
        ("address", before.address != after.address),
        ("message", before.message != after.message),
    ];
    fields.into_iter().filter_map(|(name, differs)| differs.then_some(name)).collect()
}

/// The end of the last day on which the prices hold, UTC milliseconds.
fn good_until(cx: &Context) -> i64 {
    let zone = &cx.config.company.time_zone;
    let today = clock::today(cx.clock.as_ref(), zone);
    let last = today.saturating_add(jiff::Span::new().days(GOOD_FOR_DAYS));
    day_starts((None, Some(last)), zone).1.unwrap_or_else(|| cx.clock.now_ms())
}

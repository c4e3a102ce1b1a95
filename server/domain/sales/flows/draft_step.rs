//! Shared by making, changing and sending a draft order: its terms as a quote, and the email with its link.

use serde::Serialize;
use serde_json::Value;
use shop_base::clock::day_starts;
use shop_base::context::Context;
use shop_base::db::{Conn, DbError};
use shop_base::error::Error;
use shop_base::ids::new_id;
use shop_platform::audit::model::Change;
use shop_platform::jobs;
use utoipa::ToSchema;
use uuid::Uuid;

use super::counter_sale::items;
use super::free::free;
use super::pay::{agree, as_asked, to_staff};
use super::quote::{Quote, QuoteRequest, Quoted, quote};
use crate::sales::records::draft_orders::jobs::SendDraftMail;
use crate::sales::records::draft_orders::model::{DraftInput, DraftStatus, GOOD_FOR_DAYS, PromisedLine};
use crate::sales::records::draft_orders::rows::Draft;
use crate::sales::records::draft_orders::{promise, store};
use crate::sales::records::orders::rows::Order;
use crate::sales::records::orders::service as orders;
use crate::sales::records::payments::attempts;
use crate::sales::records::payments::provider::ProviderName;
use crate::sales::status::OrderStatus;

/// The quote of a draft, and its number once it is stored.
#[derive(Debug, Serialize, ToSchema)]
pub struct DraftOutcome {
    pub quote: Quote,
    pub number: Option<String>,
}

/// The quote request of the draft's own checkout.
pub async fn own_request(conn: &mut Conn<'_>, draft: &Draft) -> Result<QuoteRequest, DbError> {
    let promise = promise::find(conn, draft.checkout_id, draft.created_at).await?;
    let address = draft.address()?;
    Ok(QuoteRequest {
        checkout_id: Some(draft.checkout_id),
        held_by: None,
        items: promise.map(|promise| promise.items()).unwrap_or_default(),
        promo_code: None,
        email: Some(draft.email.clone()),
        state: Some(address.state),
        postal_code: Some(address.postal_code),
        shipping_method: Some(draft.shipping_method.clone()),
        or_first: false,
    })
}

/// The validated terms, or none if the caller has not confirmed a total yet.
pub fn agreed(wanted: &DraftInput) -> Result<Option<DraftInput>, Error> {
    wanted.expected_total.map(|_| wanted.checked()).transpose()
}

/// Prices a draft without storing anything. `own` is the checkout of a draft that is being changed.
pub async fn price(cx: &Context, wanted: &DraftInput, own: Option<Uuid>) -> Result<DraftOutcome, Error> {
    let request = QuoteRequest { held_by: own, ..request(cx, wanted).await? };
    let mut reader = cx.db.read().await?;
    let quoted = quote(cx, &mut reader.conn(), &request).await?;
    Ok(DraftOutcome { quote: quoted.view, number: None })
}

/// A request without the draft's checkout id, so that current prices apply.
pub async fn request(cx: &Context, terms: &DraftInput) -> Result<QuoteRequest, Error> {
    let filled = |text: &str| Some(text.trim().to_owned()).filter(|text| !text.is_empty());
    Ok(QuoteRequest {
        checkout_id: None,
        held_by: None,
        items: items(cx, &terms.lines).await?,
        promo_code: terms.promo_code.clone(),
        email: filled(&terms.email),
        state: filled(&terms.address.state),
        postal_code: filled(&terms.address.postal_code),
        shipping_method: filled(&terms.shipping_method),
        or_first: false,
    })
}

/// A quote that the buyer could accept and pay by card: staff cannot bypass any rule of the checkout.
pub async fn promisable(
    cx: &Context,
    conn: &mut Conn<'_>,
    terms: &DraftInput,
    request: &QuoteRequest,
) -> Result<Quoted, Error> {
    let quoted = quote(cx, conn, request).await?;
    if quoted.option.is_some() && !quoted.view.payment_methods.contains(&ProviderName::Square) {
        return Err(Error::conflict(
            "not_online",
            "These items can’t be paid for online. Create an order with “In store” as its payment method.",
        ));
    }
    as_asked(&quoted)?;
    let expected = terms.expected_total.unwrap_or_default();
    agree(&quoted, &terms.address, ProviderName::Square, expected).map_err(to_staff)?;
    Ok(quoted)
}

pub fn lines(quoted: &Quoted) -> Vec<PromisedLine> {
    let line = |(variant, quantity): &(crate::catalog::model::Sellable, i64)| PromisedLine {
        variant_id: variant.id,
        quantity: *quantity,
        unit_price: variant.price,
    };
    quoted.goods.iter().map(line).collect()
}

/// Locks a draft for a change by staff, at the version that they saw.
pub async fn claim(conn: &mut Conn<'_>, number: &str, version: i64) -> Result<Draft, Error> {
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

/// The order that an unpaid try to pay a draft has left, locked: orders are locked before drafts.
pub async fn lock_try(conn: &mut Conn<'_>, number: &str) -> Result<Option<Order>, DbError> {
    let Some(draft) = store::find_by_number(conn, number).await? else { return Ok(None) };
    match orders::find_by_checkout(conn, draft.checkout_id).await? {
        Some(order) => orders::lock(conn, order.id).await.map(Some),
        None => Ok(None),
    }
}

/// Frees the goods and the code of a try that nobody can pay any more.
pub async fn free_try(conn: &mut Conn<'_>, cx: &Context, draft: &Draft, tried: Option<Order>) -> Result<(), DbError> {
    let is_over = |order: &Order| order.checkout_id == draft.checkout_id && order.status == OrderStatus::Draft;
    match tried.filter(is_over) {
        Some(order) => free(conn, cx, &[order.id]).await,
        None => Ok(()),
    }
}

/// Fails while a payment is open. The caller holds the draft's row, so no new payment can start meanwhile.
pub async fn not_being_paid(conn: &mut Conn<'_>, draft: &Draft) -> Result<(), Error> {
    let Some(order) = orders::find_by_checkout(conn, draft.checkout_id).await? else { return Ok(()) };
    if attempts::list(conn, order.id).await?.iter().any(|attempt| attempt.status.is_open()) {
        return Err(Error::conflict("being_paid", "It’s being paid right now. Check again in a minute."));
    }
    Ok(())
}

/// Checks that the account the draft is for exists.
pub async fn known(conn: &mut Conn<'_>, user: Option<Uuid>) -> Result<Option<Uuid>, Error> {
    let Some(user) = user else { return Ok(None) };
    if crate::identity::accounts::is_there(conn, user).await? {
        return Ok(Some(user));
    }
    Err(Error::invalid("user_id", "This account no longer exists. Choose the customer again."))
}

/// Names of the personal fields that differ.
pub fn personal(before: &Draft, after: &Draft) -> Vec<&'static str> {
    let fields = [
        ("customer", before.user_id != after.user_id),
        ("email", before.email != after.email),
        ("phone", before.phone != after.phone),
        ("address", before.address != after.address),
        ("message", before.message != after.message),
    ];
    fields.into_iter().filter_map(|(name, differs)| differs.then_some(name)).collect()
}

pub fn mailed(draft: &Draft) -> Change {
    Change::new("draft_order.mail", draft.subject(), Value::Null)
}

/// Emails the link. Refused while email is off: nothing is sent later, and the customer would never be asked.
pub async fn mail(conn: &mut Conn<'_>, cx: &Context, draft: &Draft) -> Result<(), Error> {
    if cx.config.mail.is_none() {
        return Err(Error::conflict("mail_off", "Email is off. Copy the link and send it yourself."));
    }
    let clock = cx.clock.as_ref();
    store::set_mailed(conn, draft.id, clock.now_ms()).await?;
    // An earlier email that still waits would say the same to the same address.
    jobs::service::remove(conn, |waiting: &SendDraftMail| waiting.draft == draft.id).await?;
    jobs::service::add(conn, clock, &SendDraftMail { draft: draft.id, sending: new_id(clock) }).await?;
    Ok(())
}

/// The end of the last day on which the prices are valid, UTC milliseconds.
pub fn good_until(cx: &Context) -> i64 {
    let last = cx.today().saturating_add(jiff::Span::new().days(GOOD_FOR_DAYS));
    day_starts((None, Some(last)), cx.zone()).1.unwrap_or_else(|| cx.clock.now_ms())
}

//! `/checkout`.

use std::sync::Arc;

use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use shop_base::address::STATES;
use shop_base::context::Context;
use shop_base::db::{Conn, LazyReader};
use shop_base::error::Error;
use shop_base::fields::FieldErrors;
use shop_base::ids::{new_id, random_id};
use shop_domain::customers::model::AddressView;
use shop_domain::sales::flows::parts::Payments;
use shop_domain::sales::flows::quote;
use shop_domain::sales::flows::quote::{Quote, QuoteRequest};
use shop_domain::sales::records::draft_orders::model::DraftState;
use shop_domain::sales::records::orders;
use shop_platform::settings::texts::Texts;
use shop_platform::web::client_address::ClientAddress;
use shop_platform::web::cookies::SignedCookies;
use shop_platform::web::extract::{Asked, OwnForm};
use shop_platform::web::page::{Meta, Page, PageProps};
use utoipa::ToSchema;
use uuid::Uuid;

use super::cookie;
use super::form::{CheckoutForm, DeliveryWay, Goods, PostedForm};
use super::opened::{DraftCheckout, Entered, Opened, OverLink, Refusal, first_shown, open};
use super::place::{check_shown, offered};
use super::posted::{answer, find_placed, form_of, not_theirs, pay_in_store};
use crate::identity::extract::Visitor;
use crate::storefront::age;
use crate::storefront::cart::edits::carry_out;

/// Props of the checkout: of the cart as the server knows it, or of a draft order opened by its link.
#[derive(Debug, Serialize, ToSchema)]
pub struct CheckoutPage {
    pub draft: Option<DraftCheckout>,
    /// Why the link of a draft order cannot be paid.
    pub over: Option<OverLink>,
    pub states: Vec<StateView>,
    /// Null where cards are not accepted.
    pub square: Option<SquareView>,
    /// The pickup address.
    pub store_address: String,
    /// The address of this page.
    pub url: String,
    /// What is bought and its cost; null when there is nothing to buy.
    pub quote: Option<Quote>,
    pub promo_code: Option<String>,
    /// The account's addresses.
    pub addresses: Vec<AddressView>,
    pub form: CheckoutForm,
    /// The form has what was posted, not what the account or the draft order contains.
    pub is_posted: bool,
    /// Ids of this checkout and of the click on its button, unless the browser has its own.
    pub checkout_id: Uuid,
    pub click_id: Uuid,
    /// Why a posted form did not place an order.
    pub refusal: Option<Refusal>,
    /// An email was sent whose link places the order.
    pub mailed: bool,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct StateView {
    pub code: &'static str,
    pub name: &'static str,
}

/// What Square's script needs to display the card form.
#[derive(Debug, Serialize, ToSchema)]
pub struct SquareView {
    pub script: String,
    pub application_id: String,
    pub location_id: String,
}

impl PageProps for CheckoutPage {
    const NAME: &'static str = "checkout";
}

/// What the handlers of the checkout's form need.
#[derive(Clone)]
pub struct CheckoutParts {
    pub cookies: SignedCookies,
    pub payments: Payments,
    pub texts: Arc<Texts>,
}

/// `GET /checkout`, `GET /checkout?draft={token}`
pub async fn checkout(
    State(CheckoutParts { cookies, texts, .. }): State<CheckoutParts>,
    visitor: Visitor,
    headers: HeaderMap,
    asked: Asked,
) -> Result<Response, Error> {
    let mut reader = cookies.db.read_lazily();
    let opened = open(&cookies, &mut reader, &visitor, &headers, &asked).await?;
    let kept = cookie::read(&cookies, &headers, &opened.owner(visitor.subject()));
    // Behind the age gate the page is not reached yet.
    let spent = (kept.is_some() && age::cookie::is_verified(&cookies, &headers)).then(|| cookie::clear(&cookies));
    let entered = first_shown(&cookies, &mut reader, &visitor, &headers, &opened, kept).await?;
    Ok(with_cookies(page(&cookies, &mut reader, &texts, &visitor, opened, entered).await?, spent))
}

pub(super) fn with_cookies(answer: impl IntoResponse, lines: impl IntoIterator<Item = HeaderValue>) -> Response {
    let mut response = answer.into_response();
    for line in lines {
        response.headers_mut().append(header::SET_COOKIE, line);
    }
    response
}

/// `POST /checkout`: sent by browsers without scripts.
pub async fn order(
    State(parts): State<CheckoutParts>,
    visitor: Visitor,
    address: ClientAddress,
    headers: HeaderMap,
    asked: Asked,
    OwnForm(posted): OwnForm<PostedForm>,
) -> Result<Response, Error> {
    let CheckoutParts { cookies, texts, .. } = &parts;
    let mut opened = open(cookies, &mut cookies.db.read_lazily(), &visitor, &headers, &asked).await?;
    if let Err(error) = check_shown(&visitor, posted.user_id.as_deref()) {
        return not_theirs(&parts, &visitor, &headers, opened, &posted, &error).await;
    }
    let edit = if opened.draft.is_none() { posted.promo_edit() } else { Ok(None) };
    let mut lines = Vec::new();
    if let Ok(Some(edit)) = &edit {
        let edited = carry_out(cookies, &visitor, &headers, edit).await?;
        opened.goods.promo_code = edited.contents.promo_code;
        lines.extend(edited.cookie);
    }
    let form = form_of(cookies, &headers, &opened, &posted);
    if form.hides_place() || !age::cookie::is_verified(cookies, &headers) {
        // The page does not post the address again, or the age gate over it leads to it anew.
        lines.extend(cookie::write(cookies, &form, &opened.owner(visitor.subject()))?);
    }
    let is_new = !posted.places_order() && is_placed(cookies, posted.checkout_id).await?;
    let (checkout_id, click_id) = match is_new {
        // After "Back": what the page shows now is another order, though it may cost the same.
        true => (random_id(), new_id(cookies.clock.as_ref())),
        false => (posted.checkout_id, posted.click_id),
    };
    let mut entered = Entered { form, is_posted: true, checkout_id, is_new, click_id, refusal: None, mailed: false };
    if let Err(problem) = edit {
        // As a message of the whole form: beside the code's own field the page shows what the quote says about the cart's code.
        entered.refusal = Some(Refusal { message: problem.to_string(), errors: FieldErrors::new() });
        let page = page(cookies, &mut cookies.db.read_lazily(), texts, &visitor, opened, entered).await?;
        return Ok(with_cookies(page.with_status(StatusCode::UNPROCESSABLE_ENTITY), lines));
    }
    let placed = find_placed(cookies, &posted, &opened.goods).await?;
    if placed.is_none() && (opened.over.is_some() || opened.goods.items.is_empty() || !posted.places_order()) {
        let page = page(cookies, &mut cookies.db.read_lazily(), texts, &visitor, opened, entered).await?;
        return Ok(with_cookies(page, lines));
    }
    let outcome = match placed {
        Some(placed) => Ok(placed),
        None => pay_in_store(&parts, &visitor, address, &headers, &opened, &posted, &mut entered).await,
    };
    answer(&parts, &visitor, &headers, opened, entered, lines, outcome).await
}

/// Whether this checkout has placed its order.
async fn is_placed(cx: &Context, checkout: Uuid) -> Result<bool, Error> {
    let order = orders::service::find_by_checkout(&mut cx.db.read().await?.conn(), checkout).await?;
    Ok(order.is_some_and(|order| order.placed_at.is_some()))
}

/// The quote of the goods with the chosen shipping option, or with the first available one if that is refused or not offered. While the
/// destination is incomplete none is offered, and none refused.
pub(super) async fn price(
    cx: &Context,
    conn: &mut Conn<'_>,
    visitor: &Visitor,
    goods: &Goods,
    entered: &mut Entered,
) -> Result<Quote, Error> {
    let form = &mut entered.form;
    let checkout = (!entered.is_new).then_some(entered.checkout_id);
    let is_shipped = form.delivery == DeliveryWay::Ship;
    let request = QuoteRequest { or_first: is_shipped, ..form.quote_request(goods, checkout) };
    let mut quoted = quote::quote(cx, conn, &request).await?;
    if let Some(way) = quoted.option.as_ref().filter(|option| is_shipped && !option.pickup) {
        form.method.clone_from(&way.code);
    }
    let mut ways = quoted.view.shipping_options.iter().filter(|option| !option.pickup);
    // Only if none is offered, or the posted one is that of a pickup.
    if is_shipped && !ways.clone().any(|option| option.code == form.method) {
        let first = ways.next().map(|option| option.code.clone());
        let is_refused = quoted.view.problems.iter().any(|problem| problem.code == "shipping_method");
        if first.is_some() || is_refused {
            form.method = first.unwrap_or_default();
            quoted = quote::quote(cx, conn, &form.quote_request(goods, checkout)).await?;
        }
    }
    Ok(offered(cx, visitor, quoted))
}

pub(super) async fn page(
    cx: &Context,
    reader: &mut LazyReader<'_>,
    texts: &Texts,
    visitor: &Visitor,
    opened: Opened,
    mut entered: Entered,
) -> Result<Page, Error> {
    let quote = match opened.goods.items.is_empty() {
        true => None,
        false => Some(price(cx, &mut reader.conn().await?, visitor, &opened.goods, &mut entered).await?),
    };
    let square = cx.config.square.as_ref().map(|square| SquareView {
        script: square.script.to_string(),
        application_id: square.application_id.clone(),
        location_id: square.location_id.clone(),
    });
    let status = opened.over.as_ref().map_or(StatusCode::OK, |over| match over.state {
        None => StatusCode::NOT_FOUND,
        Some(DraftState::Expired | DraftState::Withdrawn) => StatusCode::GONE,
        Some(DraftState::Open | DraftState::Placed) => StatusCode::OK,
    });
    // What a screen reader says first of a page that is loaded.
    let title = match (&entered.refusal, entered.mailed) {
        (Some(_), _) => "Your order isn’t placed yet",
        (None, true) => "Check your email",
        (None, false) => "Checkout",
    };
    let props = CheckoutPage {
        draft: opened.draft,
        over: opened.over,
        states: STATES.iter().map(|state| StateView { code: state.code, name: state.name }).collect(),
        square,
        store_address: texts.company.address.clone(),
        url: opened.url.clone(),
        quote,
        promo_code: opened.goods.promo_code,
        addresses: opened.account.addresses,
        form: entered.form,
        is_posted: entered.is_posted,
        checkout_id: entered.checkout_id,
        click_id: entered.click_id,
        refusal: entered.refusal,
        mailed: entered.mailed,
    };
    let meta = Meta {
        title: title.to_owned(),
        description: "Address, delivery, and payment.".to_owned(),
        canonical: Some("/checkout".to_owned()),
        robots: Some("noindex, follow".to_owned()),
        ..Meta::default()
    };
    Ok(Page::new(opened.url, &props, meta)?.with_status(status).personal())
}

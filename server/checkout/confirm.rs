//! The link in a letter, by which an order that is paid for in the store is placed: a page that shows it, and the button that does it. To
//! look at the page changes nothing, for mail programs follow links by themselves.

use std::sync::Arc;

use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::pay::{Outcome, Prepared, carry_out, place};
use crate::cart::model::Contents;
use crate::context::Context;
use crate::db::Conn;
use crate::error::Error;
use crate::identity::extract::Visitor;
use crate::ids::new_id;
use crate::money::Money;
use crate::orders::model::OrderStatus;
use crate::orders::rows::Order;
use crate::orders::view::{OrderLineView, OrderView, href, view};
use crate::payments::attempts;
use crate::payments::provider::ProviderName;
use crate::payments::service::Payments;
use crate::pickups::rows::Link as PickupLink;
use crate::pickups::service as pickups;
use crate::settings::service::Texts;
use crate::web::cookies::SignedCookies;
use crate::web::csrf;
use crate::web::extract::{Asked, Form};
use crate::web::page::{Link, Meta, Page, PageProps};
use crate::{cart, orders, transaction};

/// Props of the page behind a letter's link.
#[derive(Debug, Serialize, ToSchema)]
pub struct ConfirmPickupPage {
    /// Null when nothing is left to confirm.
    pub pickup: Option<PickupToConfirm>,
    /// What this link has placed already.
    pub order: Option<Link>,
    /// Where to pick it up.
    pub store_address: String,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct PickupToConfirm {
    /// What the button sends.
    pub link: String,
    pub lines: Vec<OrderLineView>,
    /// Minor units, tax included.
    pub total: i64,
}

impl PageProps for ConfirmPickupPage {
    const NAME: &'static str = "checkout/confirm";
}

/// `GET /checkout/confirm?link={token}`
pub async fn page(State(cx): State<Context>, State(texts): State<Arc<Texts>>, asked: Asked) -> Result<Page, Error> {
    let token = asked.parameter("link").unwrap_or_default();
    let mut reader = cx.db.read().await?;
    let mut conn = reader.conn();
    let link = pickups::find_by_token(&mut conn, &token).await?;
    let order = match &link {
        Some(link) => orders::service::find(&mut conn, link.order_id).await?,
        None => None,
    };
    let (mut pickup, mut placed) = (None, None);
    if let (Some(link), Some(order)) = (&link, order) {
        if has_placed(link, &order) {
            placed = Some(Link::new(&order.number, href(&order.token)));
        } else if link.is_good(cx.clock.now_ms()) && order.status == OrderStatus::Draft {
            let OrderView { lines, total, .. } = view(&mut conn, order).await?;
            pickup = Some(PickupToConfirm { link: token, lines, total });
        }
    }
    drop(reader);
    let status = match (&pickup, &placed) {
        (None, None) => StatusCode::GONE,
        _ => StatusCode::OK,
    };
    let meta = Meta {
        title: "Confirm your order".to_owned(),
        description: "One more step to place your order.".to_owned(),
        robots: Some("noindex".to_owned()),
        ..Meta::default()
    };
    let props = ConfirmPickupPage { pickup, order: placed, store_address: texts.company.address.clone() };
    Ok(Page::new(asked.full_path(), &props, meta)?.with_status(status).personal())
}

#[derive(Debug, Deserialize)]
pub struct PostedLink {
    link: String,
}

/// `POST /checkout/confirm`: what browsers without scripts send.
pub async fn order(
    State(cookies): State<SignedCookies>,
    State(payments): State<Payments>,
    visitor: Visitor,
    headers: HeaderMap,
    Form(posted): Form<PostedLink>,
) -> Result<Response, Error> {
    if !csrf::is_own(&cookies.config.http, &headers) {
        return Err(Error::Forbidden { detail: "Send this from the shop’s own pages.".to_owned() });
    }
    let to = match confirm(&payments, &posted.link).await {
        Ok(Outcome::Placed { number, token }) => {
            let to = HeaderValue::try_from(href(&token)).map_err(Error::internal)?;
            let mut response = (StatusCode::SEE_OTHER, [(header::LOCATION, to)]).into_response();
            if visitor.user.is_none() {
                let cart = without_bought(&cookies, &headers, &number).await?;
                response.headers_mut().append(header::SET_COOKIE, cart::cookie::write(&cookies, &cart));
            }
            return Ok(response);
        }
        // Its page tells how the link stands.
        Ok(_) | Err(Error::Conflict { .. }) => format!("/checkout/confirm?link={}", encoded(&posted.link)),
        Err(error) => return Err(error),
    };
    let to = HeaderValue::try_from(to).map_err(Error::internal)?;
    Ok((StatusCode::SEE_OTHER, [(header::LOCATION, to)]).into_response())
}

fn encoded(text: &str) -> String {
    form_urlencoded::byte_serialize(text.as_bytes()).collect()
}

/// The guest's cart without what this order holds.
pub(super) async fn without_bought(
    cookies: &SignedCookies,
    headers: &HeaderMap,
    number: &str,
) -> Result<Contents, Error> {
    let mut cart = cart::cookie::read(cookies, headers).unwrap_or_default();
    let mut reader = cookies.db.read().await?;
    let mut conn = reader.conn();
    if let Some(order) = orders::service::find_by_number(&mut conn, number).await? {
        let lines = orders::service::list_lines(&mut conn, order.id).await?;
        cart.remove_bought(lines.into_iter().filter_map(|line| Some((line.variant_id?, line.quantity))));
        cart.promo_code = None;
    }
    Ok(cart)
}

/// Places the order of a link, once: the same link again has the same outcome.
pub async fn confirm(payments: &Payments, token: &str) -> Result<Outcome, Error> {
    let (prepared, email) = transaction!(payments.db, conn => prepare(conn, payments, token).await)?;
    carry_out(payments, prepared, String::new(), email).await
}

/// The first transaction: the link is used up, and an attempt is stored that makes the order due.
async fn prepare(conn: &mut Conn<'_>, cx: &Context, token: &str) -> Result<(Prepared, String), Error> {
    let clock = cx.clock.as_ref();
    let unlocked = pickups::find_by_token(conn, token).await?.ok_or_else(over)?;
    let order = orders::service::lock(conn, unlocked.order_id).await?;
    // Whoever holds the order's row uses and replaces its links.
    let link = pickups::find_by_token(conn, token).await?.ok_or_else(over)?;
    let email = order.email.clone();
    if has_placed(&link, &order) {
        return Ok((Prepared::Placed(order), email));
    }
    let before = attempts::list(conn, order.id).await?;
    if !link.is_good(clock.now_ms()) || order.status != OrderStatus::Draft {
        return Err(over());
    }
    if let Some(open) = before.iter().find(|attempt| attempt.status.is_open()) {
        return Ok((Prepared::Follow(open.clone()), email));
    }
    pickups::set_used(conn, clock, link.id).await?;
    if order.total == 0 {
        return Ok((Prepared::Placed(place(conn, cx, order.id).await?), email));
    }
    let new = attempts::New {
        order_id: order.id,
        number: i64::try_from(before.len()).unwrap_or(i64::MAX).saturating_add(1),
        click_id: new_id(clock),
        provider: ProviderName::Pickup,
        amount: Money { amount: order.total, currency: order.currency },
        network: link.network,
    };
    Ok((Prepared::Send(attempts::add(conn, cx, new).await?, order.number), email))
}

fn has_placed(link: &PickupLink, order: &Order) -> bool {
    link.has_placed() && order.placed_at.is_some()
}

fn over() -> Error {
    Error::conflict("link_over", "This link is no longer valid. Please order again if you still want the items.")
}

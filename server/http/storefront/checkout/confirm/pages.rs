//! The emailed link that places an order to be paid in the store, or one for nothing: a page that shows the order, and the button that places
//! it. Opening the page changes nothing, since mail programs follow links by themselves.

use std::sync::Arc;

use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use shop_base::error::Error;
use shop_domain::sales::flows::confirm_pickup::{confirm, has_placed};
use shop_domain::sales::flows::parts::Payments;
use shop_domain::sales::flows::pay::Outcome;
use shop_domain::sales::records::orders;
use shop_domain::sales::records::pickups::service as pickups;
use shop_domain::sales::status::OrderStatus;
use shop_domain::sales::view::{OrderLineView, OrderView, view};
use shop_platform::settings::texts::Texts;
use shop_platform::web::cookies::SignedCookies;
use shop_platform::web::extract::{Asked, OwnForm};
use shop_platform::web::page::{Link, Meta, Page, PageProps};
use tracing::warn;
use utoipa::ToSchema;

use crate::identity::extract::Visitor;
use crate::storefront::{cart, checkout};

/// Props of the page that the emailed link opens.
#[derive(Debug, Serialize, ToSchema)]
pub struct ConfirmPickupPage {
    /// Null when there is nothing left to confirm: it may have been confirmed, since used links are deleted after a day.
    pub pickup: Option<PickupToConfirm>,
    /// The order that was placed with this link already.
    pub order: Option<Link>,
    /// The pickup address.
    pub store_address: String,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct PickupToConfirm {
    /// The token that the button sends.
    pub link: String,
    pub lines: Vec<OrderLineView>,
    /// Minor units, tax included.
    pub total: i64,
    /// If not, it costs nothing and is shipped.
    pub picked_up: bool,
    /// Whether its goods are to leave the cart of this browser, since it is a guest's: the visitor is one, or has signed in since.
    pub is_of_cart: bool,
}

impl PageProps for ConfirmPickupPage {
    const NAME: &'static str = "checkout/confirm";
}

/// `GET /checkout/confirm?link={token}`
pub async fn page(
    State(cookies): State<SignedCookies>,
    State(texts): State<Arc<Texts>>,
    visitor: Visitor,
    headers: HeaderMap,
    asked: Asked,
) -> Result<Page, Error> {
    let cx = &cookies;
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
            placed = Some(Link::new(&order.number, order.href(&cx.config)));
        } else if link.is_good(cx.clock.now_ms()) && order.status == OrderStatus::Draft {
            let is_begun_here =
                visitor.user.is_none() || cart::unfinished::read(&cookies, &headers) == Some(order.checkout_id);
            let is_of_cart = order.user_id.is_none() && is_begun_here;
            let OrderView { lines, total, picked_up, .. } = view(&mut conn, cx, order).await?;
            pickup = Some(PickupToConfirm { link: token, lines, total, picked_up, is_of_cart });
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

/// `POST /checkout/confirm`: sent by browsers without scripts.
pub async fn order(
    State(cookies): State<SignedCookies>,
    State(payments): State<Payments>,
    visitor: Visitor,
    headers: HeaderMap,
    OwnForm(posted): OwnForm<PostedLink>,
) -> Result<Response, Error> {
    let to = match confirm(&payments, &posted.link).await {
        Ok(Outcome::Placed { number, href }) => {
            let to = HeaderValue::try_from(href).map_err(Error::internal)?;
            let mut response = (StatusCode::SEE_OTHER, [(header::LOCATION, to)]).into_response();
            response.headers_mut().append(header::SET_COOKIE, checkout::cookie::clear(&cookies));
            if let Some(session) = &visitor.user {
                // The order is placed, whatever becomes of the cart.
                let done = cart::unfinished::remove_bought(&cookies, session.user_id, &headers, &number).await;
                match done {
                    Ok(deleted) => response.headers_mut().extend(deleted.map(|cookie| (header::SET_COOKIE, cookie))),
                    Err(error) => warn!(?error, "the goods of a placed order stay in the cart"),
                }
            } else {
                let cart = cart::unfinished::without_bought(&cookies, &headers, &number).await?;
                response.headers_mut().append(header::SET_COOKIE, cart::cookie::write(&cookies, &cart));
            }
            return Ok(response);
        }
        // The page shows the state of the link.
        Ok(_) | Err(Error::Conflict { .. }) => format!("/checkout/confirm?link={}", encoded(&posted.link)),
        Err(error) => return Err(error),
    };
    let to = HeaderValue::try_from(to).map_err(Error::internal)?;
    Ok((StatusCode::SEE_OTHER, [(header::LOCATION, to)]).into_response())
}

fn encoded(text: &str) -> String {
    form_urlencoded::byte_serialize(text.as_bytes()).collect()
}

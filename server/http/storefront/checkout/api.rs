//! The calls of the checkout page.

use std::collections::HashMap;

use axum::Json as JsonBody;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use shop_base::context::Context;
use shop_base::error::Error;
use shop_domain::cart;
use shop_domain::sales::flows::parts::Payments;
use shop_domain::sales::flows::pay::Outcome;
use shop_domain::sales::flows::payment::Shown;
use shop_domain::sales::flows::quote::{Quote, QuoteRequest};
use shop_domain::sales::flows::{confirm_pickup, pay, quote};
use shop_platform::web::client_address::ClientAddress;
use shop_platform::web::cookies::SignedCookies;
use shop_platform::web::extract::{Asked, Id, Json};
use utoipa::ToSchema;
use uuid::Uuid;

use super::place::{PayRequest, offered, place};
use crate::identity::extract::Visitor;
use crate::storefront::cart::unfinished;

/// `POST /api/checkout/quote`
#[utoipa::path(post, path = "/api/checkout/quote", request_body = QuoteRequest, responses(
    (status = 200, description = "What it costs, what has changed and what stands in the way", body = Quote),
    (status = 422, description = "Too many lines, or a quantity that is none", body = shop_base::error::Problem),
))]
pub async fn quote(
    State(cookies): State<SignedCookies>,
    visitor: Visitor,
    headers: HeaderMap,
    Json(mut request): Json<QuoteRequest>,
) -> Result<JsonBody<Quote>, Error> {
    cart::model::check_items("items", &request.items)?;
    // The page of the cart has no checkout of its own.
    request.checkout_id = request.checkout_id.or_else(|| unfinished::read(&cookies, &headers));
    let mut reader = cookies.db.read().await?;
    let quoted = quote::quote(&cookies, &mut reader.conn(), &request).await?;
    Ok(JsonBody(offered(&cookies, &visitor, quoted)))
}

#[derive(Debug, Serialize, ToSchema)]
pub struct CheckoutStatus {
    /// `placed`; `pending` while the outcome of the payment is unknown; `to_confirm` until the link in an email is followed.
    pub status: String,
    pub number: Option<String>,
    /// The address of the confirmation page.
    pub href: Option<String>,
}

/// `POST /api/checkout/pay`
#[utoipa::path(post, path = "/api/checkout/pay", request_body = PayRequest, responses(
    (status = 200, description = "The order is placed", body = CheckoutStatus),
    (status = 202, description = "The outcome of the payment is pending: ask for the checkout's status. Or an email with a link that places the order is on its way", body = CheckoutStatus),
    (status = 402, description = "The card was refused; another one may do", body = shop_base::error::Problem),
    (status = 403, description = "The age has not been verified, or the sign-in has ended", body = shop_base::error::Problem),
    (status = 409, description = "Prices, stock or rules have changed, the checkout is over, or too much is on order already that was not paid for", body = shop_base::error::Problem),
    (status = 422, description = "Some fields cannot be accepted", body = shop_base::error::Problem),
    (status = 429, description = "Too many refused cards", body = shop_base::error::Problem),
))]
pub async fn pay(
    State(cookies): State<SignedCookies>,
    State(payments): State<Payments>,
    visitor: Visitor,
    address: ClientAddress,
    headers: HeaderMap,
    Json(request): Json<PayRequest>,
) -> Result<Response, Error> {
    let checkout = request.checkout_id;
    let outcome = place(&cookies, &payments, &visitor, address, &headers, request).await;
    let named = match outcome {
        Ok(Outcome::Placed { .. }) => None,
        // Without it the cart says less; the outcome must be told all the same.
        _ => unfinished::write(&cookies, checkout).await.unwrap_or_default(),
    };
    let mut response = outcome.map(answer).into_response();
    if let Some(named) = named {
        response.headers_mut().append(header::SET_COOKIE, named);
    }
    Ok(response)
}

/// `GET /api/checkout/{checkout_id}`
#[utoipa::path(get, path = "/api/checkout/{checkout_id}", params(
    ("checkout_id" = Uuid, Path, description = "The browser's name for the checkout"),
    ("click_id" = Option<Uuid>, Query, description = "The page's click on Pay"),
    ("expected_total" = Option<i64>, Query, description = "The total shown to the shopper, in minor units: with it, the answer is not about the order of another page's cart"),
    ("items" = Option<Vec<String>>, Query, explode = false, description = "The variants that the page has ordered, each with its quantity: `id:2`"),
), responses(
    (status = 200, description = "The order is placed", body = CheckoutStatus),
    (status = 202, description = "The outcome of the payment is pending, or a link has to be followed", body = CheckoutStatus),
    (status = 402, description = "The last card was refused", body = shop_base::error::Problem),
    (status = 404, description = "Nothing was paid in this checkout", body = shop_base::error::Problem),
    (status = 409, description = "The checkout is over without an order, or its order or open payment is of another page's cart", body = shop_base::error::Problem),
    (status = 422, description = "A parameter has no valid value", body = shop_base::error::Problem),
))]
pub async fn status(State(cx): State<Context>, Id(checkout): Id, asked: Asked) -> Result<Response, Error> {
    match pay::status(&cx, checkout, shown(&asked)?.as_ref()).await? {
        Some(outcome) => Ok(answer(outcome)),
        None => Err(Error::NotFound),
    }
}

/// None if the page is of a former release, which does not say it.
fn shown(asked: &Asked) -> Result<Option<Shown>, Error> {
    let parsed = |item: &str| {
        let (id, qty) = item.split_once(':')?;
        Some((id.parse().ok()?, qty.parse().ok()?))
    };
    let goods = match asked.parameter("items") {
        Some(items) => {
            let goods: Option<HashMap<Uuid, i64>> = items.split_terminator(',').map(parsed).collect();
            Some(goods.ok_or_else(|| Error::invalid("items", "This isn’t a valid value."))?)
        }
        None => None,
    };
    let click_id = asked.value("click_id")?;
    Ok(asked.value("expected_total")?.map(|total| Shown { click_id, total, goods }))
}

fn answer(outcome: Outcome) -> Response {
    match outcome {
        Outcome::Placed { number, href } => {
            let (number, href) = (Some(number), Some(href));
            JsonBody(CheckoutStatus { status: "placed".to_owned(), number, href }).into_response()
        }
        Outcome::Pending => later("pending"),
        Outcome::ToConfirm => later("to_confirm"),
    }
}

fn later(status: &str) -> Response {
    let body = CheckoutStatus { status: status.to_owned(), number: None, href: None };
    (StatusCode::ACCEPTED, JsonBody(body)).into_response()
}

#[derive(Debug, Deserialize, ToSchema)]
pub struct ConfirmRequest {
    /// The token in the email's link.
    pub link: String,
}

/// `POST /api/checkout/confirm`
#[utoipa::path(post, path = "/api/checkout/confirm", request_body = ConfirmRequest, responses(
    (status = 200, description = "The order is placed; the same link again gives the same answer", body = CheckoutStatus),
    (status = 202, description = "Another request of the same link is at work", body = CheckoutStatus),
    (status = 409, description = "The link is good no longer", body = shop_base::error::Problem),
))]
pub async fn confirm(State(payments): State<Payments>, Json(request): Json<ConfirmRequest>) -> Result<Response, Error> {
    Ok(answer(confirm_pickup::confirm(&payments, &request.link).await?))
}

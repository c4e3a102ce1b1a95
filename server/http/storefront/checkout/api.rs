//! The calls of the checkout page.

use std::collections::HashMap;

use axum::Json as JsonBody;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use shop_base::address::Address;
use shop_base::context::Context;
use shop_base::error::Error;
use shop_base::fields::{Faults, FieldErrors, visible};
use shop_domain::age::service::find_age_proof;
use shop_domain::cart;
use shop_domain::cart::model::CartItem;
use shop_domain::sales::flows::parts::Payments;
use shop_domain::sales::flows::pay::Outcome;
use shop_domain::sales::flows::payment::{Payer, Payment, Shown};
use shop_domain::sales::flows::quote::{Quote, QuoteRequest, Quoted};
use shop_domain::sales::flows::{confirm_pickup, pay, quote};
use shop_domain::sales::pricing::problem;
use shop_domain::sales::records::payments::provider::ProviderName;
use shop_domain::shipping::model::PICKUP;
use shop_platform::web::client_address::ClientAddress;
use shop_platform::web::cookies::SignedCookies;
use shop_platform::web::extract::{Asked, Id, Json};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::identity::extract::Visitor;
use crate::storefront::age;
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

/// Adjusts the quote to what this visitor may use.
pub(super) fn offered(cx: &Context, visitor: &Visitor, quoted: Quoted) -> Quote {
    let mut view = quoted.view;
    // A guest's order to be paid in the store is confirmed by an email link, which a draft order does not need because staff created it.
    if cx.config.mail.is_none() && visitor.user.is_none() && quoted.promise.is_none() {
        let pays_in_store = view.payment_methods.contains(&ProviderName::Pickup);
        view.payment_methods.retain(|name| *name != ProviderName::Pickup);
        if pays_in_store && view.payment_methods.is_empty() && view.total != Some(0) {
            view.problems.push(problem("payment_method", None, pay::SIGN_IN_FIRST));
        }
    }
    view
}

#[derive(Debug, Deserialize, ToSchema)]
pub struct PayRequest {
    /// The browser's id of this checkout: however often it is sent, it is one order.
    pub checkout_id: Uuid,
    /// The browser's id of this click on Pay: however often it is sent, it is one payment.
    pub click_id: Uuid,
    pub items: Vec<CartItem>,
    #[serde(default)]
    pub promo_code: Option<String>,
    #[serde(default)]
    pub email: String,
    #[serde(default)]
    pub phone: String,
    /// For pickup only the names are required, and stored.
    #[serde(default)]
    pub address: Address,
    #[serde(default)]
    pub shipping_method: String,
    pub payment_method: ProviderName,
    /// The token from the card form.
    #[serde(default)]
    pub source_id: String,
    /// The total shown to the shopper, in minor units.
    pub expected_total: i64,
    /// The subtotal shown with it: a promo code may hide from the total that there are fewer items.
    #[serde(default)]
    pub expected_subtotal: Option<i64>,
    /// The `sub` of the signed-in user for whom the page was shown, so that nobody else places the order; absent for a guest.
    #[serde(default)]
    pub user_id: Option<String>,
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
    (status = 409, description = "Prices, stock or rules have changed, the checkout is over, or too much waits to be picked up already", body = shop_base::error::Problem),
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

/// Places the order as this visitor.
pub(super) async fn place(
    cookies: &SignedCookies,
    payments: &Payments,
    visitor: &Visitor,
    address: ClientAddress,
    headers: &HeaderMap,
    request: PayRequest,
) -> Result<Outcome, Error> {
    check_shown(visitor, request.user_id.as_deref())?;
    let payment = checked(request)?;
    let Some(age_proof) = age_proof(cookies, visitor, headers).await? else {
        return Err(Error::Forbidden { detail: "First confirm that you’re at least 21 years old.".to_owned() });
    };
    let user_id = visitor.user.as_ref().map(|session| session.user_id);
    let payer = Payer { user_id, age_proof, network: address.network().to_string(), staff: None };
    pay::pay(payments, &payer, &payment).await
}

/// Refuses an order whose page was `shown` to an account that is not signed in now.
pub(super) fn check_shown(visitor: &Visitor, shown: Option<&str>) -> Result<(), Error> {
    if shown.is_none() || shown == visitor.subject() {
        return Ok(());
    }
    let detail = "Your sign-in has ended, and no order was placed. Check your order and try again.".to_owned();
    Err(Error::Forbidden { detail })
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

/// The signed-in shopper's stored age proof, or the one of the visitor's age cookie.
async fn age_proof(cookies: &SignedCookies, visitor: &Visitor, headers: &HeaderMap) -> Result<Option<Value>, Error> {
    if let Some(session) = &visitor.user
        && let Some(proof) = find_age_proof(cookies, session.user_id, cookies.clock.now_ms()).await?
    {
        return Ok(Some(
            json!({ "method": "declared", "verified_at": proof.verified_at, "expires_at": proof.expires_at }),
        ));
    }
    Ok(age::cookie::is_verified(cookies, headers).then(|| json!({ "method": "declared", "by": "cookie" })))
}

pub(super) fn checked(request: PayRequest) -> Result<Payment, Error> {
    cart::model::check_items("items", &request.items)?;
    let address = request.address.trimmed();
    let email = visible(&request.email).trim().to_owned();
    let phone = visible(&request.phone).trim().to_owned();
    let picks_up = request.shipping_method == PICKUP;
    let concerns = |field: &str| !picks_up || field.ends_with("_name");
    let problems = address.problems().into_iter().filter(|(field, _)| concerns(field));
    let errors: FieldErrors = problems.map(|(field, messages)| (format!("address.{field}"), messages)).collect();
    // Shipping methods are offered once the destination is known, and then one of them is chosen already.
    let has_destination = !errors.contains_key("address.state") && !errors.contains_key("address.postal_code");
    let mut faults = Faults::from(errors);
    faults.email("email", &email);
    faults.phone("phone", &phone);
    if request.shipping_method.is_empty() && has_destination {
        faults.say("shipping_method", "Choose how to get your order.");
    }
    if request.payment_method == ProviderName::Square && request.source_id.is_empty() && request.expected_total > 0 {
        faults.say("source_id", "Enter a card.");
    }
    faults.finish()?;
    // A pickup order needs no street address, and none was checked.
    let address = if picks_up {
        Address { first_name: address.first_name, last_name: address.last_name, ..Address::default() }
    } else {
        address
    };
    Ok(Payment {
        checkout_id: request.checkout_id,
        click_id: request.click_id,
        items: request.items.into_iter().filter(|item| !item.saved).collect(),
        promo_code: request.promo_code,
        email,
        phone,
        address,
        shipping_method: request.shipping_method,
        provider: request.payment_method,
        source: request.source_id,
        expected_total: request.expected_total,
        expected_subtotal: request.expected_subtotal,
    })
}

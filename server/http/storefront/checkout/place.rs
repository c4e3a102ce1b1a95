//! What the checkout's page and its calls have in common: the quote as this visitor may use it, and the click that places the order.

use axum::http::HeaderMap;
use serde::Deserialize;
use serde_json::{Value, json};
use shop_base::address::Address;
use shop_base::context::Context;
use shop_base::error::Error;
use shop_base::fields::{Faults, FieldErrors, tidy_phone, visible};
use shop_domain::age::service::find_age_proof;
use shop_domain::cart;
use shop_domain::cart::model::CartItem;
use shop_domain::sales::flows::parts::Payments;
use shop_domain::sales::flows::pay;
use shop_domain::sales::flows::pay::Outcome;
use shop_domain::sales::flows::payment::{Payer, Payment};
use shop_domain::sales::flows::quote::{Quote, Quoted};
use shop_domain::sales::pricing::problem;
use shop_domain::sales::records::payments::provider::ProviderName;
use shop_domain::shipping::model::PICKUP;
use shop_platform::web::client_address::ClientAddress;
use shop_platform::web::cookies::SignedCookies;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::identity::extract::Visitor;
use crate::storefront::age;

/// Adjusts the quote to what this visitor may use.
pub(super) fn offered(cx: &Context, visitor: &Visitor, quoted: Quoted) -> Quote {
    let mut view = quoted.view;
    // A guest's order to be paid in the store, or that costs nothing, is confirmed by an email link, which a draft order does not need because
    // staff created it.
    if cx.config.mail.is_none() && visitor.user.is_none() && quoted.promise.is_none() {
        let pays_in_store = view.payment_methods.contains(&ProviderName::Pickup);
        view.payment_methods.retain(|name| *name != ProviderName::Pickup);
        // Where everything is sold out, there is nothing to pay either.
        let costs_nothing = view.total == Some(0) && view.units > 0;
        if costs_nothing || (pays_in_store && view.payment_methods.is_empty() && view.total != Some(0)) {
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
    /// The number of pieces shown with it: of those that cost nothing, neither amount tells how many there are.
    #[serde(default)]
    pub expected_units: Option<i64>,
    /// The `sub` of the signed-in user for whom the page was shown, so that nobody else places the order; absent for a guest.
    #[serde(default)]
    pub user_id: Option<String>,
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

/// The signed-in shopper's stored age proof, or the one of the visitor's age cookie.
async fn age_proof(cookies: &SignedCookies, visitor: &Visitor, headers: &HeaderMap) -> Result<Option<Value>, Error> {
    if let Some(session) = &visitor.user
        && let Some(proof) =
            find_age_proof(&mut cookies.db.read().await?.conn(), session.user_id, cookies.clock.now_ms()).await?
    {
        return Ok(Some(
            json!({ "method": "declared", "verified_at": proof.verified_at, "expires_at": proof.expires_at }),
        ));
    }
    let verified_at = age::cookie::verified_at(cookies, headers);
    Ok(verified_at.map(|at| json!({ "method": "declared", "by": "cookie", "verified_at": at })))
}

pub(super) fn checked(request: PayRequest) -> Result<Payment, Error> {
    cart::model::check_items("items", &request.items)?;
    let address = request.address.trimmed();
    let email = visible(&request.email).trim().to_owned();
    let phone = tidy_phone(&request.phone);
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
        expected_units: request.expected_units,
    })
}

//! What becomes of the checkout's form when browsers without scripts post it.

use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use shop_base::context::Context;
use shop_base::error::Error;
use shop_base::fields::FieldErrors;
use shop_base::ids::{new_id, random_id};
use shop_base::money::Money;
use shop_domain::sales::flows::pay;
use shop_domain::sales::flows::pay::Outcome;
use shop_domain::sales::flows::payment::Shown;
use shop_domain::sales::records::payments::provider::ProviderName;
use shop_platform::web::client_address::ClientAddress;
use shop_platform::web::cookies::SignedCookies;

use super::cookie;
use super::form::{CheckoutForm, DeliveryWay, Goods, PostedForm, pay_request};
use super::opened::{Entered, Opened, Refusal, first_shown};
use super::pages::{CheckoutParts, page, price, with_cookies};
use super::place::{checked, place};
use crate::identity::address::sign_in_after_form;
use crate::identity::extract::Visitor;
use crate::storefront::cart;

/// What was entered in the form. An address that its page had no fields for is in the cookie.
pub(super) fn form_of(
    cookies: &SignedCookies,
    headers: &HeaderMap,
    opened: &Opened,
    posted: &PostedForm,
) -> CheckoutForm {
    let kept = cookie::read(cookies, headers, &opened.owner(posted.user_id.as_deref()));
    posted.entered(&opened.account.addresses, kept)
}

/// The answer to a form that was shown to an account which is not signed in now. Another account sees nothing of what was typed.
pub(super) async fn not_theirs(
    CheckoutParts { cookies, texts, .. }: &CheckoutParts,
    visitor: &Visitor,
    headers: &HeaderMap,
    opened: Opened,
    posted: &PostedForm,
    error: &Error,
) -> Result<Response, Error> {
    if visitor.user.is_none() {
        // Signing in leads to the page anew.
        let form = form_of(cookies, headers, &opened, posted);
        let typed = cookie::write(cookies, &form, &opened.owner(posted.user_id.as_deref()))?;
        return Ok(with_cookies(sign_in_after_form(cookies, &opened.url), typed));
    }
    let mut reader = cookies.db.read_lazily();
    let mut entered = first_shown(cookies, &mut reader, visitor, headers, &opened, None).await?;
    let problem = error.problem();
    entered.refusal = Some(Refusal { message: problem.detail, errors: problem.errors });
    let page = page(cookies, &mut reader, texts, visitor, opened, entered).await?;
    Ok(page.with_status(error.status()).into_response())
}

/// The order that was placed by this checkout, unless it is of another tab's cart: the form may be posted again, for example by a double
/// click, when the cart is already empty.
pub(super) async fn find_placed(cx: &Context, posted: &PostedForm, goods: &Goods) -> Result<Option<Outcome>, Error> {
    let Some(total) = posted.expected_total().filter(|_| posted.places_order()) else { return Ok(None) };
    let goods = (!goods.items.is_empty()).then(|| goods.items.iter().map(|item| (item.id, item.qty)).collect());
    let shown = Shown { click_id: Some(posted.click_id), total, goods };
    match pay::status(cx, posted.checkout_id, Some(&shown)).await {
        Ok(Some(placed @ Outcome::Placed { .. })) => Ok(Some(placed)),
        // Placing the order tells what else became of the checkout.
        Ok(_) | Err(Error::Conflict { .. } | Error::Declined { .. }) => Ok(None),
        Err(error) => Err(error),
    }
}

/// Places an order that is paid for in the store or costs nothing. Cards cannot be paid with here, since the card form requires scripts.
pub(super) async fn pay_in_store(
    CheckoutParts { cookies, payments, .. }: &CheckoutParts,
    visitor: &Visitor,
    address: ClientAddress,
    headers: &HeaderMap,
    opened: &Opened,
    posted: &PostedForm,
    entered: &mut Entered,
) -> Result<Outcome, Error> {
    let quoted = price(cookies, &mut cookies.db.read().await?.conn(), visitor, &opened.goods, entered).await?;
    // The fields are checked with all others, and a refused code takes nothing off the total that was shown.
    let prevents = |code: &str| !code.starts_with("address.") && (code != "promo_code" || opened.goods.is_draft);
    if let Some(problem) = quoted.problems.iter().find(|problem| prevents(&problem.code)) {
        return Err(Error::conflict("cart_changed", &problem.message));
    }
    let methods = &quoted.payment_methods;
    let chosen = entered.form.payment.filter(|name| methods.contains(name)).or_else(|| methods.first().copied());
    let payment = chosen.unwrap_or(ProviderName::Pickup);
    let mut request = pay_request(posted, &entered.form, &opened.goods, payment);
    if quoted.promo.is_none() {
        request.promo_code = None;
    }
    if payment == ProviderName::Square && quoted.total.is_some_and(|total| total > 0) {
        return Err(Error::conflict(
            "needs_scripts",
            "Nothing was charged: the card form wasn’t ready. Enter your card and try again. The form needs JavaScript. Where pickup is offered, you can pay in our store instead.",
        ));
    }
    // An address that was kept is shown before anything is sent to it.
    let is_unseen = entered.form.delivery == DeliveryWay::Ship && posted.lacks_place();
    if let Some(total) = quoted.total.filter(|total| is_unseen || posted.expected_total() != Some(*total)) {
        // Missing fields are reported in the same response.
        checked(request)?;
        let total = Money::usd(total).dollars();
        return Err(Error::conflict("total_shown", &format!("The total is {total}. Check it, then place your order.")));
    }
    place(cookies, payments, visitor, address, headers, request).await
}

/// The answer to a form that was to place the order: the way to the placed order, or the page with what became of it. `lines` are cookies to
/// set with the page.
pub(super) async fn answer(
    CheckoutParts { cookies, texts, .. }: &CheckoutParts,
    visitor: &Visitor,
    headers: &HeaderMap,
    opened: Opened,
    mut entered: Entered,
    mut lines: Vec<HeaderValue>,
    outcome: Result<Outcome, Error>,
) -> Result<Response, Error> {
    match outcome {
        Ok(Outcome::Placed { number, href }) => {
            let to = HeaderValue::try_from(href).map_err(Error::internal)?;
            let mut response = (StatusCode::SEE_OTHER, [(header::LOCATION, to)]).into_response();
            response.headers_mut().append(header::SET_COOKIE, cookie::clear(cookies));
            if visitor.user.is_none() && !opened.by_link {
                let cart = cart::unfinished::without_bought(cookies, headers, &number).await?;
                response.headers_mut().append(header::SET_COOKIE, cart::cookie::write(cookies, &cart));
            }
            Ok(response)
        }
        Ok(Outcome::ToConfirm) => {
            entered.mailed = true;
            // The link of the note leads to the page anew.
            lines.extend(cookie::write(cookies, &entered.form, &opened.owner(visitor.subject()))?);
            lines.extend(cart::unfinished::write(cookies, entered.checkout_id).await.unwrap_or_default());
            let page = page(cookies, &mut cookies.db.read_lazily(), texts, visitor, opened, entered).await?;
            Ok(with_cookies(page, lines))
        }
        Ok(Outcome::Pending) => {
            let message = "Your order is being placed. Press the button again in a moment. You’ll only order once.";
            entered.refusal = Some(Refusal { message: message.to_owned(), errors: FieldErrors::new() });
            let page = page(cookies, &mut cookies.db.read_lazily(), texts, visitor, opened, entered).await?;
            Ok(with_cookies(page, lines))
        }
        Err(error) => {
            let problem = error.problem();
            // 403 is for want of an age proof, which the gate asks for.
            if !matches!(problem.status, 402 | 403 | 409 | 422 | 429) {
                return Err(error);
            }
            // Another try is a new payment, and after some refusals a new order.
            entered.click_id = new_id(cookies.clock.as_ref());
            if ["checkout_over", "stock_lost", "too_many_attempts"].contains(&problem.code.as_str())
                && !opened.goods.is_draft
            {
                (entered.checkout_id, entered.is_new) = (random_id(), true);
            }
            entered.refusal = Some(Refusal { message: problem.detail, errors: problem.errors });
            let page = page(cookies, &mut cookies.db.read_lazily(), texts, visitor, opened, entered).await?;
            Ok(with_cookies(page.with_status(error.status()), lines))
        }
    }
}

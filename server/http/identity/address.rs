//! Where signing in begins.

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use shop_base::context::Context;
use shop_platform::web::own_path::own_path;

use super::cookie;
use super::cookie::Name;
use super::notice::Notice;

/// Leads back to `return_to`, an address in this shop.
pub fn sign_in_address(return_to: &str) -> String {
    address(return_to, "")
}

/// The same, asking the user to authenticate again.
pub fn confirm_address(return_to: &str) -> String {
    address(return_to, "confirm=1&")
}

fn address(return_to: &str, more: &str) -> String {
    let query = form_urlencoded::Serializer::new(String::new()).append_pair("return_to", own_path(return_to)).finish();
    format!("/auth/login?{more}{query}")
}

/// Stored nowhere: going back, a browser takes a stored redirect without asking, also after the sign-in to which it has led, and goes in
/// circles if the provider shows no prompt.
pub fn see_other(location: &str) -> Response {
    let location = HeaderValue::try_from(location).unwrap_or(HeaderValue::from_static("/"));
    let no_store = HeaderValue::from_static("no-store");
    (StatusCode::SEE_OTHER, [(header::LOCATION, location), (header::CACHE_CONTROL, no_store)]).into_response()
}

/// The answer to a form of a browser that is not signed in any more: from signing in it returns with a GET, and the page says that nothing
/// was saved.
pub fn sign_in_after_form(cx: &Context, return_to: &str) -> Response {
    let mut response = see_other(&sign_in_address(return_to));
    response.headers_mut().append(header::SET_COOKIE, cookie::set(cx, Name::Notice, Notice::Unsaved.code()));
    response
}

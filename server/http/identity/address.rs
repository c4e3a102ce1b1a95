//! Where signing in begins.

use axum::http::header;
use axum::response::Response;
use shop_base::context::Context;
use shop_platform::web::own_path::own_path;

use super::cookie;
use super::cookie::Name;
use super::notice::Notice;
use super::page_to::page_to;

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

/// The answer to a form of a browser that is not signed in any more: from signing in it returns with a GET, and the page says that nothing
/// was saved.
pub fn sign_in_after_form(cx: &Context, return_to: &str) -> Response {
    let mut response = page_to(&sign_in_address(return_to), "Signing in", "Sign in to go on");
    response.headers_mut().append(header::SET_COOKIE, cookie::set(cx, Name::Notice, Notice::Unsaved.code()));
    response
}

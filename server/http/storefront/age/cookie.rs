//! The signed, HttpOnly cookie of a verified visitor.

use axum::http::{HeaderMap, HeaderValue};
use shop_base::clock::CLOCK_SKEW;
use shop_domain::age::model::VALID_SECONDS;
use shop_platform::web::cookies::SignedCookies;

const NAME: &str = "age";

/// Whether the request has a valid, unexpired verification cookie.
pub fn is_verified(cookies: &SignedCookies, headers: &HeaderMap) -> bool {
    let verified_until = cookies.read(NAME, headers).and_then(|value| value.parse::<i64>().ok());
    let now = cookies.clock.now_ms();
    // No cookie of ours expires later than this, also if a node whose clock is ahead has just issued it.
    verified_until.is_some_and(|until| now < until && until <= now + VALID_SECONDS * 1000 + CLOCK_SKEW)
}

/// The `Set-Cookie` of a visitor who has just been verified.
pub fn issue(cookies: &SignedCookies) -> HeaderValue {
    let until = cookies.clock.now_ms() + VALID_SECONDS * 1000;
    cookies.write_hidden(NAME, until.to_string(), VALID_SECONDS)
}

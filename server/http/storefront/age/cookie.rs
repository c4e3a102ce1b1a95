//! The signed, HttpOnly cookie of a verified visitor.

use axum::http::{HeaderMap, HeaderValue};
use shop_base::clock::CLOCK_SKEW;
use shop_domain::age::model::VALID_SECONDS;
use shop_platform::web::cookies::SignedCookies;

const NAME: &str = "age";
const VALID_MS: i64 = VALID_SECONDS * 1000;

/// Whether the request has a valid, unexpired verification cookie.
pub fn is_verified(cookies: &SignedCookies, headers: &HeaderMap) -> bool {
    verified_at(cookies, headers).is_some()
}

/// When the visitor of a valid, unexpired verification cookie was verified, UTC milliseconds.
pub fn verified_at(cookies: &SignedCookies, headers: &HeaderMap) -> Option<i64> {
    let verified_until = cookies.read(NAME, headers)?.parse::<i64>().ok()?;
    let now = cookies.clock.now_ms();
    // No cookie of ours expires later than this, also if a node whose clock is ahead has just issued it.
    let is_valid = now < verified_until && verified_until <= now + VALID_MS + CLOCK_SKEW;
    is_valid.then_some(verified_until - VALID_MS)
}

/// The `Set-Cookie` of a visitor who has just been verified.
pub fn issue(cookies: &SignedCookies) -> HeaderValue {
    let until = cookies.clock.now_ms() + VALID_MS;
    cookies.write_hidden(NAME, until.to_string(), VALID_SECONDS)
}

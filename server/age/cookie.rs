//! The signed, HttpOnly cookie of a verified visitor.

use axum::http::{HeaderMap, HeaderValue, header};
use cookie::{Cookie, CookieJar, Key, SameSite};

use super::model::VALID_SECONDS;
use crate::context::Context;
use crate::web::cookies::SignedCookies;

fn name(cx: &Context) -> &'static str {
    // The prefix makes browsers refuse the cookie from sub-domains; they take it over https only.
    if cx.config.http.is_https() { "__Host-age" } else { "age" }
}

/// Whether the request carries an unexpired verification of ours.
pub fn is_verified(cookies: &SignedCookies, headers: &HeaderMap) -> bool {
    let mut jar = CookieJar::new();
    for line in headers.get_all(header::COOKIE) {
        let Ok(line) = line.to_str() else { continue };
        Cookie::split_parse(line.to_owned()).flatten().for_each(|cookie| jar.add_original(cookie));
    }
    let verified_until =
        jar.signed(&cookies.key).get(name(cookies)).and_then(|cookie| cookie.value().parse::<i64>().ok());
    let now = cookies.clock.now_ms();
    // Nothing that we sign lies further ahead.
    verified_until.is_some_and(|until| now < until && until <= now + VALID_SECONDS * 1000)
}

/// The `Set-Cookie` of a visitor who has just been verified.
pub fn issue(cookies: &SignedCookies) -> HeaderValue {
    let until = cookies.clock.now_ms() + VALID_SECONDS * 1000;
    let cookie = Cookie::build((name(cookies), until.to_string()))
        .path("/")
        .http_only(true)
        .secure(cookies.config.http.is_https())
        .same_site(SameSite::Lax)
        .max_age(cookie::time::Duration::seconds(VALID_SECONDS))
        .build();
    let mut jar = CookieJar::new();
    jar.signed_mut(&cookies.key).add(cookie);
    let line = jar.delta().next().map(ToString::to_string).unwrap_or_default();
    HeaderValue::try_from(line).unwrap_or(HeaderValue::from_static(""))
}

/// The key that signs, derived from the configured secret.
pub fn key(secret: &str) -> Key {
    Key::derive_from(secret.as_bytes())
}

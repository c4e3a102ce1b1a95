//! Cookies: what browsers and strangers send, and what the shop itself has signed.

use axum::body::Body;
use axum::extract::FromRef;
use axum::http::{HeaderMap, HeaderValue, Request, header};
use libfuzzer_sys::Corpus;
use shop_http::storefront::cart::cookie;
use shop_platform::web::cookies::SignedCookies;

use crate::shop::shop;

/// `s{value}` is a cart that the shop signed, all else a whole header.
pub fn run(data: &[u8]) -> Corpus {
    let shop = shop();
    let line = match data.split_first() {
        Some((b's', value)) => {
            let Ok(value) = std::str::from_utf8(value) else { return Corpus::Reject };
            let cookies = SignedCookies::from_ref(&shop.app);
            let mut headers = sent_back(&cookies.write("cart", value.to_owned(), 60));
            if let Some(contents) = cookie::read(&cookies, &headers) {
                headers = sent_back(&cookie::write(&cookies, &contents));
                assert_eq!(cookie::read(&cookies, &headers), Some(contents));
            }
            let Some(line) = headers.remove(header::COOKIE) else { return Corpus::Reject };
            line
        }
        _ => match HeaderValue::from_bytes(data) {
            Ok(line) => line,
            Err(_) => return Corpus::Reject,
        },
    };
    let ask = |path: &str| shop.send(Request::get(path).header(header::COOKIE, &line).body(Body::empty()).unwrap());
    ask("/cart");
    ask("/account");
    ask("/api/cart");
    Corpus::Keep
}

/// The cookie that a browser sends for this `Set-Cookie`.
fn sent_back(set: &HeaderValue) -> HeaderMap {
    let pair = set.as_bytes().split(|&byte| byte == b';').next().unwrap_or_default();
    HeaderValue::from_bytes(pair).map(|pair| HeaderMap::from_iter([(header::COOKIE, pair)])).unwrap_or_default()
}

//! Whether a request comes from the shop's own pages. Browsers also attach cookies to requests that other sites trigger.

use axum::http::{HeaderMap, HeaderName, header};
use shop_base::config::Http;

const FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// Fetch metadata decides if present, else the origin. A browser sends at least one of the two with a write.
pub fn is_own(http: &Http, headers: &HeaderMap) -> bool {
    let from_shop = headers.get(header::ORIGIN).is_some_and(|origin| *origin == *http.shop_origin());
    match headers.get(FETCH_SITE).map(|site| site.as_bytes()) {
        Some(b"same-origin") => true,
        // The shop's pages call an API on a sibling host.
        Some(b"same-site") => http.api_base.is_some() && from_shop,
        Some(_) => false,
        None => from_shop,
    }
}

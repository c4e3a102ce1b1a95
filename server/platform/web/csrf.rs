//! Whether a request comes from the shop's own pages. Browsers also attach cookies to requests that other sites trigger.

use axum::http::{HeaderMap, HeaderName, header};
use shop_base::config::Http;
use shop_base::error::Error;

const FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// Fetch metadata decides if present, else the origin. A browser that runs scripts sends at least one of the two with a write; text browsers
/// send only the address of the page.
pub fn is_own(http: &Http, headers: &HeaderMap) -> bool {
    let shop = http.shop_origin();
    let origin = headers.get(header::ORIGIN);
    let from_shop = origin.is_some_and(|origin| *origin == *shop);
    match headers.get(FETCH_SITE).map(|site| site.as_bytes()) {
        Some(b"same-origin") => true,
        // The shop's pages call an API on a sibling host.
        Some(b"same-site") => http.api_base.is_some() && from_shop,
        Some(_) => false,
        None => from_shop || origin.is_none() && is_on_page_of(&shop, headers),
    }
}

/// Refuses a request that does not come from the shop's own pages.
pub fn check(http: &Http, headers: &HeaderMap) -> Result<(), Error> {
    if is_own(http, headers) {
        return Ok(());
    }
    Err(Error::Forbidden { detail: "Send this from the shop’s own pages.".to_owned() })
}

/// Refuses a GET that another site has caused, as far as the browser says so: an address that was typed comes from none, programs say nothing.
pub fn check_get(http: &Http, headers: &HeaderMap) -> Result<(), Error> {
    if is_own(http, headers) || headers.get(FETCH_SITE).is_none_or(|site| site == "none") {
        return Ok(());
    }
    Err(Error::Forbidden { detail: "Open this from the shop’s own pages.".to_owned() })
}

fn is_on_page_of(shop: &str, headers: &HeaderMap) -> bool {
    let page = headers.get(header::REFERER).and_then(|address| address.to_str().ok());
    page.and_then(|address| address.strip_prefix(shop)).is_some_and(|path| path.starts_with('/'))
}

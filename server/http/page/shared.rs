//! Pages in shared caches (a content delivery network): which of them may be kept there, for whom and for how long.
//!
//! A cache cannot verify cookies. It states in each request for which class of visitors it would keep the response, and the shop agrees
//! only if the signed cookies say the same. So nobody can make a cache keep a page for visitors of the other class.

use axum::http::{HeaderMap, HeaderName, HeaderValue, header};
use axum::response::Response;
use shop_base::clock;
use shop_base::config::Cdn;
use shop_base::context::Context;
use shop_domain::catalog::tags;
use shop_platform::web::page::Topic;

use super::visit::Visit;
use crate::identity::cookie;
use crate::identity::cookie::Name;

/// By which the cache states the class of visitors: `verified` or `unverified`, by the age gate.
const VISITOR: HeaderName = HeaderName::from_static("shop-visitor");
/// For caches that obey RFC 9213. To some, `s-maxage` forbids any use of a stale page.
const CDN_CACHE_CONTROL: HeaderName = HeaderName::from_static("cdn-cache-control");

/// Lets shared caches keep a page of status 200 that is the same for all visitors of a class, if they stated this visitor's class.
pub fn share(cx: &Context, request: &HeaderMap, visit: &Visit, about: &[Topic], response: &mut Response) {
    let Some(cdn) = &cx.config.cdn else { return };
    let Some(class) = class_of(cx, request, visit) else { return };
    // One statement, so that a visitor's own cannot stand beside that of the cache.
    if !request.get_all(VISITOR).iter().eq([class]) || response.headers().contains_key(header::SET_COOKIE) {
        return;
    }
    keep(cx, cdn, about, response);
    response.headers_mut().insert(header::VARY, HeaderValue::from_static("accept-encoding, shop-visitor"));
}

/// Lets shared caches keep a redirect that depends on the catalog and is the same for all visitors.
pub fn share_redirect(cx: &Context, about: Option<Topic>, response: &mut Response) {
    if let Some(cdn) = &cx.config.cdn {
        keep(cx, cdn, about.as_slice(), response);
    }
}

/// States for how long, and names the pages by which shared caches will be told to drop this response.
fn keep(cx: &Context, cdn: &Cdn, about: &[Topic], response: &mut Response) {
    let (fresh, stale) = lifetimes(cdn, seconds_of_today_left(cx));
    let headers = response.headers_mut();
    // Browsers ask each time, except when they go back, and `must-revalidate` keeps them from using a stale page meanwhile.
    let all = format!("public, max-age=0, must-revalidate, s-maxage={fresh}, stale-while-revalidate={stale}");
    let shared = format!("public, max-age={fresh}, stale-while-revalidate={stale}");
    for (name, value) in [(header::CACHE_CONTROL, all), (CDN_CACHE_CONTROL, shared)] {
        if let Ok(value) = HeaderValue::try_from(value) {
            headers.insert(name, value);
        }
    }
    add_tags(about, response);
}

/// Has shared caches drop, together with all pages, a response that they may keep and that shows the shop's texts.
pub fn drop_with_pages(cx: &Context, response: &mut Response) {
    if cx.config.cdn.is_some() {
        add_tags(&[], response);
    }
}

fn add_tags(about: &[Topic], response: &mut Response) {
    let tags = tags::of_page(about);
    for (name, separator) in [("surrogate-key", " "), ("cache-tag", ",")] {
        if let Ok(value) = HeaderValue::try_from(tags.join(separator)) {
            response.headers_mut().insert(HeaderName::from_static(name), value);
        }
    }
}

/// The class of an anonymous visitor. Whoever sends a session's cookie is none, even if the session is over: its cookie is then deleted.
fn class_of(cx: &Context, request: &HeaderMap, visit: &Visit) -> Option<&'static str> {
    let is_anonymous = visit.is_anonymous() && cookie::read(cx, request, Name::Session).is_none();
    is_anonymous.then_some(if visit.age_verified { "verified" } else { "unverified" })
}

/// For how many seconds a page is fresh, and then stale. Together they end with the day, on which rules and ages depend.
fn lifetimes(cdn: &Cdn, left: u64) -> (u64, u64) {
    let fresh = cdn.max_age.as_secs().min(left);
    (fresh, cdn.stale.as_secs().min(left - fresh))
}

fn seconds_of_today_left(cx: &Context) -> u64 {
    let (_, end) = clock::day_starts((None, Some(cx.today())), cx.zone());
    end.and_then(|end| u64::try_from((end - cx.clock.now_ms()) / 1000).ok()).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use shop_base::config::Cdn;

    use super::lifetimes;

    #[test]
    fn no_page_outlives_its_day() {
        let cdn = Cdn { max_age: Duration::from_secs(60), stale: Duration::from_secs(30), purging: None };
        assert_eq!(lifetimes(&cdn, 86_400), (60, 30));
        assert_eq!(lifetimes(&cdn, 75), (60, 15));
        assert_eq!(lifetimes(&cdn, 59), (59, 0));
        assert_eq!(lifetimes(&cdn, 0), (0, 0));
    }
}

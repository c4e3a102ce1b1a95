//! What one network, and one account, may ask for. Pages that may be kept are not in the table: those that are not kept yet wait for their
//! turn behind a bounded queue. Pages of a cart, a checkout, an account and the admin area take no turn. Connections have limits of their own.
//! Activity and errors of browsers are counted by the item where they are received, cards and emails in the database, for all nodes.

use std::num::NonZeroU32;
use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::Method;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use shop_base::context::Context;
use shop_base::error::Error;
use shop_platform::metrics::limit_hits;
use shop_platform::web::client_address::ClientAddress;
use shop_platform::web::extract::PAYLOAD;
use shop_platform::web::limit::{Limiter, NetworkLimiter};
use uuid::Uuid;

use crate::identity::extract::Visitor;

/// Requests that are counted together.
struct Rule {
    methods: Methods,
    /// Paths, or their beginnings if they end with a slash.
    paths: &'static [&'static str],
    /// At once, and as many again in each minute; for a network and for an account alike.
    per_minute: u32,
    /// Whoever is signed in is counted by the account alone: others at the same address, who may be anybody, keep no staff from their work.
    is_for_staff: bool,
}

#[derive(PartialEq, Eq)]
enum Methods {
    All,
    /// All but the safe ones: GET, HEAD, OPTIONS, TRACE.
    Writes,
}
use Methods::{All, Writes};

const fn rule(methods: Methods, paths: &'static [&'static str], per_minute: u32) -> Rule {
    Rule { methods, paths, per_minute, is_for_staff: false }
}

const fn looks_of_staff(paths: &'static [&'static str], per_minute: u32) -> Rule {
    Rule { methods: All, paths, per_minute, is_for_staff: true }
}

/// The first that matches counts. The numbers are many times what one household does, since many may share an address.
const RULES: &[Rule] = &[
    rule(All, &["/auth/login", "/auth/signup", "/auth/callback"], 60),
    rule(Writes, &["/auth/logout"], 60),
    // The provider ends sessions from an address of its own.
    rule(Writes, &["/auth/backchannel-logout"], 1_200),
    rule(Writes, &["/api/checkout/pay", "/api/checkout/confirm", "/checkout", "/checkout/confirm"], 60),
    rule(Writes, &["/api/checkout/quote", "/api/cart/", "/cart"], 300),
    // A page asks for the outcome of its payment every two seconds.
    rule(All, &["/api/checkout/"], 1_200),
    // Of networks alone: nobody looks who types.
    rule(All, &["/api/search/"], 600),
    // The sitemap is long, and made anew when the catalog has changed; whoever accepts only zstd has the licenses compressed anew.
    rule(All, &["/licenses.txt", "/sitemap.xml"], 60),
    rule(Writes, &["/api/verify-age", "/verify-age"], 60),
    rule(Writes, &["/webhooks/"], 6_000),
    rule(Writes, &["/test-email", "/api/admin/testing/mail"], 10),
    rule(Writes, &["/api/admin/"], 600),
    rule(
        Writes,
        &[
            "/api/me",
            "/api/me/preferences",
            "/api/me/addresses",
            "/api/me/addresses/",
            "/api/me/sessions",
            "/api/me/sessions/",
            "/account",
        ],
        120,
    ),
    rule(All, &["/api/me/export"], 10),
    // Looks: their writes are counted above.
    rule(
        All,
        &[
            "/cart",
            "/checkout",
            "/checkout/confirm",
            "/order-confirmation",
            "/account",
            "/api/cart",
            "/api/me",
            "/api/me/sessions",
        ],
        600,
    ),
    looks_of_staff(&["/api/admin/"], 600),
    // Page by page, lists of people could be copied. Each link that the pointer rests on loads a page.
    looks_of_staff(&["/admin/"], 240),
];

impl Rule {
    fn covers(&self, method: &Method, path: &str) -> bool {
        (self.methods == All || !method.is_safe())
            && self.paths.iter().any(|one| path == *one || (one.ends_with('/') && path.starts_with(one)))
    }
}

/// The counts of each rule.
#[derive(Debug)]
pub struct Limits(Vec<(NetworkLimiter, Limiter<Uuid>)>);

impl Default for Limits {
    fn default() -> Self {
        let limiters = |rule: &Rule| {
            let (most, hits) = (rule.per_minute, &limit_hits::REQUESTS);
            (Limiter::per_minute(most, hits), Limiter::per_minute(most, hits))
        };
        Self(RULES.iter().map(limiters).collect())
    }
}

/// Counts a request, or rejects it with 429.
pub async fn limit(State((cx, limits)): State<(Context, Arc<Limits>)>, request: Request, next: Next) -> Response {
    match check(&cx, &limits, &request) {
        Ok(()) => next.run(request).await,
        Err(error) => error.into_response(),
    }
}

/// The rule that counts a request.
fn find(method: &Method, path: &str) -> Option<usize> {
    // The forms of pages are posted to the addresses of their payloads, too.
    let path = path.strip_suffix(PAYLOAD).unwrap_or(path);
    RULES.iter().position(|rule| rule.covers(method, path))
}

fn check(cx: &Context, limits: &Limits, request: &Request) -> Result<(), Error> {
    let (method, path) = (request.method(), request.uri().path());
    let Some(found) = find(method, path).filter(|_| cx.config.http.has_limits) else { return Ok(()) };
    let (networks, accounts) = &limits.0[found];
    let ClientAddress(address) = ClientAddress::of(cx, request.headers(), request.extensions());
    let user = request.extensions().get::<Visitor>().and_then(|visitor| visitor.user.as_ref()).map(|user| user.user_id);
    // What is refused to an account takes nothing from its network.
    if let Some(user) = user {
        accounts.check_key(&user, NonZeroU32::MIN)?;
    }
    if user.is_some() && RULES[found].is_for_staff { Ok(()) } else { networks.check(address) }
}

#[cfg(test)]
mod tests {
    use axum::http::Method;

    use super::{RULES, find};

    fn counted_as(method: &Method, path: &str) -> Option<&'static str> {
        find(method, path).map(|found| RULES[found].paths[0])
    }

    #[test]
    fn each_request_is_counted_by_one_rule_or_none() {
        assert_eq!(counted_as(&Method::GET, "/auth/login"), Some("/auth/login"));
        assert_eq!(counted_as(&Method::POST, "/api/cart/sync"), Some("/api/checkout/quote"));
        assert_eq!(counted_as(&Method::POST, "/api/admin/testing/mail"), Some("/test-email"));
        assert_eq!(counted_as(&Method::POST, "/api/admin/orders"), Some("/api/admin/"));
        assert_eq!(counted_as(&Method::POST, "/checkout/_payload.json"), Some("/api/checkout/pay"));
        assert_eq!(counted_as(&Method::DELETE, "/api/me/sessions/1"), Some("/api/me"));
        assert_eq!(counted_as(&Method::GET, "/api/checkout/0193fdb0-0000-7000-8000-0"), Some("/api/checkout/"));
        assert_eq!(counted_as(&Method::GET, "/sitemap.xml"), Some("/licenses.txt"));
        assert_eq!(counted_as(&Method::POST, "/cart"), Some("/api/checkout/quote"));
        for path in
            ["/cart", "/cart/_payload.json", "/checkout", "/order-confirmation", "/account", "/api/cart", "/api/me"]
        {
            assert_eq!(counted_as(&Method::GET, path), Some("/cart"), "{path}");
        }
        for path in ["/admin/users", "/admin/users/_payload.json", "/admin/users/1"] {
            assert_eq!(counted_as(&Method::GET, path), Some("/admin/"), "{path}");
        }
        let [writes, looks] = [Method::POST, Method::GET].map(|method| find(&method, "/api/admin/orders"));
        assert_ne!(writes, looks, "who has looked too often can still write");
        assert_eq!(counted_as(&Method::GET, "/api/admin/orders"), Some("/api/admin/"));
        for (method, path) in
            [(Method::GET, "/products"), (Method::POST, "/api/me/activity"), (Method::POST, "/api/client-errors")]
        {
            assert_eq!(counted_as(&method, path), None, "{method} {path}");
        }
    }
}

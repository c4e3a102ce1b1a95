//! Identifies the visitor once per request, and provides the extractors for handlers.

use std::sync::Arc;

use axum::extract::{FromRequestParts, Request, State};
use axum::http::request::Parts;
use axum::http::{Extensions, HeaderMap, HeaderName, Method, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use shop_base::config::Http;
use shop_base::context::Context;
use shop_base::db::Purpose;
use shop_base::error::Error;
use shop_base::security::{Cause, Event, Lines};
use shop_domain::identity::model::Session;
use shop_domain::identity::{Identity, refresh, service};
use shop_platform::web::client_address::ClientAddress;
use shop_platform::web::csrf;
use shop_platform::web::logged_path::logged_path;
use tracing::{Span, field};

use super::cookie::Name;
use super::{bearer, cookie};

/// The visitor, signed in or not.
#[derive(Clone, Debug, Default)]
pub struct Visitor {
    pub user: Option<Session>,
}

/// A signed-in visitor of any role; others are rejected with 401.
#[derive(Clone, Debug)]
pub struct Customer(pub Session);

const FETCH_DEST: HeaderName = HeaderName::from_static("sec-fetch-dest");

/// Files contain nothing personal, nor do suggestions, which are asked for at each keystroke: no session is looked up for them.
const IMPERSONAL: [&str; 4] = ["/assets/", "/images/", "/builds/", "/api/search/"];

/// Beginnings of the paths of pages for staff, and of their calls.
const PAGES_OF_STAFF: [&str; 2] = ["/admin", "/test-email"];
const CALLS_OF_STAFF: &str = "/api/admin/";

/// By these beginnings of paths: also a GET must not come from another site. Downloads by staff are recorded, and those of a user have a limit
/// that is soon used up.
const FOR_OWN_PAGES: [&str; 2] = ["/api/admin/", "/api/me/export"];

/// What open pages send by themselves, by the beginnings of their paths: no sign that anybody is there, so it is no use of the session.
static BY_PAGES: [(Method, &str); 9] = [
    (Method::GET, "/api/admin/debug"),
    (Method::GET, "/api/admin/overview"),
    (Method::GET, "/api/admin/products/imports/"),
    // Whoever changes a cart loads pages, too.
    (Method::GET, "/api/cart"),
    (Method::POST, "/api/cart/sync"),
    (Method::GET, "/api/checkout/"),
    (Method::POST, "/api/client-errors"),
    (Method::POST, "/api/me/activity"),
    (Method::POST, "/api/policy-reports"),
];

fn is_by_page(method: &Method, path: &str) -> bool {
    BY_PAGES.iter().any(|(by, beginning)| method == by && path.starts_with(beginning))
}

/// Whether an address in this shop is that of a page for staff.
pub fn is_page_of_staff(address: &str) -> bool {
    PAGES_OF_STAFF.iter().any(|beginning| address.starts_with(beginning))
}

/// Around everything: identifies the visitor, and rejects cross-site writes and downloads of signed-in browsers.
pub async fn identify(
    State((cx, identity, lines)): State<(Context, Arc<Identity>, Arc<Lines>)>,
    mut request: Request,
    next: Next,
) -> Response {
    let path = request.uri().path();
    if IMPERSONAL.iter().any(|prefix| path.starts_with(prefix)) {
        return next.run(request).await;
    }
    // Sessions of staff are looked up with the connections of staff, so that a rush of shoppers does not keep them out.
    let is_of_staff = is_page_of_staff(path) || path.starts_with(CALLS_OF_STAFF);
    let asked = Asked { is_of_staff, is_use: !is_by_page(request.method(), path) };
    let visitor = match find_visitor(&cx, &identity, &lines, request.headers(), request.extensions(), asked).await {
        Ok(visitor) => visitor,
        Err(error) => return error.into_response(),
    };
    let by_cookie = visitor.user.as_ref().is_some_and(|session| session.session_id().is_some());
    if by_cookie && let Err(error) = check_site(&cx.config.http, &request) {
        let network = ClientAddress::of(&cx, request.headers(), request.extensions()).network();
        let user = visitor.user.as_ref().map(|session| session.user_id);
        lines.record(Event::CrossSite, Cause { user, network: &network }, &logged_path(request.uri().path()));
        return error.into_response();
    }
    // A script's request may have been sent before another tab signed in: only document requests delete the cookie.
    let is_document = request.headers().get(FETCH_DEST).is_none_or(|dest| dest != "empty");
    let is_stale =
        is_document && visitor.user.is_none() && cookie::read(&cx, request.headers(), Name::Session).is_some();
    if let Some(user) = &visitor.user {
        Span::current().record("account", field::display(user.user_id));
    }
    request.extensions_mut().insert(visitor.clone());
    let mut response = next.run(request).await;
    let may_be_shared =
        response.headers().get(header::CACHE_CONTROL).is_some_and(|value| value.as_bytes().starts_with(b"public"));
    if is_stale && !may_be_shared && !response.headers().contains_key(header::SET_COOKIE) {
        response.headers_mut().append(header::SET_COOKIE, cookie::clear(&cx, Name::Session));
    }
    // The error page is rendered outside this layer.
    response.extensions_mut().insert(visitor);
    response
}

/// Refuses what other sites must not cause.
fn check_site(http: &Http, request: &Request) -> Result<(), Error> {
    if !request.method().is_safe() {
        return csrf::check(http, request.headers());
    }
    match FOR_OWN_PAGES.iter().any(|prefix| request.uri().path().starts_with(prefix)) {
        true => csrf::check_get(http, request.headers()),
        false => Ok(()),
    }
}

/// What is asked for.
#[derive(Clone, Copy)]
struct Asked {
    /// It is for staff.
    is_of_staff: bool,
    /// It is a use of the session.
    is_use: bool,
}

/// With the connections of staff only for those who were found to be staff before: tokens can be made up, and looking up so many would keep
/// staff out.
fn of_token(cx: &Context, identity: &Identity, asked: Asked, token: &str) -> Context {
    let is_known = asked.is_of_staff && identity.recent.is_of_staff(token);
    if is_known { cx.of(Purpose::Staff) } else { cx.clone() }
}

async fn find_visitor(
    cx: &Context,
    identity: &Arc<Identity>,
    lines: &Lines,
    headers: &HeaderMap,
    extensions: &Extensions,
    asked: Asked,
) -> Result<Visitor, Error> {
    let given = headers.get(header::AUTHORIZATION).and_then(|line| line.to_str().ok()?.split_once(' '));
    // Other schemes are for a proxy in front of the shop.
    if let Some((_, token)) = given.filter(|(scheme, _)| scheme.eq_ignore_ascii_case("bearer")) {
        let (token, address) = (token.trim(), ClientAddress::of(cx, headers, extensions));
        let cx = of_token(cx, identity, asked, token);
        let session = bearer::session(&cx, identity, lines, token, address).await?;
        identity.recent.note_staff(token, &session);
        return Ok(Visitor { user: Some(session) });
    }
    let Some(token) = cookie::read(cx, headers, Name::Session) else { return Ok(Visitor::default()) };
    let cx = of_token(cx, identity, asked, &token);
    let user = find_session(&cx, identity, &token, asked.is_use).await?;
    if let Some(session) = &user {
        identity.recent.note_staff(&token, session);
    }
    Ok(Visitor { user })
}

async fn find_session(
    cx: &Context,
    identity: &Arc<Identity>,
    token: &str,
    is_use: bool,
) -> Result<Option<Session>, Error> {
    let lookup = identity.recent.begin(cx.clock.now_ms());
    let Some(row) = service::find_session(cx, token).await? else { return Ok(None) };
    if is_use {
        service::note_use(cx, &row).await?;
    }
    if row.refresh_at.is_some_and(|at| at <= cx.clock.now_ms()) {
        // The roles may have changed, or the session may have ended.
        refresh::refresh(cx, identity, row.id, row.user_id).await;
        let row = service::find_session(cx, token).await?;
        return Ok(row.map(Session::from));
    }
    let session = Session::from(row);
    identity.recent.note(token, &session, lookup);
    Ok(Some(session))
}

impl<S: Send + Sync> FromRequestParts<S> for Visitor {
    type Rejection = std::convert::Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Self::Rejection> {
        Ok(parts.extensions.get().cloned().unwrap_or_default())
    }
}

impl<S: Send + Sync> FromRequestParts<S> for Customer {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Error> {
        let visitor: Option<&Visitor> = parts.extensions.get();
        visitor.and_then(|visitor| visitor.user.clone()).map(Self).ok_or(Error::Unauthorized)
    }
}

impl Visitor {
    /// The `sub` of the account that is signed in.
    pub fn subject(&self) -> Option<&str> {
        self.user.as_ref().map(|session| session.subject.as_str())
    }

    /// The id of the account that is signed in.
    pub fn user_id(&self) -> Option<uuid::Uuid> {
        self.user.as_ref().map(|session| session.user_id)
    }

    /// The id of the session in the cookie.
    pub fn session_id(&self) -> Option<uuid::Uuid> {
        self.user.as_ref()?.session_id()
    }
}

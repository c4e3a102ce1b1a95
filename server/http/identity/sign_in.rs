//! `/auth/login`, `/auth/signup` and `/auth/callback`: plain links and redirects, so sign-in works without scripts.

use std::sync::Arc;

use axum::Extension;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use shop_base::context::Context;
use shop_base::error::Error;
use shop_base::security::{self, Cause, Event, Lines};
use shop_domain::cart::service::join;
use shop_domain::identity::provider::{ProviderError, Purpose};
use shop_domain::identity::service::{Begun, Device};
use shop_domain::identity::{Identity, model, service};
use shop_platform::web::client_address::ClientAddress;
use shop_platform::web::cookies::SignedCookies;
use shop_platform::web::extract::Asked;
use shop_platform::web::known_pages::KnownPages;
use shop_platform::web::own_path::own_path;

use super::cookie;
use super::cookie::Name;
use super::extract::{Visitor, is_page_of_staff};
use super::flow::{Flow, is_popup_id, new_state, popup_of};
use super::notice::Notice;
use crate::page::render::HTML;
use crate::storefront::cart;

const MAX_RETURN: usize = 1024;

/// `GET /auth/login?return_to=…`; `confirm=1` requires signing in again.
pub async fn login(
    State(cx): State<Context>,
    State(identity): State<Arc<Identity>>,
    pages: Extension<KnownPages>,
    asked: Asked,
    headers: HeaderMap,
) -> Result<Response, Error> {
    let purpose = match asked.parameter("return_to") {
        _ if asked.parameter("confirm").is_some() => Purpose::Confirm,
        Some(path) if is_page_of_staff(&path) => Purpose::Staff,
        _ => Purpose::SignIn,
    };
    start(&cx, &identity, pages, asked, headers, purpose).await
}

/// `GET /auth/signup?return_to=…`
pub async fn signup(
    State(cx): State<Context>,
    State(identity): State<Arc<Identity>>,
    pages: Extension<KnownPages>,
    asked: Asked,
    headers: HeaderMap,
) -> Result<Response, Error> {
    start(&cx, &identity, pages, asked, headers, Purpose::SignUp).await
}

async fn start(
    cx: &Context,
    identity: &Identity,
    Extension(pages): Extension<KnownPages>,
    asked: Asked,
    headers: HeaderMap,
    purpose: Purpose,
) -> Result<Response, Error> {
    let return_to = asked.parameter("return_to").filter(|path| path.len() <= MAX_RETURN).unwrap_or_default();
    let return_to = own_path(&return_to).to_owned();
    let popup = asked.parameter("popup").filter(|id| is_popup_id(id));
    let Some(provider) = &identity.provider else {
        return Ok(back(cx, pages, &return_to, popup.as_deref(), Some(Notice::Unavailable)));
    };
    match provider.start(purpose, new_state(popup.as_deref())?).await {
        Ok(started) => {
            let url = started.url.to_string();
            let cookies = Flow::new(cx, started, &return_to).cookies(cx, identity, &headers)?;
            Ok(redirect(&url, cookies))
        }
        Err(error) => {
            tracing::warn!(%error, "a sign-in could not start");
            Ok(back(cx, pages, &return_to, popup.as_deref(), Some(Notice::Unavailable)))
        }
    }
}

/// `GET /auth/callback`: the browser returns from the provider.
pub async fn callback(
    State(cookies): State<SignedCookies>,
    (State(identity), State(lines)): (State<Arc<Identity>>, State<Arc<Lines>>),
    Extension(pages): Extension<KnownPages>,
    visitor: Visitor,
    address: ClientAddress,
    asked: Asked,
    headers: HeaderMap,
) -> Result<Response, Error> {
    let state = asked.parameter("state").unwrap_or_default();
    let popup = popup_of(&state);
    let Some((id, flow)) = Flow::find(&cookies, &identity, &headers, &state) else {
        // An expired flow, a bookmark or the back button. A visitor who is signed in already needs no notice.
        let notice = visitor.user.is_none().then_some(Notice::Failed);
        return Ok(back(&cookies, pages, "/", popup, notice));
    };
    let mut response = match finish(&cookies, &identity, &lines, &flow, &asked, device(&headers, address)).await {
        Ok(begun) => {
            let mut response = back(&cookies, pages, &flow.return_to, popup, None);
            // The previous session ends: its token must not outlive the sign-in.
            if let Some((session, id)) = visitor.user.as_ref().and_then(|user| Some((user, user.session_id()?))) {
                service::end_session(&cookies, session.user_id, id).await?;
            }
            response.headers_mut().append(header::SET_COOKIE, cookie::set(&cookies, Name::Session, &begun.token));
            // A notice about an earlier failure is obsolete now, but not one about a lost form.
            if Notice::read(&cookies, &headers) != Some(Notice::Unsaved) {
                response.headers_mut().append(header::SET_COOKIE, cookie::clear(&cookies, Name::Notice));
            }
            if let Some(cart) = cart::cookie::read(&cookies, &headers) {
                // The sign-in succeeds even if this fails; then the cookie is kept for the next one.
                match join(&cookies, begun.user_id, &cart).await {
                    Ok(()) => {
                        response.headers_mut().append(header::SET_COOKIE, cart::cookie::clear(&cookies));
                    }
                    Err(error) => tracing::warn!(?error, "a guest's cart was not joined to the account's"),
                }
            }
            response
        }
        Err(Refusal::Ours(error)) => return Err(error),
        Err(Refusal::Notice(notice)) => back(&cookies, pages, &flow.return_to, popup, Some(notice)),
    };
    response.headers_mut().append(header::SET_COOKIE, cookie::clear(&cookies, Name::Flow(id)));
    Ok(response)
}

enum Refusal {
    Notice(Notice),
    Ours(Error),
}

/// The new session.
async fn finish(
    cx: &Context,
    identity: &Identity,
    lines: &Lines,
    flow: &Flow,
    asked: &Asked,
    device: Device,
) -> Result<Begun, Refusal> {
    let provider = identity.provider.as_ref().ok_or(Refusal::Notice(Notice::Unavailable))?;
    let network = &device.network;
    // Anybody can cause those without an account, from any number of networks.
    let failed = |event, detail: &str| lines.record(event, Cause { user: None, network }, detail);
    if let Some(code) = asked.parameter("error") {
        let (event, notice) = match code.as_str() {
            "access_denied" => (Event::SignInCanceled, Notice::Canceled),
            _ => (Event::SignInFailed, Notice::Failed),
        };
        failed(event, &code.chars().take(60).collect::<String>());
        return Err(Refusal::Notice(notice));
    }
    // RFC 9207: the response names its issuer.
    if asked.parameter("iss").is_some_and(|issuer| issuer != provider.issuer()) {
        failed(Event::SignInFailed, "it came back from another identity provider");
        return Err(Refusal::Notice(Notice::Failed));
    }
    let code = asked.parameter("code").unwrap_or_default();
    let asked_at = cx.clock.now_ms();
    let sign_in = provider.finish(&code, &flow.verifier, &flow.nonce).await.map_err(|error| {
        let (event, notice) = match error {
            ProviderError::Unavailable(_) => (Event::SignInUnavailable, Notice::Unavailable),
            ProviderError::Refused(_) => (Event::SignInFailed, Notice::Failed),
        };
        failed(event, &error.to_string());
        Refusal::Notice(notice)
    })?;
    match service::start_session(cx, identity, &sign_in, asked_at, &device).await {
        Ok(begun) => {
            security::record(Event::SignIn, Cause { user: Some(begun.user_id), network }, &device.name);
            Ok(begun)
        }
        Err(Error::Forbidden { .. }) => {
            security::record(Event::SignInBlocked, Cause { user: None, network }, &device.name);
            Err(Refusal::Notice(Notice::Blocked))
        }
        Err(error) => Err(Refusal::Ours(error)),
    }
}

fn device(headers: &HeaderMap, address: ClientAddress) -> Device {
    let agent = headers.get(header::USER_AGENT).and_then(|agent| agent.to_str().ok()).unwrap_or_default();
    Device { name: model::device(agent), network: address.network() }
}

/// Redirects to the plain path, or shows the page that reports to the opener of the popup.
fn back(cx: &Context, pages: KnownPages, return_to: &str, popup: Option<&str>, notice: Option<Notice>) -> Response {
    if let Some(id) = popup {
        return popup_page(id, notice).into_response();
    }
    // A page that requires a sign-in would start another one, in an endless loop if the provider shows no prompt.
    let return_to = if notice.is_some() && (pages.may_ask_for_sign_in)(return_to) { "/" } else { return_to };
    redirect(return_to, notice.map(|notice| cookie::set(cx, Name::Notice, notice.code())))
}

fn redirect(location: &str, cookies: impl IntoIterator<Item = HeaderValue>) -> Response {
    let Ok(location) = HeaderValue::try_from(location) else {
        return Error::internal("a redirect's address is not a header value").into_response();
    };
    let no_store = HeaderValue::from_static("no-store");
    let headers = [(header::LOCATION, location), (header::CACHE_CONTROL, no_store)];
    let mut response = (StatusCode::SEE_OTHER, headers).into_response();
    for cookie in cookies {
        response.headers_mut().append(header::SET_COOKIE, cookie);
    }
    response
}

/// The id and the code contain no characters with a meaning in HTML.
fn popup_page(id: &str, notice: Option<Notice>) -> impl IntoResponse {
    let reason = notice.map_or("", Notice::code);
    let html = format!(
        "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>Signing in</title></head>\
         <body data-id=\"{id}\" data-ok=\"{}\" data-reason=\"{reason}\"><p>You can close this window.</p>\
         <script type=\"module\" src=\"/auth/popup.js\"></script></body></html>",
        notice.is_none()
    );
    ([(header::CONTENT_TYPE, HTML), (header::CACHE_CONTROL, HeaderValue::from_static("no-store"))], html)
}

/// `GET /auth/popup.js`
pub async fn popup_script() -> impl IntoResponse {
    let kind = HeaderValue::from_static("text/javascript; charset=utf-8");
    let cache = HeaderValue::from_static("no-cache");
    ([(header::CONTENT_TYPE, kind), (header::CACHE_CONTROL, cache)], include_str!("popup.js"))
}

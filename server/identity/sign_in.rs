//! `/auth/login`, `/auth/signup` and `/auth/callback`: plain links and redirects, so sign-in needs no scripts.

use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};

use super::cookie::{self, Name};
use super::extract::Visitor;
use super::flow::Flow;
use super::model;
use super::notice::Notice;
use super::provider::{ProviderError, Purpose};
use super::service::{self, Device};
use crate::app::App;
use crate::error::Error;
use crate::router::PAGES;
use crate::web::client_address::ClientAddress;
use crate::web::extract::Asked;
use crate::web::own_path::own_path;
use crate::web::render::HTML;

const MAX_RETURN: usize = 1024;

/// `GET /auth/login?return_to=…`; `confirm=1` asks for the credentials again.
pub async fn login(state: State<App>, asked: Asked) -> Result<Response, Error> {
    let purpose = if asked.parameter("confirm").is_some() { Purpose::Confirm } else { Purpose::SignIn };
    start(state, asked, purpose).await
}

/// `GET /auth/signup?return_to=…`
pub async fn signup(state: State<App>, asked: Asked) -> Result<Response, Error> {
    start(state, asked, Purpose::SignUp).await
}

async fn start(State(app): State<App>, asked: Asked, purpose: Purpose) -> Result<Response, Error> {
    let return_to = asked.parameter("return_to").filter(|path| path.len() <= MAX_RETURN).unwrap_or_default();
    let return_to = own_path(&return_to).to_owned();
    let popup = asked.parameter("popup").filter(|id| is_popup_id(id));
    let Some(provider) = &app.identity.provider else {
        return Ok(back(&app, &return_to, popup.as_deref(), Some(Notice::Unavailable)));
    };
    match provider.start(purpose).await {
        Ok(started) => {
            let flow = Flow::new(&app, &started, &return_to, popup).cookie(&app)?;
            Ok(redirect(started.url.as_str(), [flow]))
        }
        Err(error) => {
            tracing::warn!(%error, "a sign-in could not start");
            Ok(back(&app, &return_to, popup.as_deref(), Some(Notice::Unavailable)))
        }
    }
}

/// `GET /auth/callback`: the browser comes back from the provider.
pub async fn callback(
    State(app): State<App>,
    visitor: Visitor,
    address: ClientAddress,
    asked: Asked,
    headers: HeaderMap,
) -> Result<Response, Error> {
    let flow = Flow::read(&app, &headers);
    let state = asked.parameter("state").unwrap_or_default();
    let Some(flow) = flow.filter(|flow| flow.state == state) else {
        // A second tab, a bookmark or the back button. Who is signed in already has what they came for.
        let notice = visitor.user.is_none().then_some(Notice::Failed);
        return Ok(back(&app, "/", None, notice));
    };
    let popup = flow.popup.as_deref();
    match finish(&app, &flow, &asked, device(&headers, address)).await {
        Ok(token) => {
            let mut response = back(&app, &flow.return_to, popup, None);
            // The session before this one ends: its token must not outlive the sign-in.
            if let Some((session, id)) = visitor.user.as_ref().and_then(|user| Some((user, user.session_id()?))) {
                service::end_session(&app, session.user_id, id).await?;
            }
            response.headers_mut().append(header::SET_COOKIE, cookie::set(&app, Name::Session, &token));
            Ok(response)
        }
        Err(Refusal::Ours(error)) => Err(error),
        Err(Refusal::Notice(notice)) => Ok(back(&app, &flow.return_to, popup, Some(notice))),
    }
}

enum Refusal {
    Notice(Notice),
    Ours(Error),
}

/// The token of the session that begins.
async fn finish(app: &App, flow: &Flow, asked: &Asked, device: Device) -> Result<String, Refusal> {
    let provider = app.identity.provider.as_ref().ok_or(Refusal::Notice(Notice::Unavailable))?;
    if let Some(code) = asked.parameter("error") {
        tracing::info!(code = code.chars().take(60).collect::<String>(), "the identity provider refused a sign-in");
        let notice = if code == "access_denied" { Notice::Cancelled } else { Notice::Failed };
        return Err(Refusal::Notice(notice));
    }
    // RFC 9207: the answer names who gives it.
    if asked.parameter("iss").is_some_and(|issuer| issuer != provider.issuer()) {
        tracing::warn!("a sign-in came back from another identity provider");
        return Err(Refusal::Notice(Notice::Failed));
    }
    let code = asked.parameter("code").unwrap_or_default();
    let sign_in = provider.finish(&code, &flow.verifier, &flow.nonce).await.map_err(|error| {
        tracing::warn!(%error, "a sign-in could not be finished");
        Refusal::Notice(match error {
            ProviderError::Unavailable(_) => Notice::Unavailable,
            ProviderError::Refused(_) => Notice::Failed,
        })
    })?;
    service::start_session(app, &sign_in, &device).await.map_err(|error| match error {
        Error::Forbidden { .. } => Refusal::Notice(Notice::Blocked),
        error => Refusal::Ours(error),
    })
}

fn device(headers: &HeaderMap, address: ClientAddress) -> Device {
    let agent = headers.get(header::USER_AGENT).and_then(|agent| agent.to_str().ok()).unwrap_or_default();
    Device { name: model::device(agent), network: address.network() }
}

/// Ends a flow: back to the plain path, or into the page that tells the opener of the popup.
fn back(app: &App, return_to: &str, popup: Option<&str>, notice: Option<Notice>) -> Response {
    let flow = cookie::clear(app, Name::Flow);
    if let Some(id) = popup {
        let mut response = popup_page(id, notice).into_response();
        response.headers_mut().append(header::SET_COOKIE, flow);
        return response;
    }
    // A page that wants a sign-in would ask for it again, and again where the provider asks for nothing.
    let return_to = if notice.is_some() && wants_sign_in(return_to) { "/" } else { return_to };
    let mut response = redirect(return_to, [flow]);
    if let Some(notice) = notice {
        response.headers_mut().append(header::SET_COOKIE, cookie::set(app, Name::Notice, notice.code()));
    }
    response
}

/// Whether a page at this address may be behind a guard.
fn wants_sign_in(address: &str) -> bool {
    let guarded = PAGES.iter().filter(|page| page.middleware.iter().any(|name| ["auth", "admin-rbac"].contains(name)));
    guarded.map(|page| page.path.split('{').next().unwrap_or_default()).any(|path| address.starts_with(path))
}

fn redirect(location: &str, cookies: [HeaderValue; 1]) -> Response {
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

/// The id and the code hold nothing that HTML gives a meaning to.
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

fn is_popup_id(id: &str) -> bool {
    (8..=64).contains(&id.len()) && id.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
}

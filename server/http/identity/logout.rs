//! The end of a session: by the visitor, who is then signed out at the provider, too, or by the provider.

use std::sync::Arc;

use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use serde_json::{Map, Value};
use shop_base::context::Context;
use shop_base::error::Error;
use shop_base::security;
use shop_base::security::{Cause, Event, Lines};
use shop_domain::identity::model::Tokens;
use shop_domain::identity::provider::ProviderError;
use shop_domain::identity::service::ProviderLogout;
use shop_domain::identity::{Identity, service};
use shop_platform::web::client_address::ClientAddress;
use shop_platform::web::csrf;
use shop_platform::web::extract::Form;
use url::Url;

use super::cookie;
use super::cookie::Name;
use super::extract::Visitor;
use super::notice::Notice;
use super::page_to::page_to;

const NO_STORE: HeaderValue = HeaderValue::from_static("no-store");
const EVENT: &str = "http://schemas.openid.net/event/backchannel-logout";
/// Maximum age of a logout token: the provider sends it immediately.
const LONGEST_MS: i64 = 10 * 60 * 1000;

/// `POST /auth/logout`: a form. With that of another site, a browser does not send the session's cookie, but would delete it if told to.
pub async fn logout(
    State(cx): State<Context>,
    State(identity): State<Arc<Identity>>,
    visitor: Visitor,
    address: ClientAddress,
    headers: HeaderMap,
) -> Result<Response, Error> {
    csrf::check(&cx.config.http, &headers)?;
    let mut tokens = None;
    if let Some((user, id)) = visitor.user.as_ref().and_then(|user| Some((user, user.session_id()?))) {
        tokens = service::find_tokens(&cx, &identity, id).await?;
        service::end_session(&cx, user.user_id, id).await?;
        security::record(Event::SignOut, Cause { user: Some(user.user_id), network: &address.network() }, "");
    }
    // The provider's session may outlast ours, which may be over already.
    if cookie::read(&cx, &headers, Name::Session).is_some() {
        return Ok(leave(&cx, &identity, tokens.as_ref(), Notice::SignedOut).await);
    }
    Ok(signed_out(&cx, Notice::SignedOut))
}

/// Leads to the end of the provider's session, and from there home, without a session. `tokens` are those of the session that is over.
pub async fn leave(cx: &Context, identity: &Identity, tokens: Option<&Tokens>, notice: Notice) -> Response {
    match sign_out_url(cx, identity, tokens).await {
        Some(url) => without_session(cx, page_to(url.as_str(), "Signing out", "Finish signing out"), notice),
        None => signed_out(cx, notice),
    }
}

/// The provider's page that ends its session and leads home, if it has one.
pub async fn sign_out_url(cx: &Context, identity: &Identity, tokens: Option<&Tokens>) -> Option<Url> {
    let home = format!("{}/", cx.config.http.origin());
    let id_token = tokens.map(|tokens| tokens.id_token.as_str());
    identity.provider.as_ref()?.sign_out_url(id_token, &home).await
}

/// Redirects home, without a session.
fn signed_out(cx: &Context, notice: Notice) -> Response {
    let headers = [(header::LOCATION, HeaderValue::from_static("/")), (header::CACHE_CONTROL, NO_STORE)];
    without_session(cx, (StatusCode::SEE_OTHER, headers).into_response(), notice)
}

/// Takes the session's cookie away, and has the next page show the notice.
pub fn without_session(cx: &Context, mut response: Response, notice: Notice) -> Response {
    for cookie in [cookie::clear(cx, Name::Session), cookie::set(cx, Name::Notice, notice.code())] {
        response.headers_mut().append(header::SET_COOKIE, cookie);
    }
    response
}

#[derive(Deserialize)]
pub struct BackChannel {
    logout_token: String,
}

/// `POST /auth/backchannel-logout`: the provider notifies the shop directly that it has ended its session.
pub async fn back_channel(
    State(cx): State<Context>,
    State(identity): State<Arc<Identity>>,
    State(lines): State<Arc<Lines>>,
    address: ClientAddress,
    Form(body): Form<BackChannel>,
) -> Result<Response, Error> {
    let refuse = |detail: &str| Error::BadRequest { detail: detail.to_owned() };
    let provider = identity.provider.as_ref().ok_or_else(|| refuse("Sign-in is off."))?;
    let claims = provider.verify(&body.logout_token, &["logout+jwt", "JWT"], provider.client_id()).await;
    let token = claims.and_then(LogoutToken::of).map_err(|error| {
        let cause = Cause { user: None, network: &address.network() };
        lines.record(Event::LogoutTokenRefused, cause, &error.to_string());
        match error {
            ProviderError::Refused(_) => refuse("The logout token does not hold."),
            ProviderError::Unavailable(_) => Error::Timeout,
        }
    })?;
    let now = cx.clock.now_ms();
    let is_logout = token.events.get(EVENT).is_some_and(Value::is_object);
    let is_recent = token.iat.checked_mul(1000).is_some_and(|issued| (now - issued).abs() <= LONGEST_MS);
    let names_somebody = token.sub.is_some() || token.sid.is_some();
    if !is_logout || token.nonce.is_some() || !names_somebody || !is_recent {
        return Err(refuse("The logout token does not hold."));
    }
    let logout = ProviderLogout {
        issuer: provider.issuer(),
        jti: &token.jti,
        session: token.sid.as_deref(),
        subject: token.sub.as_deref(),
    };
    if !service::end_provider_sessions(&cx, &logout, now + 2 * LONGEST_MS).await? {
        return Err(refuse("The logout token was used before."));
    }
    Ok((StatusCode::OK, [(header::CACHE_CONTROL, NO_STORE)]).into_response())
}

#[derive(Deserialize)]
struct LogoutToken {
    jti: String,
    iat: i64,
    events: Map<String, Value>,
    sub: Option<String>,
    sid: Option<String>,
    nonce: Option<Value>,
}

impl LogoutToken {
    fn of(claims: Map<String, Value>) -> Result<Self, ProviderError> {
        serde_json::from_value(Value::Object(claims)).map_err(|error| ProviderError::Refused(error.to_string()))
    }
}

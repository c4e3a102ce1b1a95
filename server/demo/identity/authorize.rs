//! The endpoints that browsers use: the authorization request, choosing an account, the end of the session.

use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use cookie::Cookie;
use serde::Deserialize;
use shop_base::error::Error;
use shop_platform::web::extract::Form;
use shop_platform::web::see_other::see_other;
use url::Url;

use super::faults::Omission;
use super::pages;
use super::provider::{CLIENT_ID, Provider};
use super::state::{Code, Login, secret};
use super::token::OFFLINE_ACCESS;

const COOKIE: &str = "demo-identity";
const CODE_SECONDS: i64 = 60;

/// An authorization request, checked far enough that it may be answered by a redirect.
pub struct Asked {
    redirect_uri: Url,
    state: Option<String>,
    nonce: Option<String>,
    scope: String,
    challenge: String,
    prompts: Vec<String>,
    max_age: Option<i64>,
}

enum Refused {
    /// Reported here: the redirect address is not known to be the client's.
    Here(&'static str),
    /// Reported to the client by a redirect.
    There(Box<Url>),
}

impl Asked {
    fn read(provider: &Provider, query: &str) -> Result<Self, Refused> {
        let value = |name: &str| {
            form_urlencoded::parse(query.as_bytes()).find(|(key, _)| key == name).map(|(_, value)| value.into_owned())
        };
        if value("client_id").as_deref() != Some(CLIENT_ID) {
            return Err(Refused::Here("Unknown client."));
        }
        let redirect = format!("{}/auth/callback", provider.shop);
        let redirect_uri = value("redirect_uri").filter(|given| *given == redirect);
        let Some(redirect_uri) = redirect_uri.and_then(|given| Url::parse(&given).ok()) else {
            return Err(Refused::Here("This address doesn’t belong to the client."));
        };
        let scope = value("scope").unwrap_or_default();
        let asked = Self {
            redirect_uri,
            state: value("state"),
            nonce: value("nonce"),
            challenge: value("code_challenge").unwrap_or_default(),
            prompts: value("prompt").unwrap_or_default().split_whitespace().map(str::to_owned).collect(),
            max_age: value("max_age").and_then(|seconds| seconds.parse().ok()),
            scope,
        };
        let is_code = value("response_type").as_deref() == Some("code");
        let is_pkce = value("code_challenge_method").as_deref() == Some("S256") && asked.challenge.len() == 43;
        if !is_code {
            return Err(Refused::There(Box::new(asked.error(provider, "unsupported_response_type"))));
        }
        let has = |scope: &str| asked.scope.split(' ').any(|each| each == scope);
        if has(OFFLINE_ACCESS) && provider.omits(Omission::OfflineAccess) {
            return Err(Refused::There(Box::new(asked.error(provider, "invalid_scope"))));
        }
        if !is_pkce || !has("openid") {
            return Err(Refused::There(Box::new(asked.error(provider, "invalid_request"))));
        }
        Ok(asked)
    }

    fn error(&self, provider: &Provider, code: &str) -> Url {
        self.answer(provider, &[("error", code)])
    }

    fn answer(&self, provider: &Provider, pairs: &[(&str, &str)]) -> Url {
        let mut url = self.redirect_uri.clone();
        url.query_pairs_mut().extend_pairs(pairs).append_pair("iss", &provider.issuer);
        if let Some(state) = &self.state {
            url.query_pairs_mut().append_pair("state", state);
        }
        url
    }

    fn wants(&self, prompt: &str) -> bool {
        self.prompts.iter().any(|given| given == prompt)
    }

    async fn grant(&self, provider: &Provider, login: &Login) -> Url {
        let code = secret();
        let now = provider.now_seconds();
        let granted = Code {
            sub: login.sub.clone(),
            sid: login.sid.clone(),
            auth_time: login.auth_time,
            scope: self.scope.clone(),
            nonce: self.nonce.clone(),
            challenge: self.challenge.clone(),
            redirect_uri: self.redirect_uri.to_string(),
            ends_at: now + CODE_SECONDS,
            grant: None,
        };
        let mut memory = provider.memory.lock().await;
        memory.codes.retain(|_, code| code.ends_at + CODE_SECONDS > now);
        memory.codes.insert(code.clone(), granted);
        drop(memory);
        self.answer(provider, &[("code", &code)])
    }
}

/// `GET /authorize`
pub async fn authorize(State(provider): State<Provider>, uri: Uri, headers: HeaderMap) -> Response {
    let query = uri.query().unwrap_or_default();
    let asked = match Asked::read(&provider, query) {
        Ok(asked) => asked,
        Err(refused) => return refuse(refused),
    };
    let login = match token(&headers) {
        Some(token) => provider.memory.lock().await.logins.get(&token).cloned(),
        None => None,
    };
    let now = provider.now_seconds();
    let is_recent = |login: &Login| asked.max_age.is_none_or(|seconds| now - login.auth_time <= seconds);
    let login = login.filter(|login| is_recent(login) && !asked.wants("login") && !asked.wants("create"));
    match login {
        Some(login) => redirect(&asked.grant(&provider, &login).await),
        None if asked.wants("none") => redirect(&asked.error(&provider, "login_required")),
        None => {
            let store = provider.store.lock().await;
            pages::sign_in(&provider.shop, store.accounts(), query, asked.wants("create"), None).into_response()
        }
    }
}

#[derive(Deserialize)]
pub struct Choice {
    /// The query string of the authorization request.
    request: String,
    /// An account's subject; empty to sign up.
    #[serde(default)]
    account: String,
    #[serde(default)]
    name: String,
    #[serde(default)]
    email: String,
    #[serde(default)]
    cancel: String,
}

/// `POST /sign-in`
pub async fn sign_in(
    State(provider): State<Provider>,
    headers: HeaderMap,
    Form(choice): Form<Choice>,
) -> Result<Response, Error> {
    // Otherwise another site could sign a browser in.
    if headers.get(header::ORIGIN).is_none_or(|origin| origin.as_bytes() != provider.issuer.as_bytes()) {
        return Ok(pages::refused("Sign in directly on this page.").into_response());
    }
    let asked = match Asked::read(&provider, &choice.request) {
        Ok(asked) => asked,
        Err(refused) => return Ok(refuse(refused)),
    };
    if !choice.cancel.is_empty() {
        return Ok(redirect(&asked.error(&provider, "access_denied")));
    }
    let mut store = provider.store.lock().await;
    let account = if choice.account.is_empty() {
        let (name, email) = (choice.name.trim(), choice.email.trim());
        let is_address =
            email.len() <= 200 && email.split_once('@').is_some_and(|(a, b)| !a.is_empty() && b.contains('.'));
        if name.is_empty() || name.chars().count() > 80 || !is_address {
            let problem = Some("Enter a name and an email address such as ada@example.com.");
            let page = pages::sign_in(&provider.shop, store.accounts(), &choice.request, true, problem);
            return Ok((StatusCode::UNPROCESSABLE_ENTITY, page).into_response());
        }
        store.sign_up(name, email).map_err(Error::internal)?
    } else {
        match store.account(&choice.account) {
            Some(account) => account.clone(),
            None => return Ok(pages::refused("Unknown account.").into_response()),
        }
    };
    drop(store);
    let login = Login { sub: account.sub, sid: secret(), auth_time: provider.now_seconds() };
    let token = secret();
    provider.memory.lock().await.logins.insert(token.clone(), login.clone());
    let mut response = redirect(&asked.grant(&provider, &login).await);
    response.headers_mut().append(header::SET_COOKIE, session_cookie(&token, 86_400));
    Ok(response)
}

/// `GET /account`: the account that this browser is signed in to here.
pub async fn account(State(provider): State<Provider>, headers: HeaderMap) -> Response {
    let login = match token(&headers) {
        Some(token) => provider.memory.lock().await.logins.get(&token).cloned(),
        None => None,
    };
    let store = provider.store.lock().await;
    pages::account(login.and_then(|login| store.account(&login.sub)), &provider.shop).into_response()
}

/// `GET /end-session`
pub async fn end_session(State(provider): State<Provider>, uri: Uri, headers: HeaderMap) -> Response {
    if let Some(token) = token(&headers) {
        let login = provider.memory.lock().await.logins.remove(&token);
        if let Some(login) = login {
            if let Err(error) = provider.store.lock().await.revoke_session(&login.sid) {
                tracing::error!(%error, "the demonstration's grants could not be kept");
            }
            tokio::spawn(announce(provider.clone(), login));
        }
    }
    let query = uri.query().unwrap_or_default();
    let target = form_urlencoded::parse(query.as_bytes()).find(|(name, _)| name == "post_logout_redirect_uri");
    let home = format!("{}/", provider.shop);
    let mut response = match target {
        Some((_, address)) if address == home => see_other(&home),
        _ => pages::refused("You are signed out.").into_response(),
    };
    response.headers_mut().append(header::SET_COOKIE, session_cookie("", 0));
    response
}

/// Notifies the shop through the back channel that a session has ended.
async fn announce(provider: Provider, login: Login) {
    let Ok(token) = provider.logout_token(&login.sub, Some(&login.sid)).await else { return };
    let address = format!("{}/auth/backchannel-logout", provider.shop);
    if let Err(error) = provider.http.post(address).form(&[("logout_token", token)]).send().await {
        tracing::warn!(%error, "the shop could not be told of a logout");
    }
}

fn refuse(refused: Refused) -> Response {
    match refused {
        Refused::Here(message) => (StatusCode::BAD_REQUEST, pages::refused(message)).into_response(),
        Refused::There(url) => redirect(&url),
    }
}

fn redirect(url: &Url) -> Response {
    see_other(url.as_str())
}

fn token(headers: &HeaderMap) -> Option<String> {
    let lines = headers.get_all(header::COOKIE).iter().filter_map(|line| line.to_str().ok());
    let mut cookies = lines.flat_map(|line| Cookie::split_parse(line.to_owned()).flatten());
    cookies.find(|cookie| cookie.name() == COOKIE).map(|cookie| cookie.value().to_owned())
}

fn session_cookie(value: &str, seconds: i64) -> HeaderValue {
    let line = format!("{COOKIE}={value}; Path=/; HttpOnly; SameSite=Lax; Max-Age={seconds}");
    HeaderValue::try_from(line).unwrap_or(HeaderValue::from_static(""))
}

//! The endpoints that the shop's server uses: metadata, tokens, userinfo.

use std::sync::atomic::Ordering;

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use base64::Engine;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use jsonwebtoken::{Algorithm, Validation, decode};
use serde::Deserialize;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use shop_base::error::Error;
use shop_platform::web::extract::Form;

use super::faults::{Omission, Wrong};
use super::provider::{AUDIENCE, CLIENT_ID, CLIENT_SECRET, Provider};
use super::state;
use super::state::Account;

/// The scope that asks for a refresh token.
pub const OFFLINE_ACCESS: &str = "offline_access";
const TOKEN_SECONDS: i64 = 300;

/// `GET /.well-known/openid-configuration`
pub async fn discovery(State(provider): State<Provider>) -> Json<Value> {
    let at = |path: &str| format!("{}/{path}", provider.issuer);
    let mut scopes = vec!["openid", "profile", "email"];
    if !provider.omits(Omission::OfflineAccess) {
        scopes.push(OFFLINE_ACCESS);
    }
    Json(json!({
        "issuer": provider.issuer,
        "authorization_endpoint": at("authorize"),
        "token_endpoint": at("token"),
        "userinfo_endpoint": at("userinfo"),
        "jwks_uri": at("keys"),
        "end_session_endpoint": at("end-session"),
        "response_types_supported": ["code"],
        "subject_types_supported": ["public"],
        "id_token_signing_alg_values_supported": ["ES256"],
        "scopes_supported": scopes,
        "prompt_values_supported": ["none", "login", "create"],
        "grant_types_supported": ["authorization_code", "refresh_token"],
        "code_challenge_methods_supported": ["S256"],
        "token_endpoint_auth_methods_supported": ["client_secret_basic", "client_secret_post"],
        "authorization_response_iss_parameter_supported": true,
        "backchannel_logout_supported": true,
        "backchannel_logout_session_supported": true,
    }))
}

/// `GET /keys`
pub async fn keys(State(provider): State<Provider>) -> Json<Value> {
    Json(json!({ "keys": [provider.store.lock().await.key().public()] }))
}

#[derive(Deserialize)]
pub struct Request {
    grant_type: String,
    #[serde(default)]
    code: String,
    #[serde(default)]
    code_verifier: String,
    #[serde(default)]
    redirect_uri: String,
    #[serde(default)]
    refresh_token: String,
    #[serde(default)]
    client_id: String,
    #[serde(default)]
    client_secret: String,
}

/// `POST /token`
pub async fn token(
    State(provider): State<Provider>,
    headers: HeaderMap,
    Form(request): Form<Request>,
) -> Result<Response, Error> {
    if !is_client(&headers, &request) {
        return Ok((StatusCode::UNAUTHORIZED, Json(json!({ "error": "invalid_client" }))).into_response());
    }
    let answer = match request.grant_type.as_str() {
        "authorization_code" => by_code(&provider, &request).await,
        "refresh_token" => by_refresh_token(&provider, &request).await,
        _ => Ok(None),
    }
    .map_err(Error::internal)?;
    let held = provider.with_faults(|faults| faults.held_tokens.take());
    if let Some(held) = held {
        // Dropping the sender releases it, too.
        let _ = held.await;
    }
    let no_store = [(header::CACHE_CONTROL, HeaderValue::from_static("no-store"))];
    Ok(match answer {
        Some(answer) => (no_store, Json(answer)).into_response(),
        None => (StatusCode::BAD_REQUEST, no_store, Json(json!({ "error": "invalid_grant" }))).into_response(),
    })
}

fn is_client(headers: &HeaderMap, request: &Request) -> bool {
    let basic = headers.get(header::AUTHORIZATION).and_then(|line| line.to_str().ok()?.strip_prefix("Basic "));
    let basic = basic.and_then(|text| STANDARD.decode(text).ok()).and_then(|bytes| String::from_utf8(bytes).ok());
    match basic {
        Some(pair) => pair == format!("{CLIENT_ID}:{CLIENT_SECRET}"),
        None => request.client_id == CLIENT_ID && request.client_secret == CLIENT_SECRET,
    }
}

async fn by_code(provider: &Provider, request: &Request) -> std::io::Result<Option<Value>> {
    let mut memory = provider.memory.lock().await;
    let Some(code) = memory.codes.get_mut(&request.code) else { return Ok(None) };
    let mut store = provider.store.lock().await;
    if let Some(grant) = &code.grant {
        // A code that is used twice was stolen: the tokens issued for it are revoked.
        store.revoke(grant)?;
        return Ok(None);
    }
    let is_good = provider.now_seconds() < code.ends_at
        && code.redirect_uri == request.redirect_uri
        && code.challenge == state::hash(&request.code_verifier);
    if !is_good {
        return Ok(None);
    }
    let (id, refresh_token) = store.grant(&code.sub, &code.sid, code.auth_time, &code.scope)?;
    code.grant = Some(id);
    let code = code.clone();
    let Some(account) = store.account(&code.sub).cloned() else { return Ok(None) };
    drop((memory, store));
    let session =
        Session { sid: &code.sid, auth_time: code.auth_time, scope: &code.scope, nonce: code.nonce.as_deref() };
    answer(provider, &account, &session, &refresh_token).await.map(Some)
}

async fn by_refresh_token(provider: &Provider, request: &Request) -> std::io::Result<Option<Value>> {
    provider.refreshes.fetch_add(1, Ordering::SeqCst);
    let mut store = provider.store.lock().await;
    let Some((grant, next)) = store.rotate(&request.refresh_token)? else { return Ok(None) };
    let Some(account) = store.account(&grant.sub).cloned() else { return Ok(None) };
    drop(store);
    let session = Session { sid: &grant.sid, auth_time: grant.auth_time, scope: &grant.scope, nonce: None };
    answer(provider, &account, &session, &next).await.map(Some)
}

/// How users authenticate here: by choosing an account.
pub const METHOD: &str = "choice";

struct Session<'a> {
    sid: &'a str,
    auth_time: i64,
    scope: &'a str,
    nonce: Option<&'a str>,
}

async fn answer(
    provider: &Provider,
    account: &Account,
    session: &Session<'_>,
    refresh_token: &str,
) -> std::io::Result<Value> {
    let now = provider.now_seconds();
    let wrong = provider.with_faults(|faults| faults.wrong.take());
    let store = provider.store.lock().await;
    let key = store.key();
    let access_token = key.sign(
        "at+jwt",
        &json!({
            "iss": provider.issuer, "sub": account.sub, "aud": AUDIENCE, "client_id": CLIENT_ID, "scope": session.scope,
            "iat": now, "exp": now + TOKEN_SECONDS, "jti": state::secret(), "auth_time": session.auth_time,
            "roles": account.roles,
        }),
    )?;
    let hashed = if wrong == Some(Wrong::AccessTokenHash) { "another" } else { &access_token };
    let mut claims = json!({
        "iss": provider.issuer, "sub": account.sub, "aud": CLIENT_ID, "iat": now, "exp": now + TOKEN_SECONDS,
        "auth_time": session.auth_time, "sid": session.sid, "amr": [METHOD],
        "at_hash": URL_SAFE_NO_PAD.encode(&Sha256::digest(hashed.as_bytes())[..16]),
        "name": account.name, "email": account.email, "email_verified": true, "roles": account.roles,
    });
    if let Some(nonce) = session.nonce {
        claims["nonce"] = nonce.into();
    }
    if provider.omits(Omission::RolesInIdToken) {
        claims["roles"] = Value::Null;
    }
    if provider.omits(Omission::NameInIdToken) {
        claims["name"] = Value::Null;
    }
    for (name, said) in provider.with_faults(|faults| faults.says.clone()) {
        claims[name] = said;
    }
    say_in_text(provider, &mut claims, "2025-01-01T00:00:00.000Z");
    if matches!(wrong, Some(Wrong::FurtherAudience | Wrong::AuthorizedParty | Wrong::NoAuthorizedParty)) {
        claims["aud"] = json!([CLIENT_ID, "another"]);
    }
    match wrong {
        Some(Wrong::Nonce) => claims["nonce"] = "another".into(),
        Some(Wrong::Issuer) => claims["iss"] = "https://evil.example".into(),
        Some(Wrong::Audience) => claims["aud"] = "another".into(),
        Some(Wrong::FurtherAudience) => claims["azp"] = CLIENT_ID.into(),
        Some(Wrong::AuthorizedParty) => claims["azp"] = "another".into(),
        Some(Wrong::Expiry) => claims["exp"] = (now - 3600).into(),
        Some(Wrong::Time) => claims["updated_at"] = "yesterday".into(),
        _ => {}
    }
    let id_token = match wrong {
        Some(Wrong::Algorithm) => key.sign_with_secret(CLIENT_SECRET, &claims)?,
        Some(Wrong::Signature) => key.impostor()?.sign("JWT", &claims)?,
        _ => key.sign("JWT", &claims)?,
    };
    let mut answer = json!({
        "access_token": access_token, "token_type": "Bearer", "expires_in": TOKEN_SECONDS,
        "scope": session.scope,
    });
    let is_refresh = session.nonce.is_none();
    if !(is_refresh && provider.omits(Omission::IdTokenAtRefresh)) {
        answer["id_token"] = id_token.into();
    }
    let is_offline = session.scope.split(' ').any(|scope| scope == OFFLINE_ACCESS);
    if is_offline && !provider.omits(Omission::RefreshToken) {
        answer["refresh_token"] = refresh_token.into();
    }
    Ok(answer)
}

/// If the provider is configured to.
fn say_in_text(provider: &Provider, claims: &mut Value, updated_at: &str) {
    if provider.with_faults(|faults| faults.text_claims) {
        claims["updated_at"] = updated_at.into();
        claims["email_verified"] = "true".into();
    }
}

/// `GET /userinfo`
pub async fn userinfo(State(provider): State<Provider>, headers: HeaderMap) -> Response {
    if provider.omits(Omission::Userinfo) {
        return StatusCode::SERVICE_UNAVAILABLE.into_response();
    }
    let token = headers.get(header::AUTHORIZATION).and_then(|line| line.to_str().ok()?.strip_prefix("Bearer "));
    let store = provider.store.lock().await;
    let mut rules = Validation::new(Algorithm::ES256);
    rules.set_audience(&[AUDIENCE]);
    // Checked below, by the demonstration's clock.
    rules.validate_exp = false;
    let claims = store.key().decoding().ok().and_then(|key| decode::<Value>(token?, &key, &rules).ok());
    let claims =
        claims.map(|token| token.claims).filter(|claims| claims["exp"].as_i64() > Some(provider.now_seconds()));
    let account = claims.and_then(|claims| store.account(claims["sub"].as_str()?).cloned());
    match account {
        Some(account) => {
            let roles = (!provider.omits(Omission::RolesInUserinfo)).then_some(account.roles);
            let mut claims = json!({
                "sub": account.sub, "name": account.name, "email": account.email, "email_verified": true,
                "roles": roles,
            });
            say_in_text(&provider, &mut claims, "1735689600");
            Json(claims).into_response()
        }
        None => StatusCode::UNAUTHORIZED.into_response(),
    }
}

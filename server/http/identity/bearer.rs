//! Access tokens of callers other than browsers: JWTs of the identity provider, issued for the shop's API.

use serde_json::{Map, Value};
use shop_base::context::Context;
use shop_base::error::Error;
use shop_base::security::{Cause, Event, Lines};
use shop_domain::identity::model::{Profile, Proof, Session};
use shop_domain::identity::provider::{ProviderError, text};
use shop_domain::identity::{Identity, service};
use shop_platform::web::client_address::ClientAddress;

/// The session of a single call.
pub async fn session(
    cx: &Context,
    identity: &Identity,
    lines: &Lines,
    token: &str,
    address: ClientAddress,
) -> Result<Session, Error> {
    let provider = identity.provider.as_ref().ok_or(Error::Unauthorized)?;
    let audience = provider.audience().ok_or(Error::Unauthorized)?;
    let claims = provider
        .verify(token, &["at+jwt", "application/at+jwt", "JWT"], audience)
        .await
        .map_err(|error| refused(lines, error, address))?;
    let for_client = match &claims["aud"] {
        Value::String(one) => one == provider.client_id(),
        Value::Array(all) => all.iter().any(|one| one == provider.client_id()),
        _ => true,
    };
    // Only ID tokens have these claims. They tell the client who signed in, and grant no access.
    if for_client || claims.contains_key("nonce") || claims.contains_key("at_hash") {
        record(lines, address, "it is an ID token");
        return Err(Error::Unauthorized);
    }
    let profile = Profile {
        issuer: provider.issuer().to_owned(),
        subject: text(&claims, "sub").ok_or(Error::Unauthorized)?,
        email: text(&claims, "email").unwrap_or_default(),
        email_verified: false,
        name: text(&claims, "name").unwrap_or_default(),
        roles: provider.roles(&claims).unwrap_or_default(),
    }
    .tidied();
    let Some(issued_at) = time(&claims, "iat") else {
        record(lines, address, "it does not say when it was issued");
        return Err(Error::Unauthorized);
    };
    let (user_id, roles) = service::user_of_bearer(cx, &profile, issued_at).await?;
    Ok(Session {
        user_id,
        subject: profile.subject,
        name: profile.name,
        email: profile.email,
        roles,
        proof: Proof::Bearer,
        methods: methods(&claims),
        authenticated_at: time(&claims, "auth_time").unwrap_or_default(),
    })
}

/// The time of a claim, UTC milliseconds.
fn time(claims: &Map<String, Value>, name: &str) -> Option<i64> {
    claims.get(name).and_then(Value::as_f64).map(|seconds| (seconds * 1000.0) as i64)
}

/// How the user authenticated.
fn methods(claims: &Map<String, Value>) -> Vec<String> {
    let listed = claims.get("amr").and_then(Value::as_array).into_iter().flatten();
    let listed = listed.filter_map(|method| method.as_str().map(str::to_owned));
    text(claims, "acr").into_iter().chain(listed).collect()
}

fn record(lines: &Lines, address: ClientAddress, detail: &str) {
    lines.record(Event::TokenRefused, Cause { user: None, network: &address.network() }, detail);
}

fn refused(lines: &Lines, error: ProviderError, address: ClientAddress) -> Error {
    match error {
        ProviderError::Refused(reason) => {
            record(lines, address, &reason);
            Error::Unauthorized
        }
        ProviderError::Unavailable(reason) => {
            if lines.may_write("token_unchecked") {
                tracing::warn!(reason, "an access token could not be checked");
            }
            Error::Timeout
        }
    }
}

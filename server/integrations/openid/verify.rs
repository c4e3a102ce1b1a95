//! Verifies tokens presented by others: JWTs of the provider.

use jsonwebtoken::{Algorithm, DecodingKey, Validation, decode, decode_header};
use serde_json::{Map, Value};
use shop_domain::identity::provider::ProviderError;

use super::discovery::{Discovery, Known};

const SIGNATURES: [Algorithm; 4] = [Algorithm::RS256, Algorithm::PS256, Algorithm::ES256, Algorithm::EdDSA];
/// Tolerated difference between the clocks.
const LEEWAY_MS: i64 = 30_000;

/// The claims of a JWT that the provider at `issuer` signed for `audience`, and that is valid at `now`, UTC milliseconds.
pub async fn verify(
    discovery: &Discovery,
    issuer: &str,
    token: &str,
    types: &[&str],
    audience: &str,
    now: i64,
) -> Result<Map<String, Value>, ProviderError> {
    let refused = |error: &dyn std::fmt::Display| ProviderError::Refused(error.to_string());
    let header = decode_header(token).map_err(|error| refused(&error))?;
    let kind = header.typ.as_deref().unwrap_or("JWT");
    if !types.iter().any(|known| known.eq_ignore_ascii_case(kind)) {
        return Err(ProviderError::Refused(format!("a token of type {kind}")));
    }
    if !SIGNATURES.contains(&header.alg) {
        return Err(ProviderError::Refused("its signature's algorithm".to_owned()));
    }
    let named = |known: &Known| match &header.kid {
        Some(id) => known.keys.find(id).cloned(),
        None => known.keys.keys.first().filter(|_| known.keys.keys.len() == 1).cloned(),
    };
    let mut key = named(discovery.known().await?.as_ref());
    if key.is_none() {
        key = named(discovery.known_with_new_keys().await?.as_ref());
    }
    let key = key.ok_or_else(|| ProviderError::Refused("an unknown key".to_owned()))?;
    let key = DecodingKey::from_jwk(&key).map_err(|error| refused(&error))?;
    let mut rules = Validation::new(header.alg);
    rules.set_audience(&[audience]);
    rules.set_issuer(&[issuer]);
    rules.set_required_spec_claims(&["iss", "aud"]);
    // Checked below, by the shop's clock.
    rules.validate_exp = false;
    let claims = decode::<Map<String, Value>>(token, &key, &rules).map_err(|error| refused(&error))?.claims;
    check_times(&claims, now)?;
    Ok(claims)
}

fn check_times(claims: &Map<String, Value>, now: i64) -> Result<(), ProviderError> {
    let ms = |name: &str| claims.get(name).and_then(Value::as_f64).map(|seconds| (seconds * 1000.0) as i64);
    match (ms("exp"), ms("nbf").or(ms("iat"))) {
        (Some(ends), _) if now >= ends + LEEWAY_MS => Err(ProviderError::Refused("it is over".to_owned())),
        (_, Some(begins)) if begins > now + LEEWAY_MS => Err(ProviderError::Refused("not valid yet".to_owned())),
        (Some(_), _) => Ok(()),
        (None, _) => Err(ProviderError::Refused("it never ends".to_owned())),
    }
}

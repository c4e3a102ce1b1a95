//! Verifies tokens presented by others: JWTs of the provider.

use std::sync::Arc;

use jsonwebtoken::{Algorithm, DecodingKey, Validation, decode, decode_header};
use serde_json::{Map, Value};
use shop_base::clock::CLOCK_SKEW;
use shop_domain::identity::provider::ProviderError;

use super::discovery::{Discovery, Known};

const SIGNATURES: [Algorithm; 4] = [Algorithm::RS256, Algorithm::PS256, Algorithm::ES256, Algorithm::EdDSA];

/// The claims of a JWT that the provider at `issuer` signed for `audience`, and that is valid at `now`, UTC milliseconds.
pub async fn verify(
    discovery: &Arc<Discovery>,
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
        return Err(ProviderError::Refused("a token of another type".to_owned()));
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
    let refused = |reason: &str| ProviderError::Refused(reason.to_owned());
    // A claim of another type counts as wrong, not as absent.
    let ms = |name: &str| match claims.get(name).map(Value::as_f64) {
        Some(None) => Err(refused("a time that is not a number")),
        seconds => Ok(seconds.flatten().map(|seconds| (seconds * 1000.0) as i64)),
    };
    let (ends, not_before, issued) = (ms("exp")?, ms("nbf")?, ms("iat")?);
    // The provider's clock may differ by as much as that of another node.
    match (ends, not_before.or(issued)) {
        (Some(ends), _) if now >= ends + CLOCK_SKEW => Err(refused("it is over")),
        (_, Some(begins)) if begins > now + CLOCK_SKEW => Err(refused("not valid yet")),
        (Some(_), _) => Ok(()),
        (None, _) => Err(refused("it never ends")),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::check_times;

    fn allowed(claims: Value) -> bool {
        check_times(claims.as_object().unwrap(), 1_000_000).is_ok()
    }

    #[test]
    fn clocks_may_differ_by_a_minute() {
        assert!(allowed(json!({ "exp": 945, "nbf": 900 })));
        assert!(!allowed(json!({ "exp": 940, "nbf": 900 })));
        for begins in ["nbf", "iat"] {
            assert!(allowed(json!({ "exp": 1_300, begins: 1_055 })), "{begins}");
            assert!(!allowed(json!({ "exp": 1_300, begins: 1_061 })), "{begins}");
        }
    }

    #[test]
    fn a_time_of_another_type_is_not_overlooked() {
        assert!(allowed(json!({ "exp": 1_100, "nbf": 900, "iat": 900 })));
        assert!(!allowed(json!({ "exp": 1_100, "nbf": 2_000, "iat": 900 })));
        assert!(!allowed(json!({ "exp": 1_100, "nbf": "2000", "iat": 900 })));
        assert!(!allowed(json!({ "exp": "1100" })));
        assert!(!allowed(json!({ "exp": 900 })));
        assert!(!allowed(json!({ "iat": 900 })));
    }
}

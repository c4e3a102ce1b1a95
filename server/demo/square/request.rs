//! Parses requests, and replays responses to repeated ones.

use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde::de::DeserializeOwned;
use serde_json::Value;
use sha2::{Digest, Sha256};

use super::errors::ApiError;
use super::ledger::{Change, Ledger};
use super::model::Answer;

/// Parses a body as JSON, whatever the content type says.
pub fn parse<T: DeserializeOwned>(body: &[u8]) -> Result<T, ApiError> {
    serde_json::from_slice(body).map_err(|error| ApiError::request("BAD_REQUEST", error.to_string()))
}

/// A required text of at most `limit` characters.
pub fn required(field: &'static str, value: Option<&str>, limit: usize) -> Result<String, ApiError> {
    match optional(field, value, limit)? {
        Some(value) if !value.is_empty() => Ok(value),
        Some(_) => Err(ApiError::field("VALUE_EMPTY", field, "Field must not be blank")),
        None => Err(ApiError::field("MISSING_REQUIRED_PARAMETER", field, "Missing required parameter.")),
    }
}

/// A text of at most `limit` characters.
pub fn optional(field: &'static str, value: Option<&str>, limit: usize) -> Result<Option<String>, ApiError> {
    match value {
        Some(value) if value.chars().count() > limit => {
            let detail = format!("Field must not be greater than {limit} length");
            Err(ApiError::field("VALUE_TOO_LONG", field, detail))
        }
        value => Ok(value.map(str::to_owned)),
    }
}

/// The first response for this key, or an error if it was a different request.
///
/// judgment: responses are kept forever, including declines, but not errors of the request itself; Square publishes neither.
pub fn replayed(ledger: &Ledger, operation: &str, key: &str, body: &[u8]) -> Result<Option<Response>, ApiError> {
    let Some(answer) = ledger.answers.get(&(operation.to_owned(), key.to_owned())) else { return Ok(None) };
    if answer.hash != hash(body) {
        let detail = "Different request parameters used for the same idempotency_key.";
        return Err(ApiError::field("IDEMPOTENCY_KEY_REUSED", "idempotency_key", detail));
    }
    let status = StatusCode::from_u16(answer.status).unwrap_or(StatusCode::OK);
    Ok(Some((status, axum::Json(answer.body.clone())).into_response()))
}

/// Stores a response together with what it changed.
pub fn kept(operation: &str, key: &str, request: &[u8], status: StatusCode, body: &Value) -> Change {
    Change::Answer(Answer {
        operation: operation.to_owned(),
        idempotency_key: key.to_owned(),
        hash: hash(request),
        status: status.as_u16(),
        body: body.clone(),
    })
}

fn hash(body: &[u8]) -> String {
    Sha256::digest(body).iter().map(|byte| format!("{byte:02x}")).collect()
}

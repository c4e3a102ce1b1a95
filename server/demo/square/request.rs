//! Reading requests, and answering those that come again.

use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde::de::DeserializeOwned;
use serde_json::Value;
use sha2::{Digest, Sha256};

use super::errors::ApiError;
use super::ledger::{Change, Ledger};
use super::model::Answer;

/// Reads a body as Square's requests are: JSON, whatever the content type says.
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

/// The first answer to this key, or an error when its request was another one.
///
/// judgment: answers are kept forever, declines as well, refusals of the request as such not; Square publishes neither.
pub fn replayed(ledger: &Ledger, operation: &str, key: &str, body: &[u8]) -> Result<Option<Response>, ApiError> {
    let Some(answer) = ledger.answers.get(&(operation.to_owned(), key.to_owned())) else { return Ok(None) };
    if answer.hash != hash(body) {
        let detail = "Different request parameters used for the same idempotency_key.";
        return Err(ApiError::field("IDEMPOTENCY_KEY_REUSED", "idempotency_key", detail));
    }
    let status = StatusCode::from_u16(answer.status).unwrap_or(StatusCode::OK);
    Ok(Some((status, axum::Json(answer.body.clone())).into_response()))
}

/// Keeps an answer beside what it changed.
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

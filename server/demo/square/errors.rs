//! Errors in Square's format. judgment: Square publishes HTTP statuses only for credentials and rate limits; 400 is what others have
//! observed for the rest, 404 for what does not exist.

use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};

#[derive(Clone, Debug)]
pub struct ApiError {
    status: StatusCode,
    category: &'static str,
    code: &'static str,
    detail: String,
    field: Option<&'static str>,
    retry_after: Option<u64>,
}

impl ApiError {
    fn new(status: StatusCode, category: &'static str, code: &'static str, detail: impl Into<String>) -> Self {
        Self { status, category, code, detail: detail.into(), field: None, retry_after: None }
    }

    pub fn request(code: &'static str, detail: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, "INVALID_REQUEST_ERROR", code, detail)
    }

    pub fn field(code: &'static str, field: &'static str, detail: impl Into<String>) -> Self {
        Self { field: Some(field), ..Self::request(code, detail) }
    }

    pub fn card(code: &'static str, detail: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, "PAYMENT_METHOD_ERROR", code, detail)
    }

    pub fn refund(code: &'static str, detail: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, "REFUND_ERROR", code, detail)
    }

    pub fn not_found(noun: &str, id: &str) -> Self {
        let detail = format!("Could not find {noun} with id: {id}");
        Self::new(StatusCode::NOT_FOUND, "INVALID_REQUEST_ERROR", "NOT_FOUND", detail)
    }

    pub fn unauthorized() -> Self {
        let detail = "This request could not be authorized.";
        Self::new(StatusCode::UNAUTHORIZED, "AUTHENTICATION_ERROR", "UNAUTHORIZED", detail)
    }

    pub fn rate_limited(retry_after: u64) -> Self {
        let detail = "Too many requests.";
        let error = Self::new(StatusCode::TOO_MANY_REQUESTS, "RATE_LIMIT_ERROR", "RATE_LIMITED", detail);
        Self { retry_after: Some(retry_after), ..error }
    }

    pub fn server() -> Self {
        let detail = "An internal error has occurred.";
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, "API_ERROR", "INTERNAL_SERVER_ERROR", detail)
    }

    fn json(&self) -> Value {
        let mut error = json!({ "category": self.category, "code": self.code, "detail": self.detail });
        if let (Some(field), Value::Object(fields)) = (self.field, &mut error) {
            fields.insert("field".to_owned(), json!(field));
        }
        json!({ "errors": [error] })
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let mut response = (self.status, Json(self.json())).into_response();
        if let Some(seconds) = self.retry_after {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        response
    }
}

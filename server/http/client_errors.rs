//! Receives the errors that browsers report.

use std::sync::Arc;

use axum::extract::{FromRequest, Request, State};
use axum::http::StatusCode;
use serde::Deserialize;
use shop_base::error::Error;
use shop_platform::web::client_address::ClientAddress;
use shop_platform::web::extract::Json;
use shop_platform::web::limit::NetworkLimiter;
use utoipa::ToSchema;

const MAX_CHARS: usize = 4_000;

/// Rate limit for error reports by address.
#[derive(Debug)]
pub struct ClientErrorLimiter(pub NetworkLimiter);

/// An uncaught error of the browser app.
#[derive(Debug, Deserialize, ToSchema)]
pub struct ClientError {
    pub message: String,
    #[serde(default)]
    pub stack: String,
    /// Path of the page.
    #[serde(default)]
    pub url: String,
    #[serde(default)]
    pub build: String,
    /// What caught the error, such as `mount` or `unhandledrejection`.
    #[serde(default)]
    pub kind: String,
}

/// `POST /api/client-errors`
#[utoipa::path(post, path = "/api/client-errors", request_body = ClientError, responses(
    (status = 204, description = "Logged"),
    (status = 429, description = "Too many from this address", body = shop_base::error::Problem),
))]
pub async fn report(
    State(limiter): State<Arc<ClientErrorLimiter>>,
    ClientAddress(address): ClientAddress,
    request: Request,
) -> Result<StatusCode, Error> {
    limiter.0.check(address)?;
    let Json(error): Json<ClientError> = Json::from_request(request, &()).await?;
    let cut = |text: &str| text.chars().take(MAX_CHARS).collect::<String>();
    // The query may contain user input, so only the path is logged.
    let path = error.url.split(['?', '#']).next().unwrap_or_default();
    tracing::warn!(
        kind = cut(&error.kind),
        build = cut(&error.build),
        path = cut(path),
        // Not `message`: a field of that name takes the place of the words below, and is written without escapes.
        error = cut(&error.message),
        stack = cut(&error.stack),
        "an error in a browser"
    );
    Ok(StatusCode::NO_CONTENT)
}

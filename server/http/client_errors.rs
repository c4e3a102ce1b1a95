//! Receives the errors that browsers report.

use std::num::NonZeroU32;
use std::sync::Arc;

use axum::extract::{FromRequest, Request, State};
use axum::http::StatusCode;
use serde::Deserialize;
use shop_base::error::Error;
use shop_base::loggable::loggable;
use shop_platform::metrics::limit_hits;
use shop_platform::web::client_address::ClientAddress;
use shop_platform::web::extract::Json;
use shop_platform::web::limit::{Limiter, NetworkLimiter};
use shop_platform::web::logged_path::logged_path;
use utoipa::ToSchema;

/// Messages of browsers from one network in a minute: errors, and violations of the content security policy.
const MOST_OF_NETWORK: u32 = 30;
/// Errors from all networks in a minute. Whoever has many addresses pushes nothing out of the log.
const MOST: u32 = 120;

/// What is logged of a report, in bytes. Anybody can send one.
const LONGEST_WORD: usize = 40;
const LONGEST_MESSAGE: usize = 300;
const LONGEST_STACK: usize = 2_000;

/// Rate limits for what browsers report.
#[derive(Debug)]
pub struct ClientErrorLimiter {
    pub networks: NetworkLimiter,
    all: Limiter<()>,
}

impl Default for ClientErrorLimiter {
    fn default() -> Self {
        Self {
            networks: NetworkLimiter::per_minute(MOST_OF_NETWORK, &limit_hits::CLIENT_ERRORS),
            all: Limiter::per_minute(MOST, &limit_hits::CLIENT_ERRORS),
        }
    }
}

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
    (status = 429, description = "Too many from this address, or from all", body = shop_base::error::Problem),
))]
pub async fn report(
    State(limiter): State<Arc<ClientErrorLimiter>>,
    ClientAddress(address): ClientAddress,
    request: Request,
) -> Result<StatusCode, Error> {
    limiter.networks.check(address)?;
    let Json(error): Json<ClientError> = Json::from_request(request, &()).await?;
    limiter.all.check_key(&(), NonZeroU32::MIN)?;
    // The query may contain user input, so only the path is logged.
    let path = logged_path(error.url.split(['?', '#']).next().unwrap_or_default());
    tracing::warn!(
        kind = cut(&error.kind, LONGEST_WORD),
        build = cut(&error.build, LONGEST_WORD),
        path = &*path,
        // Not `message`: a field of that name takes the place of the words below, and is written without escapes.
        error = cut(&error.message, LONGEST_MESSAGE),
        stack = cut(&error.stack, LONGEST_STACK),
        "an error in a browser"
    );
    Ok(StatusCode::NO_CONTENT)
}

/// Its beginning, of so many bytes. Without control characters, which are six times as long in the log.
fn cut(text: &str, longest: usize) -> String {
    loggable(&text[..text.floor_char_boundary(longest)]).into_owned()
}

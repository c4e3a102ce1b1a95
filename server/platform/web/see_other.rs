//! Redirects to another page.

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};

/// Stored nowhere: going back, a browser takes a stored redirect without asking, also after the sign-in to which it has led, and goes in
/// circles if the provider shows no prompt.
pub fn see_other(location: &str) -> Response {
    let location = HeaderValue::try_from(location).unwrap_or(HeaderValue::from_static("/"));
    let no_store = HeaderValue::from_static("no-store");
    (StatusCode::SEE_OTHER, [(header::LOCATION, location), (header::CACHE_CONTROL, no_store)]).into_response()
}

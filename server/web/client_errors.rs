//! Where browsers report what went wrong in them.

use std::net::IpAddr;
use std::num::NonZeroU32;

use axum::extract::{FromRequest, Request, State};
use axum::http::StatusCode;
use governor::{DefaultKeyedRateLimiter, Quota};
use serde::Deserialize;
use utoipa::ToSchema;

use super::client_address::ClientAddress;
use super::extract::Json;
use crate::app::App;
use crate::error::Error;

const PER_MINUTE: NonZeroU32 = NonZeroU32::MIN.saturating_add(29);
const MAX_CHARS: usize = 4_000;

/// When more are remembered, those that have been quiet are forgotten.
const MANY_NETWORKS: usize = 10_000;

/// Reports taken from one network.
pub type ReportLimiter = DefaultKeyedRateLimiter<IpAddr>;

pub fn limiter() -> ReportLimiter {
    ReportLimiter::keyed(Quota::per_minute(PER_MINUTE))
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
    /// What caught it, such as `mount` or `unhandledrejection`.
    #[serde(default)]
    pub kind: String,
}

/// `POST /api/client-errors`
#[utoipa::path(post, path = "/api/client-errors", request_body = ClientError, responses(
    (status = 204, description = "Logged"),
    (status = 429, description = "Too many from this address", body = crate::error::Problem),
))]
pub async fn report(
    State(app): State<App>,
    ClientAddress(address): ClientAddress,
    request: Request,
) -> Result<StatusCode, Error> {
    let limiter = &app.client_error_limiter;
    if limiter.len() > MANY_NETWORKS {
        limiter.retain_recent();
    }
    if limiter.check_key(&network(address)).is_err() {
        return Err(Error::TooManyRequests);
    }
    let Json(error): Json<ClientError> = Json::from_request(request, &app).await?;
    let cut = |text: &str| text.chars().take(MAX_CHARS).collect::<String>();
    // The query may hold what a visitor typed; the path tells enough.
    let path = error.url.split(['?', '#']).next().unwrap_or_default();
    tracing::warn!(
        kind = cut(&error.kind),
        build = cut(&error.build),
        path = cut(path),
        message = cut(&error.message),
        stack = cut(&error.stack),
        "an error in a browser"
    );
    Ok(StatusCode::NO_CONTENT)
}

/// Who is counted as one: an IPv4 address, or the 64 leading bits of an IPv6 address, within which anybody has all of them.
fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => IpAddr::V6((address.to_bits() >> 64 << 64).into()),
        address => address,
    }
}

#[cfg(test)]
mod tests {
    use super::network;

    #[test]
    fn an_ipv6_network_is_counted_as_one() {
        let network = |text: &str| network(text.parse().expect("an address")).to_string();
        assert_eq!(network("2001:db8:1:2:3:4:5:6"), "2001:db8:1:2::");
        assert_eq!(network("203.0.113.7"), "203.0.113.7");
        assert_eq!(network("::ffff:203.0.113.7"), "203.0.113.7");
    }
}

//! Security headers on every answer.

use axum::extract::{Request, State};
use axum::http::{HeaderName, HeaderValue, header};
use axum::middleware::Next;
use axum::response::Response;
use url::Url;

use crate::app::App;
use crate::config::Config;

/// Where the analytics beacon is loaded from and reports to.
const BEACON_SCRIPT: &str = " https://static.cloudflareinsights.com";
const BEACON_REPORT: &str = " https://cloudflareinsights.com";

/// The policies of one running shop, written once at the start.
#[derive(Clone, Debug)]
pub struct SecurityHeaders(Vec<(HeaderName, HeaderValue)>);

impl SecurityHeaders {
    pub fn new(config: &Config) -> Self {
        let (script, report) = match &config.analytics {
            Some(_) => (BEACON_SCRIPT, BEACON_REPORT),
            None => ("", ""),
        };
        let api = config.http.api_base.as_ref().map(|base| format!(" {}", base.origin().ascii_serialization()));
        // The form that signs out is answered with a redirect to the provider, which this holds for, too.
        let issuer = config.identity.as_ref().and_then(|identity| Url::parse(&identity.issuer).ok());
        let provider = issuer.map(|issuer| format!(" {}", issuer.origin().ascii_serialization()));
        let policy = format!(
            "default-src 'self'; script-src 'self'{script}; style-src 'self'; style-src-attr 'unsafe-inline'; \
             img-src 'self' data:; connect-src 'self'{report}{}; object-src 'none'; base-uri 'none'; \
             form-action 'self'{}; frame-ancestors 'none'",
            api.unwrap_or_default(),
            provider.unwrap_or_default()
        );
        let mut headers = vec![
            (header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
            (header::REFERRER_POLICY, HeaderValue::from_static("strict-origin-when-cross-origin")),
            (header::X_FRAME_OPTIONS, HeaderValue::from_static("DENY")),
            (
                HeaderName::from_static("permissions-policy"),
                HeaderValue::from_static("camera=(), geolocation=(), microphone=()"),
            ),
            (
                HeaderName::from_static("cross-origin-opener-policy"),
                HeaderValue::from_static("same-origin-allow-popups"),
            ),
        ];
        if let Ok(policy) = HeaderValue::try_from(policy) {
            headers.push((header::CONTENT_SECURITY_POLICY, policy));
        }
        if config.http.is_https() {
            let value = HeaderValue::from_static("max-age=31536000; includeSubDomains");
            headers.push((header::STRICT_TRANSPORT_SECURITY, value));
        }
        Self(headers)
    }
}

pub async fn secure(State(app): State<App>, request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    for (name, value) in &app.security_headers.0 {
        response.headers_mut().insert(name.clone(), value.clone());
    }
    response
}

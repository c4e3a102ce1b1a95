//! Receives what browsers report about violations of the content security policy.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::StatusCode;
use serde::Deserialize;
use serde_json::Value;
use shop_base::error::Error;
use shop_base::security::{Cause, Event, Lines};
use shop_platform::web::client_address::ClientAddress;
use shop_platform::web::extract::read_body;
use url::Url;

use crate::client_errors::ClientErrorLimiter;

const MAX_BYTES: usize = 64 * 1024;
/// Of one message.
const MAX_REPORTS: usize = 10;
const MAX_CHARS: usize = 200;

/// A violation, in the words of the Reporting API and of the older `report-uri`.
#[derive(Debug, Deserialize)]
struct Violation {
    #[serde(alias = "documentURL", alias = "document-uri", default)]
    document: String,
    #[serde(alias = "effectiveDirective", alias = "violated-directive", default)]
    directive: String,
    #[serde(alias = "blockedURL", alias = "blocked-uri", default)]
    blocked: String,
}

/// `POST /api/policy-reports`
#[utoipa::path(post, path = "/api/policy-reports", request_body(
    content((serde_json::Value = "application/reports+json"), (serde_json::Value = "application/csp-report"))), responses(
    (status = 204, description = "Logged"),
    (status = 400, description = "Not a report", body = shop_base::error::Problem),
    (status = 413, description = "Too large", body = shop_base::error::Problem),
    (status = 429, description = "Too many from this address", body = shop_base::error::Problem),
))]
pub async fn report(
    State(limiter): State<Arc<ClientErrorLimiter>>,
    State(lines): State<Arc<Lines>>,
    address: ClientAddress,
    request: Request,
) -> Result<StatusCode, Error> {
    limiter.networks.check(address.0)?;
    let body = read_body(request, MAX_BYTES).await?;
    for violation in violations(&body).ok_or_else(|| Error::BadRequest { detail: "Not a report.".to_owned() })? {
        let cause = Cause { user: None, network: &address.network() };
        lines.record(Event::PolicyViolation, cause, &violation.detail());
    }
    Ok(StatusCode::NO_CONTENT)
}

/// Those that a message tells of; reports of other kinds are left out. None if it is no JSON.
fn violations(body: &[u8]) -> Option<Vec<Violation>> {
    let bodies = match serde_json::from_slice(body).ok()? {
        Value::Array(reports) => reports.into_iter().take(MAX_REPORTS).map(|report| report["body"].clone()).collect(),
        report => vec![report["csp-report"].clone()],
    };
    Some(bodies.into_iter().filter_map(|body| serde_json::from_value(body).ok()).collect())
}

impl Violation {
    /// Such as `script-src https://evil.example on /products`. Addresses without what may be secret.
    fn detail(&self) -> String {
        let blocked = Url::parse(&self.blocked).map_or_else(
            |_| self.blocked.clone(),
            |url| if url.has_host() { url.origin().ascii_serialization() } else { url.scheme().to_owned() },
        );
        let page = Url::parse(&self.document).map(|url| url.path().to_owned()).unwrap_or_default();
        [self.directive.as_str(), &blocked, "on", &page].join(" ").chars().take(MAX_CHARS).collect()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{MAX_CHARS, MAX_REPORTS, violations};

    fn details(body: &serde_json::Value) -> Vec<String> {
        violations(body.to_string().as_bytes()).unwrap_or_default().iter().map(super::Violation::detail).collect()
    }

    #[test]
    fn both_kinds_of_reports_are_read_without_queries() {
        let new = json!([{ "type": "csp-violation", "body": {
            "documentURL": "https://shop.example/products?q=secret", "effectiveDirective": "script-src-elem",
            "blockedURL": "https://evil.example/x.js?secret", "disposition": "enforce",
        }}]);
        assert_eq!(details(&new), ["script-src-elem https://evil.example on /products"]);
        let old = json!({ "csp-report": {
            "document-uri": "https://shop.example/account", "violated-directive": "style-src", "blocked-uri": "inline",
        }});
        assert_eq!(details(&old), ["style-src inline on /account"]);
        let data = json!({ "csp-report": { "document-uri": "about", "blocked-uri": "data:text/html,secret" }});
        assert_eq!(details(&data), [" data on "]);
        assert!(violations(b"[").is_none());
        for other in ["{}", "3", "[1, {}, null]", r#"[{"body": 1}]"#] {
            assert!(violations(other.as_bytes()).is_some_and(|found| found.is_empty()), "{other}");
        }
    }

    #[test]
    fn a_message_has_so_many_reports_of_so_many_letters() {
        let report = json!({ "body": { "effectiveDirective": "é".repeat(1_000) } });
        let details = details(&json!(vec![report; MAX_REPORTS + 1]));
        assert_eq!(details, vec!["é".repeat(MAX_CHARS); MAX_REPORTS]);
    }
}

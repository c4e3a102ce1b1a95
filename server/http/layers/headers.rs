//! Security headers on every response.

use axum::http::{HeaderName, HeaderValue, header};
use axum::response::Response;
use shop_base::config::{Config, SquareConfig};
use shop_platform::web::private_pages::is_private;
use url::Url;

/// Where the analytics beacon is loaded from and reports to.
const BEACON_SCRIPT: &str = " https://static.cloudflareinsights.com";
const BEACON_REPORT: &str = " https://cloudflareinsights.com";

/// Of the rules in `page/document.rs`, which are data: no inline script runs.
const RULES_HASH: &str = "'sha256-Ng5itr47iMkmvJJ1ErmJ0xsmTyPlN3SzxKeAkqUhEWY='";

/// The only page that loads the card form. Links to it are full page loads (`app/lib/links.ts`), since a document keeps its policy.
const CHECKOUT: &str = "/checkout";

/// Where browsers report violations.
const REPORTS: &str = "/api/policy-reports";
/// Text becomes HTML or a script's address only in `app/lib/trusted.ts`.
const TRUSTED_TYPES: &str = "; require-trusted-types-for 'script'; trusted-types shop";

const QUOTE: &str = "/api/checkout/quote";
const SECRET_CALLS: [&str; 3] = ["/api/admin/", "/api/checkout/", "/auth/"];

const RESOURCE_POLICY: HeaderName = HeaderName::from_static("cross-origin-resource-policy");
const IMAGES: &str = "/images/";
const ICON: &str = "/icon.svg";

/// The policies of a running shop, built once at the start.
#[derive(Clone, Debug)]
pub struct SecurityHeaders {
    common: Vec<(HeaderName, HeaderValue)>,
    content: HeaderValue,
    /// Without any third party.
    private: HeaderValue,
    /// For the checkout only.
    checkout: HeaderValue,
}

/// Additional sources in a content security policy beyond the shop's own origin; each begins with a space.
#[derive(Clone, Debug, Default)]
struct Allowed {
    script: String,
    style: String,
    connect: String,
    frame: String,
    form: String,
    font: String,
    /// Code of others runs that may make HTML of text.
    other_code: bool,
}

impl Allowed {
    fn beacon(config: &Config) -> Self {
        match &config.analytics {
            Some(_) => Self { script: BEACON_SCRIPT.into(), connect: BEACON_REPORT.into(), ..Self::default() },
            None => Self::default(),
        }
    }

    /// The sources that Square documents for its script; a stand-in needs fewer.
    fn card_form(square: &SquareConfig) -> Self {
        let origin = format!(" {}", square.script.origin().ascii_serialization());
        let calls = match square.script.host_str() {
            Some("web.squarecdn.com") => "https://pci-connect.squareup.com",
            Some("sandbox.web.squarecdn.com") => "https://pci-connect.squareupsandbox.com",
            _ => return Self { script: origin.clone(), frame: origin, other_code: true, ..Self::default() },
        };
        Self {
            connect: format!("{origin} {calls}"),
            style: format!(" 'unsafe-inline'{origin}"),
            // Banks' 3-D Secure challenges can come from any origin; Square's script sends forms to them in frames of this page.
            frame: format!("{origin} https:"),
            form: " https:".to_owned(),
            font: " https://square-fonts-production-f.squarecdn.com https://d1g145x70srn7h.cloudfront.net".to_owned(),
            script: origin,
            other_code: true,
        }
    }
}

fn policy(config: &Config, allowed: &Allowed) -> String {
    let origin = |url: &Url| format!(" {}", url.origin().ascii_serialization());
    let api = config.http.api_base.as_ref().map(origin).unwrap_or_default();
    // A list is filtered by a form, too. After its session it leads to redirects to sign-in at the provider, to which `form-action` applies.
    let issuer = config.identity.as_ref().and_then(|identity| Url::parse(&identity.issuer).ok());
    let provider = issuer.as_ref().map(origin).unwrap_or_default();
    let Allowed { script, style, connect, frame, form, font, other_code } = allowed;
    let types = if *other_code { "" } else { TRUSTED_TYPES };
    format!(
        "default-src 'self'; script-src 'self' {RULES_HASH}{script}; style-src 'self'{style}; style-src-attr 'unsafe-inline'; \
         img-src 'self' data:; font-src 'self'{font}; frame-src 'self'{frame}; connect-src 'self'{connect}{api}; \
         object-src 'none'; base-uri 'none'; form-action 'self'{provider}{form}; frame-ancestors 'none'; \
         report-uri {REPORTS}; report-to policy{types}"
    )
}

/// Origins are ASCII, so this cannot fail; if it did, the policy would be stricter.
fn header_value(policy: &str) -> HeaderValue {
    HeaderValue::from_str(policy).unwrap_or(HeaderValue::from_static("default-src 'self'"))
}

impl SecurityHeaders {
    pub fn new(config: &Config) -> Self {
        let card_form = config.square.as_ref().map(Allowed::card_form).unwrap_or_default();
        let mut headers = vec![
            (header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
            (header::REFERRER_POLICY, HeaderValue::from_static("strict-origin-when-cross-origin")),
            (header::X_FRAME_OPTIONS, HeaderValue::from_static("DENY")),
            (
                HeaderName::from_static("permissions-policy"),
                HeaderValue::from_static("camera=(), geolocation=(), microphone=()"),
            ),
            (HeaderName::from_static("reporting-endpoints"), header_value(&format!("policy=\"{REPORTS}\""))),
            (
                HeaderName::from_static("cross-origin-opener-policy"),
                HeaderValue::from_static("same-origin-allow-popups"),
            ),
        ];
        if config.http.is_https() {
            let value = HeaderValue::from_static("max-age=31536000; includeSubDomains");
            headers.push((header::STRICT_TRANSPORT_SECURITY, value));
        }
        Self {
            common: headers,
            content: header_value(&policy(config, &Allowed::beacon(config))),
            private: header_value(&policy(config, &Allowed::default())),
            checkout: header_value(&policy(config, &card_form)),
        }
    }

    /// Adds them to the response to a request for `path`.
    pub fn add(&self, path: &str, response: &mut Response) {
        let content = match path {
            CHECKOUT => &self.checkout,
            _ if is_private(path) => &self.private,
            _ => &self.content,
        };
        let headers = response.headers_mut();
        for (name, value) in &self.common {
            headers.insert(name.clone(), value.clone());
        }
        headers.insert(header::CONTENT_SECURITY_POLICY, content.clone());
        if is_private(path) {
            // The next document may have a beacon, which reads the address of the page before it.
            headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("strict-origin"));
        }
        // Mail programs on the web show the shop's pictures and icon.
        let readers = if path.starts_with(IMAGES) || path == ICON { "cross-origin" } else { "same-origin" };
        headers.insert(RESOURCE_POLICY, HeaderValue::from_static(readers));
        // Some shared caches keep what says nothing about it, such as the response to a call. What staff see and what proves an order is
        // stored nowhere. A page that has asked for a response that must not be stored is not kept by browsers for going back to it, so
        // other calls only forbid that others keep the response, or that it is used again unasked.
        let is_secret = path != QUOTE && SECRET_CALLS.iter().any(|beginning| path.starts_with(beginning));
        let cache = if is_secret { "private, no-store" } else { "private, no-cache" };
        headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static(cache));
    }
}

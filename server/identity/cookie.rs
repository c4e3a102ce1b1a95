//! The cookies of sign-in: the session's token, the state of a sign-in that is on its way, and a notice to show once.

use axum::http::{HeaderMap, HeaderValue, header};
use cookie::{Cookie, SameSite};

use crate::app::App;
use crate::config::Config;

/// Longer than any session lives.
const SESSION_SECONDS: i64 = 30 * 24 * 60 * 60;

/// A cookie of ours by its plain name.
#[derive(Clone, Copy, Debug)]
pub enum Name {
    Session,
    Flow,
    Notice,
}

impl Name {
    /// `__Host-` makes browsers refuse the cookie from sub-domains, and they take it over https only. The session's cookie
    /// cannot have it when the API is on another host, which must get it too.
    fn full(self, config: &Config) -> String {
        let plain = match self {
            Self::Session => "session",
            Self::Flow => "sign-in",
            Self::Notice => "notice",
        };
        match (config.http.is_https(), self.domain(config)) {
            (true, None) => format!("__Host-{plain}"),
            (true, Some(_)) => format!("__Secure-{plain}"),
            (false, _) => plain.to_owned(),
        }
    }

    fn domain(self, config: &Config) -> Option<&str> {
        match self {
            Self::Session => config.http.cookie_domain.as_deref(),
            Self::Flow | Self::Notice => None,
        }
    }

    fn seconds(self) -> i64 {
        match self {
            Self::Session => SESSION_SECONDS,
            Self::Flow => 600,
            Self::Notice => 60,
        }
    }
}

/// The value that the request carries.
pub fn read(app: &App, headers: &HeaderMap, name: Name) -> Option<String> {
    let name = name.full(&app.config);
    headers
        .get_all(header::COOKIE)
        .iter()
        .filter_map(|line| line.to_str().ok())
        .flat_map(|line| Cookie::split_parse(line.to_owned()).flatten())
        .find(|cookie| cookie.name() == name)
        .map(|cookie| cookie.value().to_owned())
}

/// The `Set-Cookie` that gives the value.
pub fn set(app: &App, name: Name, value: &str) -> HeaderValue {
    line(app, name, value, name.seconds())
}

/// The `Set-Cookie` that takes it back.
pub fn clear(app: &App, name: Name) -> HeaderValue {
    line(app, name, "", 0)
}

fn line(app: &App, name: Name, value: &str, seconds: i64) -> HeaderValue {
    let config = &app.config;
    let mut cookie = Cookie::build((name.full(config), value))
        .path("/")
        .http_only(true)
        .secure(config.http.is_https())
        .same_site(SameSite::Lax)
        .max_age(cookie::time::Duration::seconds(seconds));
    if let Some(domain) = name.domain(config) {
        cookie = cookie.domain(domain.to_owned());
    }
    HeaderValue::try_from(cookie.build().to_string()).unwrap_or(HeaderValue::from_static(""))
}

//! The cookies of sign-in: the session's token, the state of a sign-in in progress, and a notice to show once.

use axum::http::{HeaderMap, HeaderValue};
use cookie::{Cookie, SameSite};
use shop_base::config::Config;
use shop_base::context::Context;
use shop_platform::web::cookies::lines;
use uuid::Uuid;

/// Longer than any session lasts.
const SESSION_SECONDS: i64 = 30 * 24 * 60 * 60;
const FLOW: &str = "sign-in-";

/// The cookies by their plain names.
#[derive(Clone, Copy, Debug)]
pub enum Name {
    Session,
    /// Each sign-in in progress has its own, so that tabs do not interfere with each other.
    Flow(Uuid),
    Notice,
}

impl Name {
    /// `__Host-` makes browsers reject the cookie if a subdomain sets it, and accept it over https only. The session's cookie cannot have
    /// this prefix when the API is on another host, which must receive it, too.
    fn full(self, config: &Config) -> String {
        let plain = match self {
            Self::Session => "session".to_owned(),
            Self::Flow(id) => format!("{FLOW}{}", id.simple()),
            Self::Notice => "notice".to_owned(),
        };
        match (config.http.is_https(), self.domain(config)) {
            (true, None) => format!("__Host-{plain}"),
            (true, Some(_)) => format!("__Secure-{plain}"),
            (false, _) => plain,
        }
    }

    fn domain(self, config: &Config) -> Option<&str> {
        match self {
            Self::Session => config.http.cookie_domain.as_deref(),
            Self::Flow(_) | Self::Notice => None,
        }
    }

    fn seconds(self) -> i64 {
        match self {
            Self::Session => SESSION_SECONDS,
            // There may be a sign-in between setting a notice and the page that shows it.
            Self::Flow(_) | Self::Notice => 600,
        }
    }
}

/// The cookie's value in the request.
pub fn read(cx: &Context, headers: &HeaderMap, name: Name) -> Option<String> {
    let name = name.full(&cx.config);
    // Most requests have none of ours but the age proof: nothing is parsed for them.
    if !lines(headers).any(|line| line.contains(&name)) {
        return None;
    }
    sent(headers).find(|cookie| cookie.name() == name).map(|cookie| cookie.value().to_owned())
}

/// This browser's sign-ins in progress with their cookies' values, the oldest first.
pub fn flows(cx: &Context, headers: &HeaderMap) -> Vec<(Uuid, String)> {
    let flow = |cookie: Cookie<'static>| {
        let (_, id) = cookie.name().split_once(FLOW)?;
        let id = Uuid::try_parse(id).ok()?;
        (cookie.name() == Name::Flow(id).full(&cx.config)).then(|| (id, cookie.value().to_owned()))
    };
    let mut flows: Vec<_> = sent(headers).filter_map(flow).collect();
    flows.sort();
    flows
}

fn sent(headers: &HeaderMap) -> impl Iterator<Item = Cookie<'static>> {
    lines(headers).flat_map(|line| Cookie::split_parse(line.into_owned()).flatten())
}

/// The `Set-Cookie` with this value.
pub fn set(cx: &Context, name: Name, value: &str) -> HeaderValue {
    line(cx, name, value, name.seconds())
}

/// The `Set-Cookie` that deletes the cookie.
pub fn clear(cx: &Context, name: Name) -> HeaderValue {
    line(cx, name, "", 0)
}

fn line(cx: &Context, name: Name, value: &str, seconds: i64) -> HeaderValue {
    let config = &cx.config;
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

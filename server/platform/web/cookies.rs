//! The shop's signed cookies.

use std::borrow::Cow;
use std::ops::Deref;

use axum::http::{HeaderMap, HeaderValue, header};
use cookie::{Cookie, CookieJar, Key, SameSite};
use shop_base::config::{Config, Secret};
use shop_base::context::Context;

/// The request's cookies, as browsers send them: other programs of the domain may have set some with any characters.
pub fn lines(headers: &HeaderMap) -> impl Iterator<Item = Cow<'_, str>> {
    headers.get_all(header::COOKIE).iter().map(|line| String::from_utf8_lossy(line.as_bytes()))
}

/// The keys of signed cookies, derived from the shop's secret and its fallback.
#[derive(Clone)]
pub struct CookieKeys {
    key: Key,
    /// Only verifies.
    fallback: Option<Key>,
}

impl CookieKeys {
    pub fn new(config: &Config) -> Self {
        let derive = |secret: &Secret| Key::derive_from(secret.expose().as_bytes());
        Self { key: derive(&config.secret), fallback: config.secret_fallback.as_ref().map(derive) }
    }
}

/// Reads and writes signed cookies.
#[derive(Clone)]
pub struct SignedCookies {
    pub cx: Context,
    pub keys: CookieKeys,
}

impl SignedCookies {
    /// The value of the request's cookie of this name; none when it is missing or not signed by us.
    pub fn read(&self, name: &str, headers: &HeaderMap) -> Option<String> {
        let name = self.host_only(name);
        let sent = lines(headers).flat_map(Cookie::split_parse).flatten();
        let cookie = sent.filter(|cookie| cookie.name() == name).last()?;
        let cookie = cookie.into_owned();
        let keys = std::iter::once(&self.keys.key).chain(&self.keys.fallback);
        let verified = keys.filter_map(|key| CookieJar::new().signed(key).verify(cookie.clone())).next();
        verified.map(|cookie| cookie.value().to_owned())
    }

    /// The `Set-Cookie` of a cookie that scripts may read but only the server can write.
    pub fn write(&self, name: &str, value: String, seconds: i64) -> HeaderValue {
        self.sign(Cookie::new(self.host_only(name), value), seconds)
    }

    /// As [`Self::write`], for a cookie that scripts cannot read.
    pub fn write_hidden(&self, name: &str, value: String, seconds: i64) -> HeaderValue {
        self.sign(Cookie::build((self.host_only(name), value)).http_only(true).build(), seconds)
    }

    fn sign(&self, mut cookie: Cookie<'static>, seconds: i64) -> HeaderValue {
        cookie.set_path("/");
        cookie.set_secure(self.config.http.is_https());
        cookie.set_same_site(SameSite::Lax);
        cookie.set_max_age(cookie::time::Duration::seconds(seconds));
        let mut jar = CookieJar::new();
        jar.signed_mut(&self.keys.key).add(cookie);
        let line = jar.delta().next().map(ToString::to_string).unwrap_or_default();
        HeaderValue::try_from(line).unwrap_or(HeaderValue::from_static(""))
    }

    /// The prefix makes browsers reject the cookie if a subdomain sets it; they accept it over https only. `OWN_HOST` in `app/lib/api.ts`
    /// names the calls that read or set such a cookie.
    fn host_only(&self, name: &str) -> String {
        if self.config.http.is_https() { format!("__Host-{name}") } else { name.to_owned() }
    }
}

impl Deref for SignedCookies {
    type Target = Context;

    fn deref(&self) -> &Context {
        &self.cx
    }
}

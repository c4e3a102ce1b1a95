//! Reads single settings, and collects the problems with them.

use axum::http::{HeaderName, HeaderValue};
use url::Url;

use super::networks::is_inside;
use super::settings::SETTINGS;

/// Values of which a blank at either end is a part: without it one would be another secret, or name another place for the data.
const EXACT: [&str; 5] =
    ["SHOP_SECRET", "SHOP_SECRET_FALLBACK", "SHOP_OIDC_CLIENT_SECRET", "SHOP_DATABASE", "SHOP_DATA"];

pub struct Reader<'a> {
    pub lookup: &'a dyn Fn(&str) -> Option<String>,
    pub problems: &'a mut Vec<String>,
    /// What the shop can start with, but its operator should know.
    pub warnings: &'a mut Vec<String>,
}

impl Reader<'_> {
    pub fn text(&mut self, name: &str, default: Option<&str>) -> String {
        match self.some(name) {
            Some(value) => value,
            None => default.map(str::to_owned).unwrap_or_else(|| {
                self.problems.push(format!("{name} is missing"));
                String::new()
            }),
        }
    }

    pub fn parse<T: std::str::FromStr>(&mut self, name: &str, default: Option<&str>, expected: &str) -> Option<T> {
        let missing = self.problems.len();
        let value = self.text(name, default);
        if self.problems.len() > missing {
            return None;
        }
        value.parse().map_err(|_| self.problems.push(format!("{name}: '{value}' is not {expected}"))).ok()
    }

    pub fn some(&self, name: &str) -> Option<String> {
        debug_assert!(SETTINGS.iter().any(|setting| setting.name == name), "{name} is not in the list of settings");
        let value = (self.lookup)(name).filter(|value| !value.trim().is_empty())?;
        Some(if EXACT.contains(&name) { value } else { value.trim().to_owned() })
    }

    pub fn optional<T: std::str::FromStr>(&mut self, name: &str, expected: &str) -> Option<T> {
        self.some(name)?;
        self.parse(name, None, expected)
    }

    /// An address. The problem does not repeat it, since it may contain a password.
    pub fn address(&mut self, name: &str, expected: &str, is_right: impl FnOnce(&Url) -> bool) -> Option<Url> {
        let url = Url::parse(&self.some(name)?).ok().filter(is_right);
        if url.is_none() {
            self.problems.push(format!("{name} is not {expected}"));
        }
        url
    }

    /// The origin of a site: scheme, host and port.
    pub fn origin(&mut self, name: &str, example: &str) -> Option<Url> {
        let expected = format!("an origin such as {example}: http or https, a host, and nothing after it");
        self.address(name, &expected, |url| is_web(url) && url.path() == "/" && url.query().is_none())
    }

    /// The address of another service to which the shop sends secrets.
    pub fn endpoint(&mut self, name: &str) -> Option<Url> {
        const EXPECTED: &str =
            "an https address, or an http address inside your own network, without user, password and query";
        self.address(name, EXPECTED, |url| is_safe(url) && is_web(url) && url.query().is_none())
    }

    /// A header that authenticates the shop. Its value is marked as sensitive, so that it is never printed.
    pub fn header(&mut self, name: &str) -> Option<(HeaderName, HeaderValue)> {
        let line = self.some(name)?;
        let header = parse_header(&line);
        if header.is_none() {
            // Without the value, which is a secret.
            self.problems.push(format!("{name} is not a header such as Authorization: Bearer …"));
        }
        header
    }
}

/// An address of the web without credentials and fragment.
pub fn is_web(url: &Url) -> bool {
    matches!(url.scheme(), "http" | "https")
        && url.username().is_empty()
        && url.password().is_none()
        && url.fragment().is_none()
}

/// Whether a secret may be sent there.
pub fn is_safe(url: &Url) -> bool {
    url.scheme() == "https" || url.scheme() == "http" && url.host().is_some_and(|host| is_inside(&host))
}

fn parse_header(line: &str) -> Option<(HeaderName, HeaderValue)> {
    let (name, value) = line.split_once(':')?;
    let mut value = HeaderValue::from_str(value.trim()).ok()?;
    value.set_sensitive(true);
    Some((name.trim().parse().ok()?, value))
}

//! Reads single settings, and collects the problems with them.

use axum::http::{HeaderName, HeaderValue};
use url::Url;

use super::networks::is_inside;
use super::settings::SETTINGS;

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
        (self.lookup)(name).filter(|value| !value.trim().is_empty())
    }

    pub fn optional<T: std::str::FromStr>(&mut self, name: &str, expected: &str) -> Option<T> {
        self.some(name)?;
        self.parse(name, None, expected)
    }

    /// The address of another service to which the shop sends secrets.
    pub fn endpoint(&mut self, name: &str) -> Option<Url> {
        const EXPECTED: &str = "an https address, or an http address inside of your own network";
        let url: Url = self.optional(name, EXPECTED)?;
        let is_safe =
            url.scheme() == "https" || url.scheme() == "http" && url.host().is_some_and(|host| is_inside(&host));
        let is_bare = url.username().is_empty() && url.password().is_none() && url.query().is_none();
        if !is_safe || !is_bare {
            // Without the address, which may contain a password.
            self.problems.push(format!("{name} is not {EXPECTED}"));
        }
        Some(url)
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

fn parse_header(line: &str) -> Option<(HeaderName, HeaderValue)> {
    let (name, value) = line.split_once(':')?;
    let mut value = HeaderValue::from_str(value.trim()).ok()?;
    value.set_sensitive(true);
    Some((name.trim().parse().ok()?, value))
}

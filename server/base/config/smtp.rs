//! `SHOP_SMTP_URL` and `SHOP_MAIL_FROM`.

use std::net::IpAddr;

use lettre::message::Mailbox;
use url::{Host, Url};

use super::reader::Reader;
use super::secret::Secret;

/// The outgoing mail server and the sender.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SmtpSettings {
    pub host: String,
    pub port: u16,
    pub security: Security,
    /// User and password.
    pub credentials: Option<(String, Secret)>,
    pub sender: String,
    /// Defaults to the company's name.
    pub sender_name: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Security {
    /// TLS from the first byte: `smtps`.
    Encrypted,
    /// TLS by STARTTLS, which is required: `smtp`.
    StartTls,
    /// No TLS: `smtp` to this machine.
    Local,
}

impl SmtpSettings {
    /// Requires both settings or neither.
    pub(super) fn of(reader: &mut Reader<'_>) -> Option<Self> {
        match (reader.some("SHOP_SMTP_URL"), reader.some("SHOP_MAIL_FROM")) {
            (None, None) => {
                reader.warnings.push("mail is off: SHOP_SMTP_URL and SHOP_MAIL_FROM are not set".to_owned());
                None
            }
            (Some(url), Some(from)) => {
                Self::read(&url, &from).map_err(|problems| reader.problems.extend(problems)).ok()
            }
            (Some(_), None) => {
                reader.problems.push("SHOP_MAIL_FROM is missing, though SHOP_SMTP_URL is set".to_owned());
                None
            }
            (None, Some(_)) => {
                reader.problems.push("SHOP_SMTP_URL is missing, though SHOP_MAIL_FROM is set".to_owned());
                None
            }
        }
    }

    /// Reads `smtps://user:password@host:465` or `smtp://host:587`, and `care@shop.example` or `Shop <care@shop.example>`.
    /// The problems name the variables but do not contain the address, which includes a password.
    pub fn read(url: &str, from: &str) -> Result<Self, Vec<String>> {
        let server = server(url).ok_or_else(|| {
            "SHOP_SMTP_URL is not an address such as smtps://user:password@mail.example:465 or smtp://localhost:25"
                .to_owned()
        });
        let sender = from.parse::<Mailbox>().map_err(|_| {
            format!("SHOP_MAIL_FROM: '{from}' is not a sender such as care@shop.example or Shop <care@shop.example>")
        });
        match (server, sender) {
            (Ok((host, port, security, credentials)), Ok(sender)) => Ok(Self {
                host,
                port,
                security,
                credentials,
                sender: sender.email.to_string(),
                sender_name: sender.name,
            }),
            (server, sender) => Err([server.err(), sender.err()].into_iter().flatten().collect()),
        }
    }
}

type Server = (String, u16, Security, Option<(String, Secret)>);

fn server(text: &str) -> Option<Server> {
    let url = Url::parse(text).ok()?;
    // `smtp` is not a special scheme, so the host has not been parsed as an IP address yet.
    let host = url.host_str().filter(|host| !host.is_empty())?.trim_matches(['[', ']']).to_owned();
    let is_local = match Host::parse(url.host_str()?).ok()? {
        Host::Domain(name) => name == "localhost",
        Host::Ipv4(address) => IpAddr::V4(address).is_loopback(),
        Host::Ipv6(address) => IpAddr::V6(address).is_loopback(),
    };
    let (security, port) = match url.scheme() {
        "smtps" => (Security::Encrypted, 465),
        "smtp" if is_local => (Security::Local, 25),
        "smtp" => (Security::StartTls, 587),
        _ => return None,
    };
    if !matches!(url.path(), "" | "/") || url.query().is_some() || url.fragment().is_some() {
        return None;
    }
    let credentials = match (decoded(url.username())?, url.password()) {
        (user, None) if user.is_empty() => None,
        (user, Some(password)) if !user.is_empty() => Some((user, Secret::new(decoded(password)?))),
        _ => return None,
    };
    Some((host, url.port().unwrap_or(port), security, credentials))
}

/// Decodes percent-encoding such as `%40`. Characters with a special meaning in forms stay as they are.
fn decoded(text: &str) -> Option<String> {
    let escaped = text.replace('+', "%2B").replace('=', "%3D").replace('&', "%26");
    let (value, _) = form_urlencoded::parse(escaped.as_bytes()).next().unwrap_or_default();
    Some(value.into_owned())
}

#[cfg(test)]
mod tests {
    use super::{Security, SmtpSettings};

    fn read(url: &str) -> Option<SmtpSettings> {
        SmtpSettings::read(url, "care@shop.example").ok()
    }

    #[test]
    fn an_address_says_how_to_connect() {
        let it = read("smtps://care%40shop.example:p+w=&%3A%2F@mail.example").expect("an address");
        assert_eq!((it.host.as_str(), it.port, it.security), ("mail.example", 465, Security::Encrypted));
        let (user, password) = it.credentials.clone().expect("credentials");
        assert_eq!((user.as_str(), password.expose()), ("care@shop.example", "p+w=&:/"));
        assert!(!format!("{it:?}").contains("p+w"), "{it:?}");
        for (url, port, security) in [
            ("smtp://mail.example", 587, Security::StartTls),
            ("smtp://mail.example:2525", 2525, Security::StartTls),
            ("smtp://localhost:1025", 1025, Security::Local),
            ("smtp://127.0.0.1", 25, Security::Local),
            ("smtp://[::1]:1025", 1025, Security::Local),
            ("smtp://localhost.example", 587, Security::StartTls),
        ] {
            let it = read(url).unwrap_or_else(|| unreadable(url));
            assert_eq!((it.port, it.security, it.credentials), (port, security, None), "{url}");
        }
    }

    fn unreadable(url: &str) -> SmtpSettings {
        unreachable!("{url} is not read")
    }

    #[test]
    fn a_sender_may_have_a_name() {
        let it = SmtpSettings::read("smtp://localhost", "Cardinal & Briar <care@shop.example>").expect("a sender");
        assert_eq!((it.sender.as_str(), it.sender_name.as_deref()), ("care@shop.example", Some("Cardinal & Briar")));
    }

    #[test]
    fn nonsense_is_refused_without_repeating_a_password() {
        for url in ["", "mail.example", "http://mail.example", "smtps://", "smtps://user@mail.example", "smtp://h/path"]
        {
            assert!(read(url).is_none(), "{url}");
        }
        let problems = SmtpSettings::read("imap://user:hunter2@mail.example", "nobody").expect_err("both are wrong");
        assert_eq!(problems.len(), 2);
        assert!(!problems.concat().contains("hunter2"), "{problems:?}");
    }
}

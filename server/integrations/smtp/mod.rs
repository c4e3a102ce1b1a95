//! Mail over SMTP, always encrypted unless the server is on this machine.

use std::time::{Duration, SystemTime};

use async_trait::async_trait;
use lettre::address::{Address, AddressError};
use lettre::message::header::{Header, HeaderName, HeaderValue};
use lettre::message::{Mailbox, MultiPart};
use lettre::transport::smtp::PoolConfig;
use lettre::transport::smtp::authentication::Credentials;
use lettre::transport::smtp::client::{Tls, TlsParameters};
use lettre::transport::smtp::extension::ClientId;
use lettre::{AsyncSmtpTransport, AsyncTransport, Tokio1Executor};
use uuid::Uuid;

use shop_base::config::smtp::{Security, SmtpSettings};
use shop_platform::mail::mailer::{Accepted, MailError, Mailer, Message};

/// Timeouts for connecting, and for sending a whole message.
const CONNECT_LIMIT: Duration = Duration::from_secs(10);
const SEND_LIMIT: Duration = Duration::from_secs(30);
const CONNECTIONS: u32 = 4;

/// A connection pool to one mail server.
#[derive(Debug)]
pub struct SmtpMailer {
    transport: AsyncSmtpTransport<Tokio1Executor>,
    sender: Address,
    /// If not, the company's name.
    sender_name: Option<String>,
}

/// Why the mailer could not be created.
#[derive(Debug, thiserror::Error)]
pub enum SmtpStartError {
    #[error("a sender's address is malformed: {0}")]
    Address(#[from] AddressError),
    #[error("encryption cannot be set up: {0}")]
    Tls(#[from] lettre::transport::smtp::Error),
}

impl SmtpMailer {
    /// Connects when the first mail is sent.
    pub fn new(settings: &SmtpSettings) -> Result<Self, SmtpStartError> {
        let sender: Address = settings.sender.parse()?;
        let tls = match settings.security {
            Security::Encrypted => Tls::Wrapper(TlsParameters::new(settings.host.clone())?),
            Security::StartTls => Tls::Required(TlsParameters::new(settings.host.clone())?),
            Security::Local => Tls::None,
        };
        let mut builder = AsyncSmtpTransport::<Tokio1Executor>::builder_dangerous(&settings.host)
            .port(settings.port)
            .tls(tls)
            .timeout(Some(CONNECT_LIMIT))
            .hello_name(ClientId::Domain(sender.domain().to_owned()))
            .pool_config(PoolConfig::new().max_size(CONNECTIONS));
        if let Some((user, password)) = &settings.credentials {
            builder = builder.credentials(Credentials::new(user.clone(), password.expose().to_owned()));
        }
        Ok(Self { transport: builder.build(), sender, sender_name: settings.sender_name.clone() })
    }

    fn write(&self, message: &Message) -> Result<(String, lettre::Message), MailError> {
        let unfit = |error: &dyn std::fmt::Display| MailError::Permanent(format!("the message is malformed: {error}"));
        let message_id =
            format!("<{}@{}>", Uuid::new_v5(&Uuid::NAMESPACE_OID, message.id.as_bytes()), self.sender.domain());
        let to =
            message.to.parse().map_err(|_| MailError::Permanent("the recipient's address is malformed".to_owned()))?;
        let written_at = SystemTime::UNIX_EPOCH + Duration::from_millis(u64::try_from(message.written_at).unwrap_or(0));
        let name = self.sender_name.as_ref().unwrap_or(&message.company).clone();
        let mut email = lettre::Message::builder().from(Mailbox::new(Some(name), self.sender.clone()));
        match message.reply_to.parse() {
            Ok(address) => email = email.reply_to(Mailbox::new(Some(message.company.clone()), address)),
            // Then they go to the sender; an email without its reply address is better than none.
            Err(error) => tracing::warn!(%error, "the company's email address cannot be used for replies"),
        }
        let email = email
            .to(Mailbox::new(None, to))
            // A header must be a single line.
            .subject(message.subject.split_whitespace().collect::<Vec<_>>().join(" "))
            .date(written_at)
            .message_id(Some(message_id.clone()))
            .header(AutoSubmitted)
            .multipart(MultiPart::alternative_plain_html(message.text.clone(), message.html.clone()))
            .map_err(|error| unfit(&error))?;
        Ok((message_id, email))
    }
}

#[async_trait]
impl Mailer for SmtpMailer {
    async fn send(&self, message: &Message) -> Result<Accepted, MailError> {
        let (message_id, email) = self.write(message)?;
        match tokio::time::timeout(SEND_LIMIT, self.transport.send(email)).await {
            Ok(Ok(response)) => {
                let answer = response.message().collect::<Vec<_>>().join(" ");
                Ok(Accepted { message_id, answer: without(&message.to, &format!("{} {answer}", response.code())) })
            }
            Ok(Err(error)) => Err(classified(&error, &message.to)),
            Err(_) => Err(MailError::Temporary(format!("no answer within {} s", SEND_LIMIT.as_secs()))),
        }
    }

    async fn check(&self) -> Result<(), MailError> {
        match tokio::time::timeout(SEND_LIMIT, self.transport.test_connection()).await {
            Ok(Ok(true)) => Ok(()),
            Ok(Ok(false)) => Err(MailError::Temporary("the server does not answer as a mail server".to_owned())),
            Ok(Err(error)) => Err(classified(&error, "")),
            Err(_) => Err(MailError::Temporary(format!("no answer within {} s", SEND_LIMIT.as_secs()))),
        }
    }
}

/// Only a 5xx of the server about the message itself is permanent. A 5xx about the shop's account (530, 534, 535, 538) is not: it stops
/// once the operator has fixed the settings.
fn classified(error: &lettre::transport::smtp::Error, to: &str) -> MailError {
    let mut text = error.to_string();
    let mut source = std::error::Error::source(error);
    while let Some(cause) = source {
        let cause_text = cause.to_string();
        if !text.contains(&cause_text) {
            text = format!("{text}: {cause_text}");
        }
        source = cause.source();
    }
    let text = without(to, &text);
    let is_account = error.status().is_some_and(|code| matches!(u16::from(code), 530 | 534 | 535 | 538));
    if error.is_permanent() && !is_account { MailError::Permanent(text) } else { MailError::Temporary(text) }
}

/// Servers often repeat the recipient's address, which must not be logged. Some change its case.
fn without(address: &str, text: &str) -> String {
    if address.is_empty() {
        return text.to_owned();
    }
    // Each place in it is the same place in `text`.
    let lower = text.to_ascii_lowercase();
    let (mut cleaned, mut rest) = (String::new(), 0);
    for (at, found) in lower.match_indices(&address.to_ascii_lowercase()) {
        cleaned.push_str(&text[rest..at]);
        cleaned.push_str("the recipient");
        rest = at + found.len();
    }
    cleaned + &text[rest..]
}

/// Prevents automatic replies such as out-of-office messages.
#[derive(Clone, Debug)]
struct AutoSubmitted;

impl Header for AutoSubmitted {
    fn name() -> HeaderName {
        HeaderName::new_from_ascii_str("Auto-Submitted")
    }

    fn parse(_: &str) -> Result<Self, Box<dyn std::error::Error + Send + Sync>> {
        Ok(Self)
    }

    fn display(&self) -> HeaderValue {
        HeaderValue::new(Self::name(), "auto-generated".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::without;

    #[test]
    fn the_recipient_is_left_out_in_any_case() {
        let answer = "550 <Ann.Lee@Shop.Example>: ANN.LEE@SHOP.EXAMPLE is unknown, größe 0";
        let cleaned = "550 <the recipient>: the recipient is unknown, größe 0";
        for address in ["Ann.Lee@Shop.Example", "ann.lee@shop.example", "ANN.lee@shop.EXAMPLE"] {
            assert_eq!(without(address, answer), cleaned, "{address}");
        }
        assert_eq!(without("", answer), answer);
        assert_eq!(without("bob@shop.example", answer), answer);
    }
}

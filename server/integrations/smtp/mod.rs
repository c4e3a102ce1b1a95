//! Mail over SMTP, always encrypted unless the server is on this machine. Each mail has a connection of its own: in a connection that is
//! used again, the late answer to a mail that was given up would count for the next one.

mod by_line;

use std::time::{Duration, SystemTime};

use async_trait::async_trait;
use lettre::address::{Address, AddressError};
use lettre::message::header::{Header, HeaderName, HeaderValue};
use lettre::message::{Mailbox, MultiPart};
use lettre::transport::smtp::Error as SmtpError;
use lettre::transport::smtp::authentication::{Credentials, DEFAULT_MECHANISMS};
use lettre::transport::smtp::client::{AsyncSmtpConnection, Tls, TlsParameters};
use lettre::transport::smtp::commands::{Data, Mail, Rcpt};
use lettre::transport::smtp::extension::{ClientId, Extension, MailBodyParameter, MailParameter, ServerInfo};
use lettre::transport::smtp::response::Response;
use tokio::net::TcpStream;
use tokio::time::timeout;
use uuid::Uuid;

use shop_base::config::smtp::{Security, SmtpSettings};
use shop_base::email::ascii_domain;
use shop_platform::mail::mailer::{Accepted, MailError, Mailer, Message};

use by_line::ByLine;

const CONNECT_LIMIT: Duration = Duration::from_secs(10);
/// Until the server has let the shop in, and again until it asks for the message.
const READY_LIMIT: Duration = Duration::from_secs(30);
/// For the answer to the message. A mail without an answer is sent again, so RFC 5321 (4.5.3.2.6) asks for ten minutes; but meanwhile it
/// keeps one of its lane's slots.
const ANSWER_LIMIT: Duration = Duration::from_secs(300);
/// Nothing depends on the answer to the last command.
const QUIT_LIMIT: Duration = Duration::from_secs(1);

/// Sends to one mail server.
#[derive(Debug)]
pub struct SmtpMailer {
    host: String,
    port: u16,
    tls: Tls,
    credentials: Option<Credentials>,
    sender: Address,
    /// If not, the company's name.
    sender_name: Option<String>,
    answer_limit: Duration,
}

/// Why the mailer could not be created.
#[derive(Debug, thiserror::Error)]
pub enum SmtpStartError {
    #[error("a sender's address is malformed: {0}")]
    Address(#[from] AddressError),
    #[error("encryption cannot be set up: {0}")]
    Tls(#[from] SmtpError),
}

impl SmtpMailer {
    /// Connects when a mail is sent.
    pub fn new(settings: &SmtpSettings) -> Result<Self, SmtpStartError> {
        let host = settings.host.clone();
        let tls = match settings.security {
            Security::Encrypted => Tls::Wrapper(TlsParameters::new(host.clone())?),
            Security::StartTls => Tls::Required(TlsParameters::new(host.clone())?),
            Security::Local => Tls::None,
        };
        let credentials = settings.credentials.as_ref();
        Ok(Self {
            host,
            port: settings.port,
            tls,
            credentials: credentials
                .map(|(user, password)| Credentials::new(user.clone(), password.expose().to_owned())),
            sender: address(&settings.sender)?,
            sender_name: settings.sender_name.clone(),
            answer_limit: ANSWER_LIMIT,
        })
    }

    /// The same mailer with another limit for the answer to a message.
    #[must_use]
    pub fn answered_within(self, answer_limit: Duration) -> Self {
        Self { answer_limit, ..self }
    }

    fn write(&self, message: &Message, to: Address) -> Result<(String, lettre::Message), MailError> {
        let unfit = |error: &dyn std::fmt::Display| MailError::Permanent(format!("the message is malformed: {error}"));
        let message_id =
            format!("<{}@{}>", Uuid::new_v5(&Uuid::NAMESPACE_OID, message.id.as_bytes()), self.sender.domain());
        let written_at = SystemTime::UNIX_EPOCH + Duration::from_millis(u64::try_from(message.written_at).unwrap_or(0));
        let name = self.sender_name.as_ref().unwrap_or(&message.company).clone();
        let mut email = lettre::Message::builder().from(Mailbox::new(Some(name), self.sender.clone()));
        match address(&message.reply_to) {
            Ok(address) if has_ascii_name(&address) => {
                email = email.reply_to(Mailbox::new(Some(message.company.clone()), address));
            }
            // Then they go to the sender; an email without its reply address is better than none.
            _ => tracing::warn!("the company's email address cannot be used for replies"),
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

    /// A connection that is encrypted and logged in. Whatever the server refuses here, it knows nothing of a message yet.
    async fn connect(&self) -> Result<AsyncSmtpConnection, MailError> {
        within(READY_LIMIT, self.log_in()).await.map_err(MailError::Temporary)?
    }

    async fn log_in(&self) -> Result<AsyncSmtpConnection, MailError> {
        let connected = if let Tls::Required(parameters) = &self.tls {
            let stream = ByLine::connect(&self.host, self.port, CONNECT_LIMIT).await;
            let stream = stream.map_err(|error| MailError::Temporary(format!("Connection error: {error}")))?;
            self.encrypt(stream, parameters).await
        } else {
            self.open().await
        };
        let mut connection = connected.map_err(|error| not_now(&error, ""))?;
        if let Some(credentials) = &self.credentials {
            connection.auth(DEFAULT_MECHANISMS, credentials).await.map_err(|error| not_now(&error, ""))?;
        }
        Ok(connection)
    }

    /// By STARTTLS.
    async fn encrypt(
        &self,
        stream: ByLine<TcpStream>,
        parameters: &TlsParameters,
    ) -> Result<AsyncSmtpConnection, SmtpError> {
        let hello = self.hello();
        let mut connection = AsyncSmtpConnection::connect_with_transport(Box::new(stream), &hello).await?;
        connection.starttls(parameters.clone(), &hello).await?;
        Ok(connection)
    }

    /// Encrypted from the first byte, unless the server is on this machine.
    async fn open(&self) -> Result<AsyncSmtpConnection, SmtpError> {
        let encrypted = match &self.tls {
            Tls::Wrapper(parameters) => Some(parameters.clone()),
            _ => None,
        };
        let server = (self.host.as_str(), self.port);
        AsyncSmtpConnection::connect_tokio1(server, Some(CONNECT_LIMIT), &self.hello(), encrypted, None).await
    }

    fn hello(&self) -> ClientId {
        ClientId::Domain(self.sender.domain().to_owned())
    }

    /// Tells the server of whom and for whom a message is, until it asks for it.
    async fn announce(&self, connection: &mut AsyncSmtpConnection, to: &Address) -> Result<(), MailError> {
        let parameters = self.parameters(to, connection.server_info())?;
        let told: &str = to.as_ref();
        let sender = Mail::new(Some(self.sender.clone()), parameters);
        connection.command(sender).await.map_err(|error| not_now(&error, told))?;
        connection.command(Rcpt::new(to.clone(), Vec::new())).await.map_err(|error| classified(&error, told))?;
        connection.command(Data).await.map_err(|error| not_now(&error, told))?;
        Ok(())
    }

    /// What the server answers to the message, or to what comes before it. After silence the connection is dropped as it is: in it an
    /// answer may still come.
    async fn hand_over(
        &self,
        mut connection: AsyncSmtpConnection,
        to: &Address,
        email: &lettre::Message,
    ) -> Result<Response, MailError> {
        let announced = within(READY_LIMIT, self.announce(&mut connection, to)).await.map_err(MailError::Temporary)?;
        let answer = match announced {
            Ok(()) => within(self.answer_limit, connection.message(&email.formatted()))
                .await
                .map_err(MailError::Unanswered)?
                .map_err(|error| after_message(&error, to.as_ref())),
            Err(error) => Err(error),
        };
        leave(connection).await;
        answer
    }

    /// What the server has to be told about the addresses.
    fn parameters(&self, to: &Address, server: &ServerInfo) -> Result<Vec<MailParameter>, MailError> {
        const MISSING: &str = "the mail server has no SMTPUTF8, which letters other than a to z before the @ need";
        match (has_ascii_name(to), has_ascii_name(&self.sender)) {
            (true, true) => Ok(Vec::new()),
            _ if server.supports_feature(Extension::SmtpUtfEight) => {
                Ok(vec![MailParameter::SmtpUtfEight, MailParameter::Body(MailBodyParameter::EightBitMime)])
            }
            (false, _) => Err(MailError::Permanent(format!("the recipient's address cannot be written to: {MISSING}"))),
            // It stops once the operator has fixed the setting.
            (true, false) => Err(MailError::Temporary(format!("SHOP_MAIL_FROM cannot be used: {MISSING}"))),
        }
    }
}

#[async_trait]
impl Mailer for SmtpMailer {
    async fn send(&self, message: &Message) -> Result<Accepted, MailError> {
        let to = address(&message.to)
            .map_err(|_| MailError::Permanent("the recipient's address is malformed".to_owned()))?;
        let (message_id, email) = self.write(message, to.clone())?;
        let response = self.hand_over(self.connect().await?, &to, &email).await?;
        let text = response.message().collect::<Vec<_>>().join(" ");
        // The server repeats the address as it was told it.
        Ok(Accepted { message_id, answer: without(to.as_ref(), &format!("{} {text}", response.code())) })
    }

    async fn check(&self) -> Result<(), MailError> {
        leave(self.connect().await?).await;
        Ok(())
    }
}

/// An address as it is sent: its domain in ASCII, so that no server has to know other letters.
fn address(text: &str) -> Result<Address, AddressError> {
    let written: Address = text.parse()?;
    let domain = ascii_domain(written.domain()).ok_or(AddressError::InvalidDomain)?;
    Address::new(written.user(), domain)
}

/// Whether servers without SMTPUTF8 take it: what is before the `@` has no other form.
fn has_ascii_name(address: &Address) -> bool {
    address.user().is_ascii()
}

/// The outcome, if there is one in time; else what to say about the silence.
async fn within<T>(limit: Duration, talk: impl Future<Output = T>) -> Result<T, String> {
    timeout(limit, talk).await.map_err(|_| format!("no answer within {} s", limit.as_secs()))
}

/// Some servers take connections that end without this for an attack.
async fn leave(mut connection: AsyncSmtpConnection) {
    let _ = timeout(QUIT_LIMIT, connection.abort()).await;
}

/// An answer to what is not about the message: it changes once the server is well again, or the operator has fixed the settings.
fn not_now(error: &SmtpError, to: &str) -> MailError {
    MailError::Temporary(described(error, to))
}

/// An answer to the recipient or the message. A 5xx is permanent, unless it is about the shop's account (530, 534, 535, 538).
fn classified(error: &SmtpError, to: &str) -> MailError {
    let is_account = error.status().is_some_and(|code| matches!(u16::from(code), 530 | 534 | 535 | 538));
    if error.is_permanent() && !is_account { MailError::Permanent(described(error, to)) } else { not_now(error, to) }
}

/// As [`classified`], once the server has the message: if the connection ends without an answer, it may have taken it.
fn after_message(error: &SmtpError, to: &str) -> MailError {
    match error.status() {
        Some(_) => classified(error, to),
        None => MailError::Unanswered(described(error, to)),
    }
}

fn described(error: &SmtpError, to: &str) -> String {
    let mut text = error.to_string();
    let mut source = std::error::Error::source(error);
    while let Some(cause) = source {
        let cause_text = cause.to_string();
        if !text.contains(&cause_text) {
            text = format!("{text}: {cause_text}");
        }
        source = cause.source();
    }
    without(to, &text)
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

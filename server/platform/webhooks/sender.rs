//! Signs a notification and sends it, once.

use std::error::Error as StdError;
use std::io;
use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use reqwest::header::{CONTENT_TYPE, HeaderValue};
use reqwest::redirect::Policy;
use reqwest::{Client, Response};
use ring::hmac;
use shop_base::config::Config;
use shop_base::db::storable;
use shop_base::error::Error;
use shop_base::seal::{Seal, random};
use url::Url;
use uuid::Uuid;

use super::egress::{Egress, NotPublic};
use super::model::Outcome;

/// The purpose for which the secrets of endpoints are encrypted.
pub const SEALED_FOR: &str = "webhook secrets";

/// Timeout of a whole attempt, from resolving the name to the response.
const PATIENCE: Duration = Duration::from_secs(10);
/// How much of a response body is kept, in bytes.
const KEPT: usize = 1024;

/// Why the sender could not be set up.
#[derive(Debug, thiserror::Error)]
pub enum SenderError {
    #[error("the HTTP client: {0}")]
    Http(#[from] reqwest::Error),
    #[error("a key could not be derived from the secret")]
    Key(#[from] ring::error::Unspecified),
}

/// Sends webhooks; encrypts and decrypts their signing secrets.
#[derive(Debug)]
pub struct Sender {
    http: Client,
    pub reach: Egress,
    seal: Seal,
}

/// The key that signs an endpoint's messages.
pub struct Key(hmac::Key);

/// A notification as it is sent.
#[derive(Debug)]
pub struct SignedMessage<'a> {
    /// The notification's id.
    pub id: &'a str,
    /// JSON.
    pub body: &'a str,
    /// Time of this attempt, UTC milliseconds.
    pub at: i64,
}

impl SignedMessage<'_> {
    /// `v1,` and the HMAC-SHA256 of id, time and body in base64, for each key.
    pub fn signature(&self, keys: &[Key]) -> String {
        let seconds = self.at.div_euclid(1000);
        let signed = format!("{}.{seconds}.{}", self.id, self.body);
        let sign = |key: &Key| format!("v1,{}", STANDARD.encode(hmac::sign(&key.0, signed.as_bytes())));
        keys.iter().map(sign).collect::<Vec<_>>().join(" ")
    }
}

/// A secret as shown to its owner, and as stored in the database.
pub struct NewSecret {
    pub shown: String,
    pub sealed: Vec<u8>,
}

impl Sender {
    pub fn new(config: &Config) -> Result<Self, SenderError> {
        let reach = Egress { loopback: !config.http.is_https() };
        let http = Client::builder()
            .dns_resolver(std::sync::Arc::new(reach))
            // A proxy would resolve names itself.
            .no_proxy()
            .redirect(Policy::none())
            .timeout(PATIENCE)
            .user_agent(concat!("shop/", env!("CARGO_PKG_VERSION")))
            .build()?;
        Ok(Self { http, reach, seal: Seal::new(config, SEALED_FOR)? })
    }

    /// A new secret for an endpoint: 256 random bits.
    pub fn new_secret(&self, endpoint: Uuid) -> Result<NewSecret, Error> {
        let bytes: [u8; 32] = random()?;
        let sealed = self.seal.seal(&bytes, endpoint.as_bytes())?;
        Ok(NewSecret { shown: shown(&bytes), sealed })
    }

    /// A secret as it was shown to its owner; none as for [`Sender::open`].
    pub fn shown(&self, endpoint: Uuid, sealed: &[u8]) -> Option<String> {
        Some(shown(&self.seal.open(sealed, endpoint.as_bytes())?))
    }

    /// `id` is that of the row that has the secret. None when it was encrypted with a former `SHOP_SECRET` that is not its fallback.
    pub fn open(&self, id: Uuid, sealed: &[u8]) -> Option<Key> {
        let bytes = self.seal.open(sealed, id.as_bytes())?;
        Some(Key(hmac::Key::new(hmac::HMAC_SHA256, &bytes)))
    }

    /// The secret of one row, encrypted for another; none as for [`Sender::open`].
    pub fn moved(&self, from: Uuid, sealed: &[u8], to: Uuid) -> Result<Option<Vec<u8>>, Error> {
        let bytes = self.seal.open(sealed, from.as_bytes());
        bytes.map(|bytes| self.seal.seal(&bytes, to.as_bytes())).transpose()
    }

    /// Sends a message and returns the outcome, which contains nothing of the address.
    pub async fn send(&self, url: &str, message: &SignedMessage<'_>, keys: &[Key]) -> Outcome {
        let failed = |error: String| Outcome { code: None, error: Some(storable(&error)), answer: String::new() };
        // Checked again: the rules may be stricter now than when it was entered.
        let url: Url = match self.reach.read(url) {
            Ok(url) => url,
            Err(_) => return failed(NotPublic.to_string()),
        };
        let request = self
            .http
            .post(url)
            .header(CONTENT_TYPE, HeaderValue::from_static("application/json"))
            .header("webhook-id", message.id)
            .header("webhook-timestamp", message.at.div_euclid(1000).to_string())
            .header("webhook-signature", message.signature(keys))
            .body(message.body.to_owned());
        match request.send().await {
            Ok(response) => understand(response).await,
            Err(error) => failed(explain(&error)),
        }
    }
}

fn shown(secret: &[u8]) -> String {
    format!("whsec_{}", STANDARD.encode(secret))
}

async fn understand(mut response: Response) -> Outcome {
    let status = response.status();
    let mut body = Vec::new();
    // The status counts, even if the rest of the response never arrives.
    while let Ok(Some(chunk)) = response.chunk().await {
        body.extend_from_slice(&chunk);
        if body.len() >= KEPT {
            break;
        }
    }
    body.truncate(KEPT);
    let error = if status.is_success() {
        None
    } else if status.is_redirection() {
        Some(format!("Responded with {}. Redirects aren’t followed.", status.as_u16()))
    } else {
        Some(format!("Responded with {}.", status.as_u16()))
    };
    Outcome { code: Some(status.as_u16()), error, answer: storable(&String::from_utf8_lossy(&body)) }
}

/// The error's innermost cause: the outer ones contain the address.
fn explain(error: &reqwest::Error) -> String {
    let mut cause: &dyn StdError = error;
    while let Some(next) = cause.source() {
        cause = next;
    }
    // An I/O error reports the source of its inner error, not the inner error itself.
    let held = cause.downcast_ref::<io::Error>().and_then(io::Error::get_ref);
    if held.is_some_and(|held| held.is::<NotPublic>()) {
        NotPublic.to_string()
    } else if error.is_timeout() {
        format!("No response within {} seconds.", PATIENCE.as_secs())
    } else if error.is_connect() {
        format!("No connection: {cause}")
    } else {
        format!("No response: {cause}")
    }
}

#[cfg(test)]
mod tests {
    use base64::Engine;
    use base64::engine::general_purpose::STANDARD;
    use ring::hmac;

    use super::{Key, SignedMessage};

    /// The test vector of the Standard Webhooks libraries.
    #[test]
    fn signatures_are_those_of_standard_webhooks() {
        const SIGNATURE: &str = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=";
        let secret = STANDARD.decode("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw").expect("base64");
        let key = || Key(hmac::Key::new(hmac::HMAC_SHA256, &secret));
        let (id, body) = ("msg_p5jXN8AQM9LWM0D4loKWxJek", r#"{"test": 2432232314}"#);
        let message = SignedMessage { id, body, at: 1_614_265_330_999 };
        assert_eq!(message.signature(&[key()]), SIGNATURE);
        assert_eq!(message.signature(&[key(), key()]), format!("{SIGNATURE} {SIGNATURE}"));
    }
}

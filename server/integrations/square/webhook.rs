//! Square's webhooks: verifying the signature, and reading the event.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use ring::hmac;
use serde::Deserialize;
use serde_json::Value;
use shop_base::config::Secret;

/// The header with the signature.
pub const SIGNATURE: &str = "x-square-hmacsha256-signature";

/// Whether the body was signed with the key for this address: the configured address, not the one in the request, and the exact bytes of
/// the body. Takes constant time for all wrong signatures of the right length.
pub fn verify(key: &Secret, url: &str, body: &[u8], signature: &str) -> bool {
    if key.expose().is_empty() {
        return false;
    }
    let Ok(signature) = STANDARD.decode(signature) else { return false };
    let key = hmac::Key::new(hmac::HMAC_SHA256, key.expose().as_bytes());
    hmac::verify(&key, &[url.as_bytes(), body].concat(), &signature).is_ok()
}

/// An event as received. It only signals a change; the current state must be requested from Square.
///
/// Events arrive in any order and more than once. Events of different types may share an id, so only `(id, kind)` is unique.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct Event {
    #[serde(rename = "event_id")]
    pub id: String,
    /// Such as `payment.updated`.
    #[serde(rename = "type")]
    pub kind: String,
    /// In Square's time format: `2026-11-21T17:00:00.123Z`.
    #[serde(default)]
    pub created_at: String,
    #[serde(default)]
    pub data: Data,
}

/// The object that the event is about.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
pub struct Data {
    /// Such as `payment` or `refund`.
    #[serde(rename = "type", default)]
    pub kind: String,
    /// The payment's or refund's id.
    #[serde(default)]
    pub id: String,
    /// `{"payment": …}` or `{"refund": …}`; a test notification has none.
    pub object: Option<Value>,
}

impl Event {
    /// Reads an event's envelope; unknown fields are ignored.
    pub fn parse(body: &[u8]) -> Result<Self, serde_json::Error> {
        serde_json::from_slice(body)
    }

    /// The payment concerned, directly or through a refund.
    pub fn payment_id(&self) -> Option<&str> {
        if self.data.kind == "payment" && !self.data.id.is_empty() {
            return Some(&self.data.id);
        }
        self.data.object.as_ref()?.pointer("/refund/payment_id")?.as_str()
    }
}

#[cfg(test)]
mod tests {
    use super::{Event, verify};
    use shop_base::config::Secret;

    /// Test vectors published with Square's own libraries: key, address, body, signature.
    const VECTORS: [(&str, &str, &str, &str); 3] = [
        (
            "asdf1234",
            "https://example.com/webhook",
            r#"{"hello":"world"}"#,
            "2kRE5qRU2tR+tBGlDwMEw2avJ7QM4ikPYD/PJ3bd9Og=",
        ),
        (
            "signature-key",
            "https://webhook.site/webhooks",
            r#"{"data":{"type":"webhooks","id":"fake_id"}}"#,
            "W3FlCNk5IA3ZQ2LHTWoajvzfaDu/OwY2tNHIHC3IUOA=",
        ),
        (
            "signature-key",
            "https://webhook.site/webhooks",
            r#"{"data":{"type":"webhooks","id":">id<"}}"#,
            "Cxt7+aTi4rKgcA0bC4g9EHdVtLSDWdqccmL5MvihU4U=",
        ),
    ];

    #[test]
    fn the_published_vectors_pass() {
        for (key, url, body, signature) in VECTORS {
            assert!(verify(&Secret::new(key), url, body.as_bytes(), signature), "{body}");
        }
    }

    #[test]
    fn another_key_address_body_or_signature_is_refused() {
        for (key, url, body, signature) in VECTORS {
            let genuine = Secret::new(key);
            let spaced = body.replace(':', ": ");
            assert!(!verify(&Secret::new("another"), url, body.as_bytes(), signature));
            assert!(!verify(&Secret::new(""), url, body.as_bytes(), signature));
            assert!(!verify(&genuine, "https://elsewhere.example/webhook", body.as_bytes(), signature));
            assert!(!verify(&genuine, url, spaced.as_bytes(), signature), "written anew");
            assert!(!verify(&genuine, url, b"", signature));
            for wrong in ["", "not base64", &signature[..20], "AAAA"] {
                assert!(!verify(&genuine, url, body.as_bytes(), wrong), "{wrong}");
            }
        }
    }

    #[test]
    fn an_event_is_read_with_and_without_its_object() {
        let body =
            br#"{"merchant_id":"M","type":"payment.updated","event_id":"E","created_at":"2026-11-21T17:00:00.5Z",
            "data":{"type":"payment","id":"P","object":{"payment":{"id":"P"}}},"something":"new"}"#;
        let event = Event::parse(body).unwrap();
        assert_eq!((event.id.as_str(), event.kind.as_str()), ("E", "payment.updated"));
        assert_eq!(event.payment_id(), Some("P"));
        assert_eq!(event.created_at, "2026-11-21T17:00:00.5Z");

        let test = br#"{"type":"webhooks.test_notification","event_id":"T","data":{"type":"webhooks","id":"W"}}"#;
        let event = Event::parse(test).unwrap();
        assert_eq!((event.data.object.clone(), event.payment_id()), (None, None));

        let refund = br#"{"type":"refund.created","event_id":"R",
            "data":{"type":"refund","id":"P_1","object":{"refund":{"id":"P_1","payment_id":"P"}}}}"#;
        assert_eq!(Event::parse(refund).unwrap().payment_id(), Some("P"));
        assert!(Event::parse(br#"{"hello":"world"}"#).is_err());
    }
}

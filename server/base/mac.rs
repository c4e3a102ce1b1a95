//! Message authentication: HMAC-SHA256 with a key derived from the shop's secret.

use ring::hmac::{self, HMAC_SHA256, Key};

use super::config::{Config, Secret};

/// Authenticates messages for one purpose.
#[derive(Debug)]
pub struct Mac {
    key: Key,
    /// Only verifies.
    fallback: Option<Key>,
}

impl Mac {
    /// `purpose` separates keys derived from the same secret.
    pub fn new(config: &Config, purpose: &str) -> Self {
        Self::of(&config.secret, config.secret_fallback.as_ref(), purpose)
    }

    fn of(secret: &Secret, fallback: Option<&Secret>, purpose: &str) -> Self {
        Self { key: derive(secret, purpose), fallback: fallback.map(|fallback| derive(fallback, purpose)) }
    }

    /// 32 bytes.
    pub fn tag(&self, message: &[u8]) -> Vec<u8> {
        hmac::sign(&self.key, message).as_ref().to_vec()
    }

    /// The tags with all keys, to look up one that may have been stored with the fallback.
    pub fn tags(&self, message: &[u8]) -> Vec<Vec<u8>> {
        let keys = std::iter::once(&self.key).chain(&self.fallback);
        keys.map(|key| hmac::sign(key, message).as_ref().to_vec()).collect()
    }

    /// In constant time.
    pub fn verify(&self, message: &[u8], tag: &[u8]) -> bool {
        std::iter::once(&self.key).chain(&self.fallback).any(|key| hmac::verify(key, message, tag).is_ok())
    }
}

fn derive(secret: &Secret, purpose: &str) -> Key {
    let secret = Key::new(HMAC_SHA256, secret.expose().as_bytes());
    Key::new(HMAC_SHA256, hmac::sign(&secret, purpose.as_bytes()).as_ref())
}

#[cfg(test)]
mod tests {
    use super::{Mac, Secret};

    #[test]
    fn only_the_same_secret_purpose_and_message_verify() {
        let mac = |secret: &str, purpose: &str| Mac::of(&Secret::new(secret), None, purpose);
        let tag = mac("secret", "links").tag(b"order 1");
        assert!(mac("secret", "links").verify(b"order 1", &tag));
        assert!(!mac("secret", "links").verify(b"order 2", &tag));
        assert!(!mac("secret", "other").verify(b"order 1", &tag));
        assert!(!mac("other", "links").verify(b"order 1", &tag));
        assert!(!mac("secret", "links").verify(b"order 1", &tag[1..]));
        assert!(!mac("secret", "links").verify(b"order 1", b""));
    }

    #[test]
    fn a_fallback_verifies_and_makes_no_tag() {
        let (old, new) = (Secret::new("old"), Secret::new("new"));
        let (before, both, after) =
            (Mac::of(&old, None, "links"), Mac::of(&new, Some(&old), "links"), Mac::of(&new, None, "links"));
        assert!(both.verify(b"order 1", &before.tag(b"order 1")));
        assert!(!after.verify(b"order 1", &before.tag(b"order 1")));
        assert_eq!(both.tag(b"order 1"), after.tag(b"order 1"));
        assert_eq!(both.tags(b"order 1"), [after.tag(b"order 1"), before.tag(b"order 1")]);
    }
}

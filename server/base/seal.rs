//! Authenticated encryption of data that the shop hands out or stores: AES-256-GCM with a key derived from the shop's secret.

use ring::aead::{AES_256_GCM, Aad, LessSafeKey, NONCE_LEN, Nonce, UnboundKey};
use ring::error::Unspecified;
use ring::hkdf::{HKDF_SHA256, KeyType, Salt};
use ring::rand::{SecureRandom, SystemRandom};

use super::config::Config;
use super::error::Error;

/// Encrypts for one purpose; data encrypted for another purpose cannot be decrypted.
#[derive(Debug)]
pub struct Seal {
    key: LessSafeKey,
    /// Only decrypts.
    fallback: Option<LessSafeKey>,
}

/// What has to be done with encrypted data when the shop's secret is replaced.
#[derive(Debug, PartialEq, Eq)]
pub enum Renewal {
    /// It is encrypted with the secret.
    Current,
    /// It was encrypted with the fallback: the same, encrypted with the secret.
    New(Vec<u8>),
    /// Neither decrypts it.
    Unreadable,
}

struct KeyBytes;

impl KeyType for KeyBytes {
    fn len(&self) -> usize {
        AES_256_GCM.key_len()
    }
}

impl Seal {
    /// `purpose` separates keys derived from the same secret.
    pub fn new(config: &Config, purpose: &str) -> Result<Self, Unspecified> {
        Self::of(config.secret.expose(), config.secret_fallback.as_ref().map(|fallback| fallback.expose()), purpose)
    }

    fn of(secret: &str, fallback: Option<&str>, purpose: &str) -> Result<Self, Unspecified> {
        let fallback = fallback.map(|fallback| derive(fallback, purpose)).transpose()?;
        Ok(Self { key: derive(secret, purpose)?, fallback })
    }

    /// Returns the nonce, then the ciphertext. `about` is authenticated but not included: decrypting requires the same value.
    pub fn seal(&self, plain: &[u8], about: &[u8]) -> Result<Vec<u8>, Error> {
        let nonce: [u8; NONCE_LEN] = random()?;
        let mut sealed = plain.to_vec();
        self.key
            .seal_in_place_append_tag(Nonce::assume_unique_for_key(nonce), Aad::from(about), &mut sealed)
            .map_err(|_| Error::internal("a value could not be sealed"))?;
        Ok([nonce.as_slice(), &sealed].concat())
    }

    /// None for anything that was not encrypted here, for this purpose and with this `about`.
    pub fn open(&self, sealed: &[u8], about: &[u8]) -> Option<Vec<u8>> {
        open_with(&self.key, sealed, about).or_else(|| open_with(self.fallback.as_ref()?, sealed, about))
    }

    /// Encrypts with the secret what was encrypted with the fallback.
    pub fn renew(&self, sealed: &[u8], about: &[u8]) -> Result<Renewal, Error> {
        if open_with(&self.key, sealed, about).is_some() {
            return Ok(Renewal::Current);
        }
        match self.open(sealed, about) {
            Some(plain) => Ok(Renewal::New(self.seal(&plain, about)?)),
            None => Ok(Renewal::Unreadable),
        }
    }
}

fn derive(secret: &str, purpose: &str) -> Result<LessSafeKey, Unspecified> {
    let mut key = [0_u8; 32];
    let derived = Salt::new(HKDF_SHA256, b"shop").extract(secret.as_bytes());
    derived.expand(&[purpose.as_bytes()], KeyBytes)?.fill(&mut key)?;
    Ok(LessSafeKey::new(UnboundKey::new(&AES_256_GCM, &key)?))
}

fn open_with(key: &LessSafeKey, sealed: &[u8], about: &[u8]) -> Option<Vec<u8>> {
    let (nonce, rest) = sealed.split_at_checked(NONCE_LEN)?;
    let mut rest = rest.to_vec();
    let nonce = Nonce::try_assume_unique_for_key(nonce).ok()?;
    let plain = key.open_in_place(nonce, Aad::from(about), &mut rest).ok()?;
    Some(plain.to_vec())
}

/// Cryptographically secure random bytes.
pub fn random<const N: usize>() -> Result<[u8; N], Error> {
    let mut bytes = [0; N];
    SystemRandom::new().fill(&mut bytes).map_err(|_| Error::internal("the system has no randomness"))?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::{Renewal, Seal};

    #[test]
    fn only_the_same_key_purpose_and_subject_open() {
        let seal = |secret: &str, purpose: &str| Seal::of(secret, None, purpose).expect("a key");
        let sealed = seal("secret", "tokens").seal(b"refresh", b"session 1").expect("sealed");
        assert_eq!(seal("secret", "tokens").open(&sealed, b"session 1").as_deref(), Some(b"refresh".as_slice()));
        assert_eq!(seal("secret", "tokens").open(&sealed, b"session 2"), None);
        assert_eq!(seal("secret", "flow").open(&sealed, b"session 1"), None);
        assert_eq!(seal("other", "tokens").open(&sealed, b"session 1"), None);
        let mut forged = sealed.clone();
        forged[20] ^= 1;
        assert_eq!(seal("secret", "tokens").open(&forged, b"session 1"), None);
        assert_eq!(seal("secret", "tokens").open(b"short", b""), None);
        assert!(!sealed.windows(7).any(|window| window == b"refresh"));
    }

    #[test]
    fn a_fallback_opens_and_nothing_is_sealed_with_it() {
        let seal = |secret: &str, fallback: Option<&str>| Seal::of(secret, fallback, "tokens").expect("a key");
        let (old, both, new) = (seal("old", None), seal("new", Some("old")), seal("new", None));
        let before = old.seal(b"refresh", b"1").expect("sealed");
        assert_eq!(both.open(&before, b"1").as_deref(), Some(b"refresh".as_slice()));
        let after = both.seal(b"refresh", b"1").expect("sealed");
        assert_eq!((new.open(&after, b"1").is_some(), old.open(&after, b"1")), (true, None));

        let Renewal::New(renewed) = both.renew(&before, b"1").expect("renewed") else {
            panic!("it needs to be renewed")
        };
        assert_eq!(new.open(&renewed, b"1").as_deref(), Some(b"refresh".as_slice()));
        assert_eq!(both.renew(&renewed, b"1").expect("nothing to do"), Renewal::Current);
        assert_eq!(both.renew(&before, b"2").expect("nothing to do"), Renewal::Unreadable);
        assert_eq!(new.renew(&before, b"1").expect("nothing to do"), Renewal::Unreadable);
    }
}

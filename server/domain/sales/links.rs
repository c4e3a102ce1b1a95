//! Secrets in addresses that the shop sends: looked up by their hash, and stored encrypted so that the same address can be sent again.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sha2::{Digest, Sha256};
use shop_base::context::Context;
use shop_base::error::Error;
use shop_base::seal::{Seal, random};
use uuid::Uuid;

/// The links to one kind of record.
#[derive(Debug)]
pub struct Links {
    /// The purpose for which their secrets are encrypted.
    pub sealed_for: &'static str,
    /// Where they lead; the secret follows.
    address: &'static str,
}

/// Where a draft is paid.
pub const DRAFTS: Links = Links { sealed_for: "draft orders", address: "/checkout?draft=" };
/// Where a pickup order is confirmed.
pub const PICKUPS: Links = Links { sealed_for: "pickup links", address: "/checkout/confirm?link=" };

/// A new secret in its stored form.
#[derive(Debug)]
pub struct NewToken {
    pub hash: Vec<u8>,
    pub sealed: Vec<u8>,
}

impl Links {
    /// Generates a secret of 256 bits for the record with this id.
    pub fn make(&self, cx: &Context, id: Uuid) -> Result<NewToken, Error> {
        let token = URL_SAFE_NO_PAD.encode(random::<32>()?);
        Ok(NewToken { hash: hash(&token), sealed: self.seal(cx)?.seal(token.as_bytes(), id.as_bytes())? })
    }

    /// The path of the record with this id. None if `SHOP_SECRET` has changed without a fallback.
    pub fn path(&self, cx: &Context, id: Uuid, sealed: &[u8]) -> Option<String> {
        let token = self.seal(cx).ok()?.open(sealed, id.as_bytes())?;
        Some(format!("{}{}", self.address, String::from_utf8(token).ok()?))
    }

    fn seal(&self, cx: &Context) -> Result<Seal, Error> {
        Seal::new(&cx.config, self.sealed_for).map_err(Error::internal)
    }
}

pub fn hash(token: &str) -> Vec<u8> {
    Sha256::digest(token.as_bytes()).to_vec()
}

//! The secret in an email's link: looked up by its hash, and stored encrypted so that retries of the email contain the same link.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sha2::{Digest, Sha256};
use shop_base::context::Context;
use shop_base::error::Error;
use shop_base::seal::{Seal, random};
use uuid::Uuid;

use super::rows::Link;

/// A new secret in its stored form.
#[derive(Debug)]
pub struct NewToken {
    pub hash: Vec<u8>,
    pub sealed: Vec<u8>,
}

/// Generates a secret of 256 bits for a link.
pub fn make(cx: &Context, link: Uuid) -> Result<NewToken, Error> {
    let token = URL_SAFE_NO_PAD.encode(random::<32>()?);
    Ok(NewToken { hash: hash(&token), sealed: seal(cx)?.seal(token.as_bytes(), link.as_bytes())? })
}

pub fn hash(token: &str) -> Vec<u8> {
    Sha256::digest(token.as_bytes()).to_vec()
}

/// The path at which an order is confirmed. None if the shop's secret key has changed.
pub fn path(cx: &Context, link: &Link) -> Option<String> {
    let token = seal(cx).ok()?.open(&link.token_sealed, link.id.as_bytes())?;
    Some(format!("/checkout/confirm?link={}", String::from_utf8(token).ok()?))
}

fn seal(cx: &Context) -> Result<Seal, Error> {
    Seal::new(cx.config.secret.expose(), "pickup links").map_err(Error::internal)
}

//! The secret in a link: looked up by its hash, and stored encrypted so that staff can send the same link again.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sha2::{Digest, Sha256};
use shop_base::context::Context;
use shop_base::error::Error;
use shop_base::seal::{Seal, random};
use uuid::Uuid;

use super::rows::Draft;

/// A new secret in its stored form.
#[derive(Debug)]
pub struct NewLink {
    pub hash: Vec<u8>,
    pub sealed: Vec<u8>,
}

/// Generates a secret of 256 bits for a draft.
pub fn make(cx: &Context, draft: Uuid) -> Result<NewLink, Error> {
    let token = URL_SAFE_NO_PAD.encode(random::<32>()?);
    Ok(NewLink { hash: hash(&token), sealed: seal(cx)?.seal(token.as_bytes(), draft.as_bytes())? })
}

pub fn hash(token: &str) -> Vec<u8> {
    Sha256::digest(token.as_bytes()).to_vec()
}

/// The path at which a draft is paid. None if the shop's secret key has changed.
pub fn path(cx: &Context, draft: &Draft) -> Option<String> {
    let token = seal(cx).ok()?.open(&draft.token_sealed, draft.id.as_bytes())?;
    Some(format!("/checkout?draft={}", String::from_utf8(token).ok()?))
}

fn seal(cx: &Context) -> Result<Seal, Error> {
    Seal::new(cx.config.secret.expose(), "draft orders").map_err(Error::internal)
}

//! The secret in the address of an order's page: the order's id and its signature, so that it can be made anew whenever it is needed.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use shop_base::config::Config;
use shop_base::mac::Mac;
use uuid::Uuid;

use super::links;

/// Before a stored hash.
const HASHED: &str = "sha256:";
const ID_BYTES: usize = 16;

/// The token of the order with this id.
pub fn token(config: &Config, order: Uuid) -> String {
    let tag = mac(config).tag(order.as_bytes());
    URL_SAFE_NO_PAD.encode([order.as_bytes().as_slice(), &tag].concat())
}

/// The id of the order that a token opens. None if the shop did not sign it, as with the random ones of old orders.
pub fn order(config: &Config, token: &str) -> Option<Uuid> {
    let bytes = URL_SAFE_NO_PAD.decode(token).ok()?;
    let (order, tag) = bytes.split_at_checked(ID_BYTES)?;
    mac(config).verify(order, tag).then(|| Uuid::from_slice(order).ok())?
}

/// What may be stored of a token that is not signed: its hash, which itself opens nothing, or the token, if the daily cleanup has not yet
/// replaced it.
pub fn stored(token: &str) -> impl Iterator<Item = String> {
    let readable = Some(token.to_owned()).filter(|token| !token.starts_with(HASHED));
    std::iter::once(hashed(token)).chain(readable)
}

/// What is stored of a token.
pub fn hashed(token: &str) -> String {
    format!("{HASHED}{}", URL_SAFE_NO_PAD.encode(links::hash(token)))
}

/// The address of an order's page.
pub fn href(config: &Config, order: Uuid) -> String {
    format!("/order-confirmation?order={}", token(config, order))
}

fn mac(config: &Config) -> Mac {
    Mac::new(config, "order links")
}

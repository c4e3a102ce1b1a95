//! Sign-in with a real provider over real sockets.

pub mod access_tokens;
pub mod flow;
pub mod sessions;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::Value;
use shop_domain::identity::service;
use uuid::Uuid;

use crate::support::{Answer, Browser, TestShop};

pub const SHOPPER: &str = "demo-shopper";
pub const TOKEN_MS: i64 = 300_000;

pub async fn user(browser: &mut Browser) -> Value {
    let answer = browser.get("/cart/_payload.json").await;
    answer.assert_status(200).json()["shared"]["user"].clone()
}

/// The notice that the next page shows, once the age gate is open.
pub async fn notice(browser: &mut Browser) -> Value {
    browser.pass_age_gate();
    browser.get("/cart/_payload.json").await.json()["shared"]["notice"]["summary"].clone()
}

pub async fn session_id(shop: &TestShop, browser: &Browser) -> Uuid {
    service::find_session(&shop.app, browser.session().unwrap()).await.unwrap().unwrap().id
}

/// The number of sign-ins that the browser has started.
pub fn flows(browser: &Browser) -> usize {
    browser.cookies.keys().filter(|name| name.starts_with("sign-in-")).count()
}

pub fn assert_refused(answer: &Answer, browser: &Browser) {
    assert_eq!(answer.assert_status(303).header("location"), "/products?q=pipe");
    assert_eq!(browser.session(), None);
}

pub fn provider_issuer(shop: &TestShop) -> String {
    shop.app.config.identity.as_ref().unwrap().issuer.clone()
}

/// What a token says.
pub fn claims_of(token: &str) -> Value {
    let payload = token.split('.').nth(1).unwrap();
    serde_json::from_slice(&URL_SAFE_NO_PAD.decode(payload).unwrap()).unwrap()
}

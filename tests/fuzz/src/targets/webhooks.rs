//! Bodies of the card provider's events, rightly signed, and signatures of strangers.

use axum::body::Body;
use axum::http::{HeaderValue, Request};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use libfuzzer_sys::Corpus;
use ring::hmac;
use shop_integrations::square::webhook::SIGNATURE;

use crate::shop::shop;

/// `s{body}` is signed, `u{signature}` is not.
pub fn run(data: &[u8]) -> Corpus {
    let Some((kind, rest)) = data.split_first() else { return Corpus::Reject };
    let shop = shop();
    let square = shop.app.config.square.as_ref().unwrap();
    let send = |signature: HeaderValue, body: &[u8]| {
        let request = Request::post("/webhooks/square").header(SIGNATURE, signature).body(Body::from(body.to_vec()));
        shop.send(request.unwrap()).status.as_u16()
    };
    match kind {
        b's' => {
            let key = hmac::Key::new(hmac::HMAC_SHA256, square.webhook_key.expose().as_bytes());
            let signature = hmac::sign(&key, &[square.webhook_url.as_bytes(), rest].concat());
            let status = send(HeaderValue::try_from(STANDARD.encode(signature)).unwrap(), rest);
            assert!(status == 200 || (400..500).contains(&status) && status != 401, "{status}");
        }
        b'u' => {
            let Ok(signature) = HeaderValue::from_bytes(rest) else { return Corpus::Reject };
            assert_eq!(send(signature, b"{}"), 401);
        }
        _ => return Corpus::Reject,
    }
    Corpus::Keep
}

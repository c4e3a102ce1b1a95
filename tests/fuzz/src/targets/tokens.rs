//! Tokens that this shop has not given out: none of them opens anything.

use axum::body::Body;
use axum::http::{Request, header};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use libfuzzer_sys::Corpus;
use shop_base::seal::Seal;
use url::form_urlencoded::byte_serialize;

use crate::shop::shop;

/// The first byte says where the rest is sent. A JWT is given as header and claims, each in a line.
pub fn run(data: &[u8]) -> Corpus {
    let Some((kind, rest)) = data.split_first() else { return Corpus::Reject };
    let shop = shop();
    let asked = |path: &str, name: header::HeaderName, value: String| {
        let request = Request::get(path).header(name, value).body(Body::empty());
        request.ok().map(|request| shop.send(request).status.as_u16())
    };
    let status = match kind {
        b'j' => {
            let mut parts = rest.splitn(3, |&byte| byte == b'\n').map(|part| URL_SAFE_NO_PAD.encode(part));
            let mut part = || parts.next().unwrap_or_default();
            asked("/api/me", header::AUTHORIZATION, format!("Bearer {}.{}.{}", part(), part(), part()))
        }
        b'b' => asked("/api/me", header::AUTHORIZATION, format!("Bearer {}", String::from_utf8_lossy(rest))),
        b's' => asked("/api/me", header::COOKIE, format!("session={}", String::from_utf8_lossy(rest))),
        b'o' => {
            let token: String = byte_serialize(rest).collect();
            asked(&format!("/order-confirmation?order={token}"), header::ACCEPT, "text/html".to_owned())
        }
        b'e' => {
            let seal = Seal::new(&shop.app.config, "fuzzing").unwrap();
            assert_eq!(seal.open(rest, b""), None);
            let sealed = seal.seal(rest, b"about").unwrap();
            assert_eq!(seal.open(&sealed, b"about").as_deref(), Some(rest));
            assert_eq!(seal.open(&sealed, b"else"), None);
            return Corpus::Keep;
        }
        _ => return Corpus::Reject,
    };
    match status {
        Some(status) => assert!((400..500).contains(&status), "{status}"),
        None => return Corpus::Reject,
    }
    Corpus::Keep
}

//! `/.well-known/`: where security researchers write to (RFC 9116), and where password managers change a password.

use std::sync::Arc;

use axum::extract::State;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Redirect};
use shop_base::clock;
use shop_base::context::Context;
use shop_platform::settings::texts::Texts;

const TEXT: HeaderValue = HeaderValue::from_static("text/plain; charset=utf-8");
/// It is made anew for each reader; less than a year, as the standard recommends.
const VALID_MS: i64 = 180 * 24 * 60 * 60 * 1000;

/// `GET /.well-known/security.txt`
pub async fn security_txt(State(cx): State<Context>, State(texts): State<Arc<Texts>>) -> impl IntoResponse {
    let origin = cx.config.http.origin();
    let expires = clock::timestamp(cx.clock.now_ms() + VALID_MS).strftime("%Y-%m-%dT00:00:00Z");
    let text = format!(
        "Contact: mailto:{}\nExpires: {expires}\nPreferred-Languages: en\nCanonical: {origin}/.well-known/security.txt\n",
        texts.company.email,
    );
    ([(header::CONTENT_TYPE, TEXT)], text)
}

/// `GET /.well-known/change-password`: at the identity provider, or else the account's page, which says where.
pub async fn change_password(State(cx): State<Context>) -> Redirect {
    let provider = cx.config.identity.as_ref().and_then(|identity| identity.account_url.as_ref());
    Redirect::to(provider.map_or("/account", |url| url.as_str()))
}

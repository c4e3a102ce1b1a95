//! The signed cookie that names the visitor's last checkout while it holds goods without being paid for: its card was declined, or it waits
//! for the link in an email. For this visitor's cart these goods are available.

use axum::http::{HeaderMap, HeaderValue};
use shop_base::error::Error;
use shop_domain::sales::flows::quote;
use shop_platform::web::cookies::SignedCookies;
use uuid::Uuid;

const NAME: &str = "checkout";
/// No checkout holds goods for longer.
const LIFETIME_SECONDS: i64 = 2 * 60 * 60;

/// The checkout in the request's cookie.
pub fn read(cookies: &SignedCookies, headers: &HeaderMap) -> Option<Uuid> {
    cookies.read(NAME, headers)?.parse().ok()
}

/// The `Set-Cookie` that names this checkout; none if it holds nothing.
pub async fn write(cookies: &SignedCookies, checkout: Uuid) -> Result<Option<HeaderValue>, Error> {
    let held = quote::list_held(cookies, &mut cookies.db.read().await?.conn(), checkout).await?;
    Ok((!held.is_empty()).then(|| cookies.write_hidden(NAME, checkout.to_string(), LIFETIME_SECONDS)))
}

/// Variants and quantities that the visitor's unfinished checkout holds.
pub async fn list_held(cookies: &SignedCookies, headers: &HeaderMap) -> Result<Vec<(Uuid, i64)>, Error> {
    match read(cookies, headers) {
        Some(checkout) => Ok(quote::list_held(cookies, &mut cookies.db.read().await?.conn(), checkout).await?),
        None => Ok(Vec::new()),
    }
}

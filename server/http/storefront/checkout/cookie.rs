//! The encrypted cookie that keeps a posted form until the page is loaded anew: after the age gate, the note about the email, or signing in
//! again. It also keeps an address while the page has no fields for it.

use axum::http::{HeaderMap, HeaderValue};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use shop_base::error::Error;
use shop_base::seal::Seal;
use shop_platform::web::cookies::SignedCookies;

use super::form::CheckoutForm;

const NAME: &str = "checkout-form";
const SEALED_FOR: &str = "checkout form";
const LIFETIME_SECONDS: i64 = 10 * 60;
/// Browsers keep 4,096 bytes of a cookie with its name, signature and attributes.
const MAX_LENGTH: usize = 3_900;

/// The form in the request's cookie. `owner` tells the visitor and the page that it was posted to: nobody else's is shown.
pub fn read(cookies: &SignedCookies, headers: &HeaderMap, owner: &str) -> Option<CheckoutForm> {
    let sealed = URL_SAFE_NO_PAD.decode(cookies.read(NAME, headers)?).ok()?;
    let plain = Seal::new(&cookies.config, SEALED_FOR).ok()?.open(&sealed, owner.as_bytes())?;
    serde_json::from_slice(&plain).ok()
}

/// The `Set-Cookie` that keeps the form; none if it is larger than browsers keep.
pub fn write(cookies: &SignedCookies, form: &CheckoutForm, owner: &str) -> Result<Option<HeaderValue>, Error> {
    let plain = serde_json::to_vec(form).map_err(Error::internal)?;
    let seal = Seal::new(&cookies.config, SEALED_FOR).map_err(Error::internal)?;
    let value = URL_SAFE_NO_PAD.encode(seal.seal(&plain, owner.as_bytes())?);
    Ok((value.len() <= MAX_LENGTH).then(|| cookies.write_hidden(NAME, value, LIFETIME_SECONDS)))
}

/// The `Set-Cookie` that deletes it.
pub fn clear(cookies: &SignedCookies) -> HeaderValue {
    cookies.write_hidden(NAME, String::new(), 0)
}
